/** Moments of a series of returns, per bar. */

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
