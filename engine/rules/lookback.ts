/** The number of bars that a rule needs at the last bar, including that bar, if exponential means are carried over from earlier bars. */
import type { IndicatorFunction } from './functions/function.ts';
import type { Condition, Value } from './program.ts';

/** Periods of exponential means that are carried over. */
export interface CarriedPeriods {
  readonly max: number;
}

/** Infinity: more than any number of bars. */
export function barsNeeded(node: Value, carried: CarriedPeriods): number {
  const { program } = node;
  switch (program.kind) {
    case 'constant':
    case 'bar':
      return 1;
    case 'position':
      return Number.POSITIVE_INFINITY;
    case 'indicator':
      return barsOfIndicator(program.fn, program.args, carried);
    case 'pointwise':
      return Math.max(...program.parts.map((part) => barsNeeded(part, carried)));
    case 'window':
      return barsNeeded(program.a, carried) + program.fn.barsBefore(program.n);
  }
}

function barsOfIndicator(
  { bars, window }: IndicatorFunction,
  args: readonly number[],
  { max }: CarriedPeriods,
): number {
  if (window === 'look-back') return bars(args);
  if ('none' in window) return Number.POSITIVE_INFINITY;
  return window.carried(args).every((period) => period <= max) ? window.bars(args) : Number.POSITIVE_INFINITY;
}

export function barsNeededBy(node: Condition, carried: CarriedPeriods): number {
  const { program } = node;
  switch (program.kind) {
    case 'compare': {
      const { a, b } = program;
      return Math.max(barsNeeded(a, carried), barsNeeded(b, carried));
    }
    case 'all':
    case 'any':
      return Math.max(...program.parts.map((part) => barsNeededBy(part, carried)));
    case 'before':
      return barsNeededBy(program.part, carried) + 1;
    case 'forBars':
    case 'withinBars':
      return barsNeededBy(program.part, carried) + program.n - 1;
  }
}
