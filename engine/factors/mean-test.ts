/** The mean of a monthly series, tested with errors that hold under heteroscedasticity and autocorrelation (Newey & West 1987). */
import { deviationOf, meanOf, ratioOf } from '../tear-sheet/figures.ts';
import { lagOf, longRunProducts } from '../tear-sheet/regression.ts';

/** The 95th percentile of a standard normal figure, as it is told. */
export const NORMAL_95 = 1.6449;

export interface MeanTest {
  readonly months: number;
  readonly mean: number | null;
  readonly sd: number | null;
  /** mean ÷ (sd ÷ √months). */
  readonly t: number | null;
  readonly t_nw: number | null;
  readonly lag: number;
  /** 90 %, from the error of Newey and West. */
  readonly interval: readonly [low: number, high: number] | null;
}

/** `hold`: months that each cohort is held, whose returns overlap. */
export function testMean(returns: Float64Array, hold: number): MeanTest {
  const months = returns.length;
  const mean = meanOf(returns);
  const lag = Math.max(lagOf(months), hold - 1);
  if (mean === null || months < 2) return { months, mean, sd: null, t: null, t_nw: null, lag, interval: null };
  const sd = deviationOf(returns);
  const [[products]] = longRunProducts([returns.map((r) => r - mean)], lag);
  const error = sd === 0 ? 0 : Math.sqrt(Math.max(0, products)) / months;
  return {
    months,
    mean,
    sd,
    t: ratioOf(mean, sd / Math.sqrt(months)),
    t_nw: ratioOf(mean, error),
    lag,
    interval: [mean - NORMAL_95 * error, mean + NORMAL_95 * error],
  };
}
