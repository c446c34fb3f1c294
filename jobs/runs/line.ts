/** A few points of the equity of a run, for the small lines of lists. */

/** Points of a line. */
const POINTS = 32;

/**
 * Equity at equal steps from the first session to the last, as multiples of the first. `rows`: a JSON array of flat objects with `equity`,
 * as it is stored; only the rows that are taken are parsed.
 */
export function lineOf(rows: Buffer): number[] {
  const last = rows.lastIndexOf('{');
  if (last === -1) return [];
  const starts = Array.from({ length: POINTS }, (_, i) => rows.lastIndexOf('{', (i * last) / (POINTS - 1) || 1));
  const taken = [...new Set(starts)].filter((start) => start !== -1);
  const equity = taken.map((start) => JSON.parse(rows.toString('utf8', start, rows.indexOf('}', start) + 1)).equity);
  return equity[0] > 0 ? equity.map((value) => value / equity[0]) : [];
}
