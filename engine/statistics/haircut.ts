/**
 * The haircut of the Sharpe ratio of the best of many tests (Harvey & Liu 2015): its p-value is raised for the number of tests, and
 * turned back into a ratio. A run has so many bars that the normal distribution stands for Student's.
 */
import { normalCdf, normalQuantile } from './moments.ts';

export interface Haircut {
  /** Tests: the combinations of the search. */
  readonly tests: number;
  /** Two-sided p-value of the best alone. */
  readonly p: number;
  /** The p-value for all tests, and the Sharpe ratio per bar that has it alone. */
  readonly bonferroni: AdjustedSharpe;
  readonly holm: AdjustedSharpe;
  readonly bhy: AdjustedSharpe;
}

export interface AdjustedSharpe {
  readonly p: number;
  readonly sharpe: number;
}

function pValueOf(sharpe: number, bars: number): number {
  return 2 * normalCdf(-Math.abs(sharpe) * Math.sqrt(bars));
}

/** P-values by size, each raised so that no test errs more often than stated (Holm 1979). */
export function holmOf(sorted: Float64Array): Float64Array {
  let most = 0;
  return sorted.map((p, i) => {
    most = Math.max(most, Math.min(1, (sorted.length - i) * p));
    return most;
  });
}

/** P-values by size, each raised so that few of the findings are false (Benjamini, Hochberg & Yekutieli 2001). */
export function bhyOf(sorted: Float64Array): Float64Array {
  const tests = sorted.length;
  let harmonic = 0;
  for (let i = 1; i <= tests; i++) harmonic += 1 / i;
  const adjusted = new Float64Array(tests);
  let least = 1;
  for (let i = tests - 1; i >= 0; i--) {
    least = Math.min(least, (sorted[i] * tests * harmonic) / (i + 1));
    adjusted[i] = least;
  }
  return adjusted;
}

/** `best`: one of the Sharpe ratios per bar of all combinations. Null unless it is above 0. */
export function haircutOf(best: number, sharpes: Float64Array, bars: number): Haircut | null {
  if (!(best > 0)) return null;
  const p = pValueOf(best, bars);
  const sorted = sharpes.map((sharpe) => pValueOf(sharpe, bars)).sort();
  const place = Math.max(0, sorted.indexOf(p));
  const adjusted = (raised: number): AdjustedSharpe => ({
    p: raised,
    // A p-value below the smallest double has no quantile.
    sharpe: raised === 0 ? best : Math.abs(normalQuantile(Math.min(raised, 1) / 2)) / Math.sqrt(bars),
  });
  return {
    tests: sharpes.length,
    p,
    bonferroni: adjusted(Math.min(1, p * sharpes.length)),
    holm: adjusted(holmOf(sorted)[place]),
    bhy: adjusted(bhyOf(sorted)[place]),
  };
}
