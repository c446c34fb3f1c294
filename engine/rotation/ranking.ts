/** The order of members by their scores. */
import { orderOf, roundedForOrder } from '../indicators/ties.ts';

export type RankOrder = 'asc' | 'desc';

/**
 * The members with a score, best first; `count`: only so many. Scores that differ by rounding noise are equal; equal ones are in the
 * order of the members.
 */
export function rankedMembers(score: Float64Array, order: RankOrder, count?: number): Int32Array {
  return orderOf(roundedForOrder(score), order === 'asc' ? 1 : -1, count);
}

/** How many members have a score. */
export function countScored(score: Float64Array): number {
  return score.reduce((count, value) => (Number.isNaN(value) ? count : count + 1), 0);
}
