/** How values change with the basis of prices and volumes (`market/basis.ts`). */
import { haveSameDimension, NO_DIMENSION, type ValueDimension } from '../market/basis.ts';
import type { ConditionProgram, Value, ValueProgram } from './program.ts';

export function dimensionOf(program: ValueProgram): ValueDimension {
  switch (program.kind) {
    case 'constant':
      return program.value === 0 || Number.isNaN(program.value) ? 'any' : NO_DIMENSION;
    case 'bar':
    case 'position':
    case 'indicator':
      return program.fn.dimension;
    case 'pointwise':
      return program.fn.dimension(program.parts.map(({ dimension }) => dimension));
    case 'window':
      return program.a.dimension;
    case 'across':
    case 'pair':
      return NO_DIMENSION;
    case 'other':
      return dimensionOfOther(program.part);
  }
}

/**
 * Prices of another instrument change with its own events, not with those of the instrument at hand: they mix with everything, so
 * that they are computed on the basis of each bar.
 */
function dimensionOfOther({ dimension }: Value): ValueDimension {
  return dimension === 'any' || haveSameDimension(dimension, NO_DIMENSION) ? dimension : null;
}

/** Whether a condition has to be evaluated on the basis of each bar. */
export function mixesDimensions(program: ConditionProgram): boolean {
  switch (program.kind) {
    case 'compare':
      return !haveSameDimension(program.a.dimension, program.b.dimension);
    case 'all':
    case 'any':
      return program.parts.some(({ mixes }) => mixes);
    case 'before':
    case 'forBars':
    case 'withinBars':
    case 'other':
      return program.part.mixes;
    case 'among':
      return false;
  }
}

/** How many bars back a mixed value reads the parts that it mixes. */
export function reachOfValue(program: ValueProgram, parts: readonly Value[]): number {
  // Its own bars are read on its own basis.
  if (program.kind === 'other') return 0;
  const before = program.kind === 'window' ? program.fn.barsBefore(program.n) : 0;
  return before + Math.max(...parts.map(({ reach }) => reach));
}

/** The same of a mixed condition. */
export function reachOfCondition(program: ConditionProgram): number {
  switch (program.kind) {
    case 'compare':
      return Math.max(program.a.reach, program.b.reach);
    case 'all':
    case 'any':
      return Math.max(...program.parts.map(({ reach }) => reach));
    case 'before':
      return program.part.reach + 1;
    case 'forBars':
    case 'withinBars':
      return program.part.reach + program.n - 1;
    case 'among':
    case 'other':
      return 0;
  }
}
