/** How values change with the basis of prices and volumes (`market/basis.ts`). */
import { type Dimension, NO_DIMENSION, PRICE, SHARES } from '../market/basis.ts';
import type { ConditionProgram, Indicator, Leaf, Value, ValueDimension, ValueProgram } from './program.ts';

const INDICATORS_WITHOUT: readonly Indicator[] = ['rsi', 'roc', 'volatility'];
const NAMES_WITHOUT: readonly string[] = ['day_of_week', 'month', 'bars_held', 'pnl_pct'];

export function dimensionOf(program: ValueProgram): ValueDimension {
  switch (program.kind) {
    case 'constant':
      return program.value === 0 || Number.isNaN(program.value) ? 'any' : NO_DIMENSION;
    case 'unary':
    case 'window':
      return program.a.dimension;
    case 'binary':
      return dimensionOfBinary(program.name, program.a.dimension, program.b.dimension);
    default:
      return dimensionOfLeaf(program);
  }
}

function dimensionOfLeaf({ kind, name }: Leaf): Dimension {
  if (name === 'volume') return SHARES;
  const isWithout = kind === 'indicator' ? INDICATORS_WITHOUT.includes(name) : NAMES_WITHOUT.includes(name);
  return isWithout ? NO_DIMENSION : PRICE;
}

function dimensionOfBinary(name: string, a: ValueDimension, b: ValueDimension): ValueDimension {
  if (a === null || b === null) return null;
  if (name === '*' || name === '/') {
    if (a === 'any' || b === 'any') return 'any';
    const sign = name === '*' ? 1 : -1;
    return { price: a.price + sign * b.price, shares: a.shares + sign * b.shares };
  }
  if (!areAlike(a, b)) return null;
  return a === 'any' ? b : a;
}

/** Whether two values change alike, so that their comparison is the same on every basis. */
function areAlike(a: ValueDimension, b: ValueDimension): boolean {
  if (a === null || b === null) return false;
  return a === 'any' || b === 'any' || (a.price === b.price && a.shares === b.shares);
}

/** Whether a condition has to be looked at on the basis of each bar. */
export function mixesDimensions(program: ConditionProgram): boolean {
  switch (program.kind) {
    case 'compare':
      return !areAlike(program.a.dimension, program.b.dimension);
    case 'all':
    case 'any':
      return program.parts.some(({ mixes }) => mixes);
    default:
      return program.part.mixes;
  }
}

/** Bars before that a mixed value reads of what is mixed in it. */
export function reachOfValue(program: ValueProgram, parts: readonly Value[]): number {
  const before = program.kind === 'window' ? program.n - (program.name === 'lag' ? 0 : 1) : 0;
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
    default:
      return program.part.reach + program.n - 1;
  }
}
