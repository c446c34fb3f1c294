/** Nodes of programs: a program with what follows from its parts. */

import {
  dimensionKept,
  dimensionOnEach,
  haveSameDimension,
  NO_DIMENSION,
  type ValueDimension,
} from '../market/basis.ts';
import { isIndex } from './index-ticker.ts';
import type { Condition, ConditionProgram, Node, Value, ValueProgram } from './program.ts';

/** How the values of a program change with the basis of prices and volumes (`market/basis.ts`). */
function dimensionOf(program: ValueProgram): ValueDimension {
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
      return program.fn.isRatio && program.a.dimension !== null ? NO_DIMENSION : program.a.dimension;
    case 'choice':
      return program.isTrue.mixes ? null : dimensionKept([program.x.dimension, program.y.dimension]);
    case 'count':
      return program.part.mixes ? null : NO_DIMENSION;
    case 'across':
    case 'pair':
      return NO_DIMENSION;
    case 'own':
      return program.dimension;
    case 'period':
      return program.part.dimension;
    case 'other':
      // Prices of another instrument change with its own events, not with those of the instrument at hand.
      return dimensionOnEach(program.part.dimension);
  }
}

/** Whether a condition has to be evaluated on the basis of each bar. */
function mixesDimensions(program: ConditionProgram): boolean {
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
    case 'flag':
      return false;
  }
}

/** How many bars back a mixed value reads the parts that it mixes. */
function reachOfValue(program: ValueProgram, parts: readonly Node[]): number {
  // Bars of its own are read on the basis of the stretch.
  if (program.kind === 'other' || program.kind === 'period') return 0;
  return barsBeforeValue(program) + Math.max(...parts.map(({ reach }) => reach));
}

function barsBeforeValue(program: ValueProgram): number {
  if (program.kind === 'window') return program.fn.barsBefore(program.n);
  return program.kind === 'count' ? program.n - 1 : 0;
}

/** The bars that a mixed condition looks back. */
function reachOfCondition(program: ConditionProgram): number {
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
    case 'flag':
    case 'other':
      return 0;
  }
}

export function valueNode(program: ValueProgram): Value {
  const dimension = dimensionOf(program);
  const mixes = dimension === null;
  const parts = partsOfValue(program);
  return {
    program,
    dimension,
    mixes,
    reach: mixes ? reachOfValue(program, parts) : 0,
    key: valueKey(program),
    isOfPosition: program.kind === 'position' || parts.some(({ isOfPosition }) => isOfPosition),
    across: acrossOf(parts) + Number(program.kind === 'across'),
    acrossReach: acrossReach(parts, barsBeforeValue(program)),
    readsUniverse: readsUniverse(program, parts),
    readsOthers: program.kind === 'other' || program.kind === 'pair' || parts.some(({ readsOthers }) => readsOthers),
    readsColumns: program.kind === 'own' || parts.some(({ readsColumns }) => readsColumns),
  };
}

function readsUniverse(program: ValueProgram | ConditionProgram, parts: readonly Node[]): boolean {
  const isOwn = program.kind === 'across' || ('ticker' in program && isIndex(program.ticker));
  return isOwn || parts.some((part) => part.readsUniverse);
}

// Without closures and spreads: each run compiles its rules again.
function acrossOf(parts: readonly Node[]): number {
  let deepest = 0;
  for (const { across } of parts) if (across > deepest) deepest = across;
  return deepest;
}

/** `barsBefore`: how many bars back the parts are read. */
function acrossReach(parts: readonly Node[], barsBefore: number): number {
  if (acrossOf(parts) === 0) return 0;
  let farthest = 0;
  for (const part of parts) if (part.acrossReach > farthest) farthest = part.acrossReach;
  return farthest + barsBefore;
}

function barsBefore(program: ConditionProgram): number {
  if (program.kind === 'before') return 1;
  return program.kind === 'forBars' || program.kind === 'withinBars' ? program.n - 1 : 0;
}

export function partsOf(node: Value | Condition): readonly (Value | Condition)[] {
  return 'dimension' in node ? partsOfValue(node.program) : partsOfCondition(node.program);
}

function partsOfValue(program: ValueProgram): readonly (Value | Condition)[] {
  switch (program.kind) {
    case 'constant':
    case 'bar':
    case 'position':
    case 'indicator':
    case 'pair':
    case 'own':
      return [];
    case 'pointwise':
      return program.parts;
    case 'window':
      return [program.a];
    case 'across':
      return [program.part, program.group].filter((part) => part !== null && typeof part !== 'string');
    case 'choice':
      return [program.isTrue, program.isFalse, program.x, program.y];
    case 'count':
    case 'period':
    case 'other':
      return [program.part];
  }
}

/** Programs of one key are equal. */
export function valueKey(program: ValueProgram): string {
  switch (program.kind) {
    case 'constant':
      return String(program.value);
    case 'bar':
    case 'position':
      return program.fn.name;
    case 'indicator':
      return `${program.fn.name}(${program.args.join(',')})`;
    case 'pointwise':
      return `${program.fn.name}(${program.parts.map(({ key }) => key).join(',')})`;
    case 'window':
      return `${program.fn.name}(${program.a.key};${program.n})`;
    case 'across': {
      const { fn, part, constant, group } = program;
      return `${fn.name}(${[part?.key ?? '', constant, typeof group === 'string' ? group : (group?.key ?? '')].join(';')})`;
    }
    case 'choice':
      return `if(${[program.isTrue, program.x, program.y].map(({ key }) => key).join(';')})`;
    case 'count':
      return `count(${program.part.key};${program.n})`;
    case 'period':
      return `${program.period}(${program.part.key})`;
    case 'pair':
      return `${program.fn.name}('${program.ticker}';${program.n};${program.k})`;
    case 'own': {
      const { column, within, label } = program;
      return `my(${JSON.stringify([column, within, label])})`;
    }
    case 'other':
      return `of('${program.ticker}',${program.part.key})`;
  }
}

export function conditionNode(program: ConditionProgram): Condition {
  const mixes = mixesDimensions(program);
  const parts = partsOfCondition(program);
  return {
    program,
    mixes,
    reach: mixes ? reachOfCondition(program) : 0,
    key: conditionKey(program),
    isOfPosition: parts.some(({ isOfPosition }) => isOfPosition),
    across: acrossOf(parts),
    acrossReach: acrossReach(parts, barsBefore(program)),
    readsUniverse: readsUniverse(program, parts),
    readsOthers: program.kind === 'other' || parts.some(({ readsOthers }) => readsOthers),
    readsColumns: parts.some(({ readsColumns }) => readsColumns),
  };
}

function partsOfCondition(program: ConditionProgram): readonly (Value | Condition)[] {
  switch (program.kind) {
    case 'compare':
      return [program.a, program.b];
    case 'all':
    case 'any':
      return program.parts;
    case 'before':
    case 'forBars':
    case 'withinBars':
    case 'flag':
    case 'other':
      return [program.part];
  }
}

function conditionKey(program: ConditionProgram): string {
  switch (program.kind) {
    case 'compare': {
      const { name, a, b, price } = program;
      return `${name}(${a.key},${b.key}${price === null ? '' : `,${price.key}`})`;
    }
    case 'all':
    case 'any':
      return `${program.kind}(${program.parts.map(({ key }) => key).join(',')})`;
    case 'before':
      return `before(${program.part.key})`;
    case 'forBars':
    case 'withinBars':
      return `${program.kind}(${program.part.key};${program.n})`;
    case 'flag':
      return `flag(${program.part.key};${program.is})`;
    case 'other':
      return `ofCondition('${program.ticker}',${program.part.key})`;
  }
}
