/** The order of members by their scores. */
import { roundedForOrder } from '../indicators/ties.ts';

export type RankOrder = 'asc' | 'desc';

/** The members with a score, best first. Scores that differ by rounding noise are equal; equal ones are in the order of the members. */
export function rankedMembers(score: Float64Array, order: RankOrder): Int32Array {
  const rounded = roundedForOrder(score);
  const scored = Int32Array.from(score.keys()).filter((member) => !Number.isNaN(rounded[member]));
  const sign = order === 'asc' ? 1 : -1;
  return scored.sort((a, b) => sign * (rounded[a] - rounded[b]) || a - b);
}
