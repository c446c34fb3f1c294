/** Figures of a series of one value a session, such as an information coefficient or a spread. */
import { momentsOf } from '../statistics/moments.ts';

/** A long-run variance of at most this share of the plain one is rounding. */
const NOISE = 1e-12;

export interface SeriesFigures {
  /** How many values are defined. */
  readonly sessions: number;
  readonly mean: number | null;
  /** Sample standard deviation. */
  readonly sd: number | null;
  /** Student's t of the mean, as if values did not overlap. */
  readonly t: number | null;
  /** With the covariances of values that overlap (Hansen & Hodrick 1980). */
  readonly tOverlap: number | null;
}

/** `values`: NaN where undefined. `overlap`: values so many places apart share a part of their horizon. */
export function figuresOf(values: Float64Array, overlap: number): SeriesFigures {
  const defined = values.filter((value) => !Number.isNaN(value));
  const sessions = defined.length;
  if (sessions === 0) return { sessions, mean: null, sd: null, t: null, tOverlap: null };
  const mean = meanOfAll(defined);
  if (sessions === 1) return { sessions, mean, sd: null, t: null, tOverlap: null };
  const sd = momentsOf(defined)?.stdev ?? 0;
  if (sd === 0) return { sessions, mean, sd, t: null, tOverlap: null };
  const variance = longRunVariance(defined, mean, overlap);
  return {
    sessions,
    mean,
    sd,
    t: mean / (sd / Math.sqrt(sessions)),
    tOverlap: variance === null ? null : mean / Math.sqrt(variance / sessions),
  };
}

/** Equal weights to a lag, or, where that is no variance, falling ones to twice as far (Newey & West 1987). */
function longRunVariance(values: Float64Array, mean: number, lag: number): number | null {
  const covarianceAt = (distance: number) => {
    let sum = 0;
    for (let t = distance; t < values.length; t++) sum += (values[t] - mean) * (values[t - distance] - mean);
    return sum / values.length;
  };
  const own = covarianceAt(0);
  const weighted = (lags: number, weight: (distance: number) => number) => {
    let sum = own;
    for (let distance = 1; distance <= lags; distance++) sum += 2 * weight(distance) * covarianceAt(distance);
    return sum;
  };
  const equal = weighted(lag, () => 1);
  if (equal > NOISE * own) return equal;
  const most = 2 * lag + 1;
  const falling = weighted(most, (distance) => 1 - distance / (most + 1));
  return falling > NOISE * own ? falling : null;
}

/** NaN for none. */
export function meanOfAll(values: ArrayLike<number>): number {
  let sum = 0;
  for (let i = 0; i < values.length; i++) sum += values[i];
  return sum / values.length;
}
