/**
 * The Sharpe ratio of returns that follow each other: its error where returns are an autoregression of order 1 and are not normal
 * (López de Prado, Lipton & Zoonekynd 2025, "How to Use the Sharpe Ratio"). Ratios are per period.
 */
import { type Moments, normalCdf, normalQuantile } from './moments.ts';

const ERROR = 0.05;

export interface SerialMoments extends Omit<Moments, 'mean' | 'stdev'> {
  /** First autocorrelation of the returns. */
  readonly rho: number;
}

/** Σ e[t]·e[t-1] ÷ Σ e[t]², e the returns less their mean: always between -1 and 1. */
export function firstAutocorrelation(returns: Float64Array, { mean }: Pick<Moments, 'mean'>): number {
  let [products, squares] = [0, 0];
  for (let t = 0; t < returns.length; t++) {
    const e = returns[t] - mean;
    if (t > 0) products += e * (returns[t - 1] - mean);
    squares += e * e;
  }
  return products / squares;
}

/**
 * The variance of the estimate of a true ratio `sharpe` from `count` returns: (a - b·γ3·SR + c·(γ4 - 1)/4·SR²) ÷ T with
 * a = (1 + ρ)/(1 - ρ), b = 1 + ρ/(1 - ρ) + ρ²/(1 - ρ²), c = (1 + ρ²)/(1 - ρ²). Null where it is not above 0.
 */
export function serialVariance(
  sharpe: number,
  { count, skewness, kurtosis, rho }: Omit<SerialMoments, 'sharpe'>,
): number | null {
  const square = rho ** 2 / (1 - rho ** 2);
  const a = (1 + rho) / (1 - rho);
  const b = 1 + rho / (1 - rho) + square;
  const c = 1 + 2 * square;
  const variance = (a - b * skewness * sharpe + ((c * (kurtosis - 1)) / 4) * sharpe ** 2) / count;
  return variance > 0 ? variance : null;
}

/** The probability that a ratio of at most that of `moments` is estimated where the true one is `truth`. */
export function serialPsr(moments: SerialMoments, truth: number): number | null {
  const variance = serialVariance(truth, moments);
  return variance === null ? null : normalCdf((moments.sharpe - truth) / Math.sqrt(variance));
}

/** Periods from which on the ratio is above `truth` with 95 % confidence; not rounded. Null where it is not above. */
export function serialTrackRecord(moments: SerialMoments, truth: number): number | null {
  const variance = serialVariance(truth, { ...moments, count: 1 });
  if (variance === null || moments.sharpe <= truth) return null;
  return variance * (normalQuantile(ERROR) / (moments.sharpe - truth)) ** 2;
}

/** The ratio above which an estimate rejects `truth` at 5 %. */
export function criticalSharpe(moments: Omit<SerialMoments, 'sharpe'>, truth: number): number | null {
  const variance = serialVariance(truth, moments);
  return variance === null ? null : truth - normalQuantile(ERROR) * Math.sqrt(variance);
}

/** How often a true ratio `alternative` is found to be above `truth` at 5 %. */
export function sharpePower(moments: Omit<SerialMoments, 'sharpe'>, truth: number, alternative: number): number | null {
  const critical = criticalSharpe(moments, truth);
  const variance = serialVariance(alternative, moments);
  if (critical === null || variance === null) return null;
  return normalCdf((alternative - critical) / Math.sqrt(variance));
}

/**
 * Observed false discovery rate: the probability that the true ratio is `truth` and not `alternative`, of which a share `prior` of all
 * streams has the latter, where the estimate is at least that of `moments`.
 */
export function observedFdr(moments: SerialMoments, truth: number, alternative: number, prior: number): number | null {
  const variances = [truth, alternative].map((sharpe) => serialVariance(sharpe, moments));
  const [byLuck, bySkill] = variances.map((variance, i) =>
    // The upper tail, which has all its digits where the distribution function is 1.
    variance === null ? null : normalCdf(([truth, alternative][i] - moments.sharpe) / Math.sqrt(variance)),
  );
  if (byLuck === null || bySkill === null) return null;
  const share = (byLuck * (1 - prior)) / (byLuck * (1 - prior) + bySkill * prior);
  return Number.isNaN(share) ? null : share;
}
