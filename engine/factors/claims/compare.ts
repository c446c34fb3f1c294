/** Monthly returns of a claim beside those that somebody else has computed. */
import { meanOfAll } from '../series-figures.ts';

export interface ReturnComparison {
  /** Months that both have. */
  readonly months: number;
  /** Pearson's; null, like the slope, below three months and where a side does not vary. */
  readonly correlation: number | null;
  /** The slope of ours on theirs, by least squares. */
  readonly slope: number | null;
  readonly ours: number | null;
  readonly theirs: number | null;
}

/** Returns by month, `YYYY-MM`, in one unit. */
export function compareReturns(
  ours: ReadonlyMap<string, number>,
  theirs: ReadonlyMap<string, number>,
): ReturnComparison {
  const pairs = [...ours].flatMap(([month, own]) => {
    const other = theirs.get(month);
    return other === undefined ? [] : [{ own, other }];
  });
  const months = pairs.length;
  if (months === 0) return { months, correlation: null, slope: null, ours: null, theirs: null };
  const [own, other] = [meanOfAll(pairs.map((one) => one.own)), meanOfAll(pairs.map((one) => one.other))];
  let [xx, yy, xy] = [0, 0, 0];
  for (const pair of pairs) {
    const [x, y] = [pair.other - other, pair.own - own];
    xx += x * x;
    yy += y * y;
    xy += x * y;
  }
  const isDefined = months >= 3 && xx > 0 && yy > 0;
  return {
    months,
    correlation: isDefined ? xy / Math.sqrt(xx * yy) : null,
    slope: isDefined ? xy / xx : null,
    ours: own,
    theirs: other,
  };
}
