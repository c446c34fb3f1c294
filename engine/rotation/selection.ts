/** The names that a rotation is to hold from a session on. */
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

export const TOP_RANGE = { min: 1, max: 500 } as const;

/** A number of names, or a percentage of those with a score. */
export type NameCount = { readonly top: number } | { readonly topPct: number };

export interface Selection {
  readonly order: RankOrder;
  readonly hold: NameCount;
  /** Names that are held stay while they rank within it; never fewer than `hold`. */
  readonly keep: NameCount | null;
}

/** Digits of a percentage of a count: 7 % of 100 names is 7.000000000000001 in doubles. */
const DIGITS = 12;

export function countOf(count: NameCount, scored: number): number {
  return 'top' in count ? count.top : Math.ceil(Number((count.topPct * scored).toPrecision(DIGITS)) / 100);
}

export interface TargetSet {
  readonly scored: number;
  /** Members, in their order. */
  readonly names: readonly number[];
}

/** Held names that rank within `keep`, best first, then the best others. Scores are NaN for members that cannot be chosen. */
export function targetSet(score: Float64Array, isHeld: (member: number) => boolean, selection: Selection): TargetSet {
  const scored = countScored(score);
  const hold = countOf(selection.hold, scored);
  const keep = selection.keep === null ? hold : Math.max(hold, countOf(selection.keep, scored));
  const ranked = rankedMembers(score, selection.order, keep);
  const staying = [...ranked].filter(isHeld).slice(0, hold);
  const chosen = new Set(staying);
  for (const member of ranked) {
    if (chosen.size >= hold) break;
    chosen.add(member);
  }
  return { scored, names: [...chosen].sort((a, b) => a - b) };
}
