/** Moments of a series of returns, per bar. */
import { normalCdf, normalQuantile } from './normal.ts';

export interface Moments {
  readonly count: number;
  readonly mean: number;
  /** Sample standard deviation (n - 1). */
  readonly stdev: number;
  /** m3/m2^1.5 and m4/m2², of the population's central moments; kurtosis is raw: 3 for a normal distribution. */
  readonly skewness: number;
  readonly kurtosis: number;
  /** mean/stdev, per bar, not annualized. */
  readonly sharpe: number;
}

/** Null for fewer than 2 returns, for returns that are all equal, and where a moment overflows: they have no Sharpe ratio. */
export function momentsOf(returns: Float64Array): Moments | null {
  const count = returns.length;
  if (count < 2 || returns.every((r) => r === returns[0])) return null;
  let sum = 0;
  for (let t = 0; t < count; t++) sum += returns[t];
  const mean = sum / count;
  let [squares, cubes, fourths] = [0, 0, 0];
  for (let t = 0; t < count; t++) {
    const e = returns[t] - mean;
    const square = e * e;
    squares += square;
    cubes += square * e;
    fourths += square * square;
  }
  const variance = squares / count;
  const stdev = Math.sqrt(squares / (count - 1));
  const moments = {
    count,
    mean,
    stdev,
    skewness: cubes / count / variance ** 1.5,
    kurtosis: fourths / count / variance ** 2,
    sharpe: mean / stdev,
  };
  return Object.values(moments).every(Number.isFinite) ? moments : null;
}

/** The Sharpe ratio of a sample from its size, sum and sum of squares; 0 without deviation. */
export function sharpeOfSums(count: number, sum: number, squares: number): number {
  const mean = sum / count;
  const variance = (squares - sum * mean) / (count - 1);
  return variance > 0 ? mean / Math.sqrt(variance) : 0;
}

/** Simple returns of an equity curve, the first of them on `initial`; from an equity of 0 the return is 0. */
export function returnsOf(
  equity: Float64Array,
  initial: number,
  out: Float64Array = new Float64Array(equity.length),
): Float64Array {
  let before = initial;
  for (let t = 0; t < equity.length; t++) {
    out[t] = before === 0 ? 0 : equity[t] / before - 1;
    before = equity[t];
  }
  return out;
}

const CONFIDENCE = 0.95;

/** Inputs of the standard error of a Sharpe ratio (Bailey & López de Prado 2012). */
export type SharpeMoments = Pick<Moments, 'count' | 'sharpe' | 'skewness' | 'kurtosis'>;

/** 1 - γ3·SR + (γ4 - 1)/4·SR²: by how much skewness and tails widen the error of a Sharpe ratio. */
function errorSpread({ sharpe, skewness, kurtosis }: Pick<Moments, 'sharpe' | 'skewness' | 'kurtosis'>): number {
  return 1 - skewness * sharpe + ((kurtosis - 1) / 4) * sharpe * sharpe;
}

/** Probabilistic Sharpe ratio: the probability that the true ratio is above `benchmark`, per bar. Null where its error is not defined. */
export function probabilisticSharpe(moments: SharpeMoments, benchmark: number): number | null {
  const root = Math.sqrt(errorSpread(moments));
  if (!(root > 0)) return null;
  return normalCdf(((moments.sharpe - benchmark) * Math.sqrt(moments.count - 1)) / root);
}

/** Minimum track record length, bars; null where the ratio is not above `benchmark`. */
export function minTrackRecord(moments: Omit<SharpeMoments, 'count'>, benchmark: number): number | null {
  if (moments.sharpe <= benchmark) return null;
  return 1 + errorSpread(moments) * (normalQuantile(CONFIDENCE) / (moments.sharpe - benchmark)) ** 2;
}
