/** Moments of a series of returns, per bar. */

const SQRT_2PI = Math.sqrt(2 * Math.PI);
/** Beyond this many deviations the series below loses digits, and the continued fraction converges fast. */
const SERIES_LIMIT = 3;
/** Beyond this the smaller tail is below the smallest double. */
const LARGEST = 39;

function density(x: number): number {
  return Math.exp(-0.5 * x * x) / SQRT_2PI;
}

/** Φ(x) - ½ for x ≥ 0: φ(x)·(x + x³/3 + x⁵/(3·5) + …), all terms positive (Abramowitz & Stegun 26.2.11). */
function centralArea(x: number): number {
  let term = x;
  let sum = x;
  for (let k = 3; term > sum * Number.EPSILON; k += 2) {
    term *= (x * x) / k;
    sum += term;
  }
  return density(x) * sum;
}

/** 1 - Φ(x) for x > 0: φ(x)/(x + 1/(x + 2/(x + 3/(x + …)))) (Abramowitz & Stegun 26.2.14). */
function upperTail(x: number): number {
  const depth = 150;
  let fraction = x;
  for (let k = depth; k >= 1; k--) fraction = x + k / fraction;
  return density(x) / fraction;
}

/** Φ(x), the probability of a standard normal figure of at most x. */
export function normalCdf(x: number): number {
  if (Number.isNaN(x)) return Number.NaN;
  if (x > LARGEST) return 1;
  if (x < -LARGEST) return 0;
  if (x > SERIES_LIMIT) return 1 - upperTail(x);
  if (x < -SERIES_LIMIT) return upperTail(-x);
  return x >= 0 ? 0.5 + centralArea(x) : 0.5 - centralArea(-x);
}

/**
 * Z(p), the figure that a standard normal one is at most with probability p; infinite for 0 and 1, NaN outside. Pass a
 * probability near 1 as the smaller tail (`-normalQuantile(1 - p)`) where that is known: p itself has lost its digits.
 */
export function normalQuantile(p: number): number {
  if (!(p >= 0 && p <= 1)) return Number.NaN;
  if (p === 0) return Number.NEGATIVE_INFINITY;
  if (p === 0.5) return 0;
  if (p > 0.5) return -normalQuantile(1 - p);
  // Hastings' approximation (Abramowitz & Stegun 26.2.23, to 4.5e-4), then Halley's method, which triples the digits.
  const t = Math.sqrt(-2 * Math.log(p));
  const numerator = 2.515517 + t * (0.802853 + t * 0.010328);
  const denominator = 1 + t * (1.432788 + t * (0.189269 + t * 0.001308));
  let x = numerator / denominator - t;
  for (let step = 0; step < 3; step++) {
    const newton = (normalCdf(x) - p) / density(x);
    x -= newton / (1 + (x * newton) / 2);
  }
  return x;
}

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
