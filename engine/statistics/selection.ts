/** The Sharpe ratio of the best of many trials, deflated by their number. */
import { TRADING_DAYS_PER_YEAR } from '../indicators/indicators.ts';
import { momentsOf, normalCdf, normalQuantile, probabilisticSharpe, type SharpeMoments } from './moments.ts';

/** Euler's constant. */
const EULER = 0.5772156649015329;

/**
 * The largest of `trials` Sharpe ratios that is to be expected where no trial has any skill, in standard deviations of the
 * trials (Bailey & López de Prado 2014); 0 for one trial.
 */
export function expectedMaximum(trials: number): number {
  if (trials <= 1) return 0;
  return -(1 - EULER) * normalQuantile(1 / trials) - EULER * normalQuantile(1 / (trials * Math.E));
}

export interface Selection {
  /** Distinct combinations of parameters behind the figure. */
  readonly trials: number;
  readonly emax: number;
  /** Years that the best must last to be more than the luckiest of its trials; null where it did not gain. */
  readonly minBacktestYears: number | null;
}

/** `best`: of the run, or of the best of a search; null where it has no Sharpe ratio. */
export function selectionOf(
  trials: number,
  best: Pick<SharpeMoments, 'sharpe'> | null,
  perYear = TRADING_DAYS_PER_YEAR,
): Selection {
  const emax = expectedMaximum(trials);
  const gained = best !== null && best.sharpe > 0;
  return {
    trials,
    emax,
    minBacktestYears: gained ? (emax / best.sharpe) ** 2 / perYear : null,
  };
}

/** Figures that a search adds. */
export interface Deflation {
  /** The Sharpe ratio per bar that the best would have by luck alone; null if it cannot be computed. */
  readonly hurdle: number | null;
  /** Deflated Sharpe ratio: the probability that the best's true ratio is above the hurdle. */
  readonly dsr: number | null;
}

/** Sample standard deviation of Sharpe ratios; null for fewer than two. */
export function spreadOf(sharpes: Float64Array): number | null {
  return sharpes.length < 2 ? null : (momentsOf(sharpes)?.stdev ?? 0);
}

/**
 * `spread`: of the Sharpe ratios of all combinations of the search over the whole range, per bar (0 where a combination has
 * none); null for a search of one combination.
 */
export function deflationOf(trials: number, spread: number | null, best: SharpeMoments | null): Deflation {
  if (best === null) return { hurdle: null, dsr: null };
  const hurdle = hurdleOf(trials, spread);
  return { hurdle, dsr: hurdle === null ? null : probabilisticSharpe(best, hurdle) };
}

/** The deflated appraisal ratio: what the best earned beyond the market. `spread`: of the appraisal ratios; null as above. */
export function skillDeflationOf(trials: number, spread: number | null, appraisal: SharpeMoments | null): Deflation {
  const hurdle = hurdleOf(trials, spread);
  return { hurdle, dsr: hurdle === null ? null : appraisal && probabilisticSharpe(appraisal, hurdle) };
}

function hurdleOf(trials: number, spread: number | null): number | null {
  if (trials <= 1) return 0;
  return spread === null ? null : spread * expectedMaximum(trials);
}

/** Sums over runs of one account, from which a hurdle over all of them is computed. */
export interface RunTally {
  /** Runs, cells of sweeps, and combinations of searches. */
  readonly runs: number;
  /** Trials with something beyond the market, the sum of their appraisal ratios per bar × √bars, and the sum of the squares. */
  readonly measured: number;
  readonly sum: number;
  readonly squares: number;
}

/** `appraisals`: per bar, NaN where nothing is left beyond the market. */
export function tallyOf(appraisals: ArrayLike<number>, bars: number): RunTally {
  let [measured, sum, squares] = [0, 0, 0];
  for (let i = 0; i < appraisals.length; i++) {
    if (!Number.isFinite(appraisals[i])) continue;
    const t = appraisals[i] * Math.sqrt(bars);
    measured++;
    sum += t;
    squares += t * t;
  }
  return { runs: appraisals.length, measured, sum, squares };
}

export interface AccountSelection extends Deflation {
  readonly runs: number;
  readonly emax: number;
}

/** The hurdle for one of all runs of an account. `bars`: of this run; `appraisal`: of what it earned beyond the market. */
export function accountSelectionOf(
  { runs, measured, sum, squares }: RunTally,
  bars: number,
  appraisal: SharpeMoments | null,
): AccountSelection {
  const emax = expectedMaximum(runs);
  if (measured < 2) return { runs, emax, hurdle: null, dsr: null };
  const spread = Math.sqrt(Math.max(0, squares - (sum * sum) / measured) / (measured - 1));
  const hurdle = (spread / Math.sqrt(bars)) * emax;
  return { runs, emax, hurdle, dsr: appraisal && probabilisticSharpe(appraisal, hurdle) };
}

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
