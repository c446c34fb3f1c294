/** Dimensions of values that are made of others (`market/basis.ts`). */
import type { Dimension } from '../../market/basis.ts';

/** `any`: 0 or undefined on every basis. Null: the value mixes dimensions. */
export type ValueDimension = Dimension | 'any' | null;

/** Whether two values change alike, so that their comparison is the same on every basis. */
export function areAlike(a: ValueDimension, b: ValueDimension): boolean {
  if (a === null || b === null) return false;
  return a === 'any' || b === 'any' || (a.price === b.price && a.shares === b.shares);
}

/** The dimension of a value that keeps the dimension of its parts, which are one or two. */
export function dimensionKept([a, b = a]: readonly ValueDimension[]): ValueDimension {
  if (!areAlike(a, b)) return null;
  return a === 'any' ? b : a;
}

/** The dimension of a product or, with `sign` -1, of a quotient. */
export function dimensionMultiplied([a, b]: readonly ValueDimension[], sign: 1 | -1): ValueDimension {
  if (a === null || b === null) return null;
  if (a === 'any' || b === 'any') return 'any';
  return { price: a.price + sign * b.price, shares: a.shares + sign * b.shares };
}
