/** The smallest and the largest weight of a name. */

export interface Bounds {
  readonly min: number;
  readonly max: number;
}

/** Whether weights within the bounds can sum to 1. */
export function canBeMet({ min, max }: Bounds, names: number): boolean {
  return names * min <= 1 && names * max >= 1;
}

/**
 * Cuts weights to the maximum. What is cut goes to the others in proportion, until none is above it; what no name can take is
 * cash.
 */
export function cutToMaximum(weights: Float64Array, max: number): Float64Array {
  let out = weights;
  let excess = excessOf(out, max);
  while (excess > 0) {
    const room = out.reduce((sum, weight) => sum + (weight < max ? weight : 0), 0);
    const factor = room > 0 ? 1 + excess / room : 0;
    out = out.map((weight) => (weight < max ? weight * factor : max));
    excess = room > 0 ? excessOf(out, max) : 0;
  }
  return out;
}

function excessOf(weights: Float64Array, max: number): number {
  let excess = 0;
  for (const weight of weights) if (weight > max) excess += weight - max;
  return excess;
}
