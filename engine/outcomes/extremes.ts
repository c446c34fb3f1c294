/** The hits after which most and least happened. */
import { required } from '../util/values.ts';
import type { Returns } from './returns.ts';

const MOST = 20;
/** Candidates that are put in order first; more if too many of them are of the same instruments. */
const CANDIDATES = 1_000;

export interface Extreme {
  readonly row: number;
  readonly member: number;
  readonly value: number;
  readonly excess: number | null;
}

/** The largest and the smallest excesses (without comparison: returns), at most one of an instrument within a horizon. */
export function extremesOf(
  { found: { rows, members }, horizons, compare }: Returns,
  horizon: number,
): { readonly best: Extreme[]; readonly worst: Extreme[] } {
  const { values, others } = required(horizons.get(horizon), 'the returns of a horizon');
  const excessOf = (hit: number) => values[hit] - others[hit];
  const figures = values.map((value, hit) => Number((compare === 'none' ? value : excessOf(hit)).toPrecision(12)));
  const sorted = figures.filter((figure) => !Number.isNaN(figure)).sort();

  const pickAmong = (count: number, sign: 1 | -1): Extreme[] => {
    const bound = sign === 1 ? sorted[sorted.length - count] : sorted[count - 1];
    const among = [...figures.keys()].filter((hit) => sign * (figures[hit] - bound) >= 0);
    // Hits are in the order of ties already.
    const taken: number[] = [];
    for (const hit of among.sort((a, b) => sign * (figures[b] - figures[a]))) {
      if (taken.length === MOST) break;
      const isNear = (other: number) => members[other] === members[hit] && Math.abs(rows[other] - rows[hit]) < horizon;
      if (!taken.some(isNear)) taken.push(hit);
    }
    if (taken.length < MOST && count < sorted.length) return pickAmong(Math.min(sorted.length, 10 * count), sign);
    return taken.map((hit) => ({
      row: rows[hit],
      member: members[hit],
      value: values[hit],
      excess: compare === 'none' ? null : excessOf(hit),
    }));
  };
  const pick = (sign: 1 | -1) => (sorted.length === 0 ? [] : pickAmong(Math.min(sorted.length, CANDIDATES), sign));
  return { best: pick(1), worst: pick(-1) };
}
