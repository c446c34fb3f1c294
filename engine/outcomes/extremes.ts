/** The hits after which most and least happened. */
import { type Compare, compared, excessIn, type Returns } from './returns.ts';

const MOST = 20;

export interface Extreme {
  readonly row: number;
  readonly member: number;
  readonly value: number;
  readonly excess: number | null;
}

/** The largest and the smallest excesses (without comparison: returns), at most one of an instrument within a horizon. */
export function extremesOf(
  returns: Returns,
  horizon: number,
  compare: Compare,
): { readonly best: Extreme[]; readonly worst: Extreme[] } {
  const outcomes = compare === 'none' ? returns.outcomes(horizon) : compared(returns.outcomes(horizon));
  const rows = outcomes.map((one) => ({
    one,
    figure: Number((compare === 'none' ? one.value : excessIn(one)).toPrecision(12)),
  }));
  const pick = (sign: 1 | -1) => {
    const ordered = rows.toSorted(
      (x, y) => sign * (y.figure - x.figure) || x.one.hit.row - y.one.hit.row || x.one.hit.member - y.one.hit.member,
    );
    const taken: Extreme[] = [];
    for (const { one } of ordered) {
      const { row, member } = one.hit;
      if (taken.length === MOST) break;
      if (taken.some((other) => other.member === member && Math.abs(other.row - row) < horizon)) continue;
      taken.push({ row, member, value: one.value, excess: compare === 'none' ? null : excessIn(one) });
    }
    return taken;
  };
  return { best: pick(1), worst: pick(-1) };
}
