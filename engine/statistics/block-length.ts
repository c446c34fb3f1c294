/**
 * The mean block length of a stationary bootstrap that suits a series (Politis & White 2004, corrected by Patton, Politis &
 * White 2009).
 */

/** `lags` + 1 autocovariances (÷ T) of a series, lag 0 first. */
function autocovariances(series: Float64Array, lags: number): Float64Array {
  const count = series.length;
  let sum = 0;
  for (let t = 0; t < count; t++) sum += series[t];
  const mean = sum / count;
  const errors = series.map((value) => value - mean);
  const covariances = new Float64Array(lags + 1);
  for (let k = 0; k <= lags; k++) {
    let products = 0;
    for (let t = 0; t + k < count; t++) products += errors[t] * errors[t + k];
    covariances[k] = products / count;
  }
  return covariances;
}

/** The first lag from which on `run` autocorrelations lie within `bound`; null: there is none. */
function firstQuietLag(covariances: Float64Array, run: number, last: number, bound: number): number | null {
  let quiet = 0;
  for (let k = 1; k < covariances.length; k++) {
    quiet = Math.abs(covariances[k] / covariances[0]) < bound ? quiet + 1 : 0;
    if (quiet === run) return k - run + 1 <= last ? k - run + 1 : null;
  }
  return null;
}

/** Bars, at least 1. */
export function meanBlockLength(series: Float64Array): number {
  const count = series.length;
  const run = Math.max(5, Math.floor(Math.log10(count)));
  const longest = Math.ceil(Math.sqrt(count)) + run;
  const covariances = autocovariances(series, longest);
  if (covariances[0] === 0) return 1;
  const bound = 2 * Math.sqrt(Math.log10(count) / count);
  const quiet = firstQuietLag(covariances, run, longest - run, bound);
  const bandwidth = quiet === null ? longest : Math.min(2 * quiet, longest);
  let weighted = 0;
  let spectrum = covariances[0];
  for (let k = 1; k <= bandwidth; k++) {
    const weight = k / bandwidth <= 0.5 ? 1 : 2 * (1 - k / bandwidth);
    weighted += 2 * weight * k * covariances[k];
    spectrum += 2 * weight * covariances[k];
  }
  if (spectrum === 0) return 1;
  const length = Math.cbrt((weighted * weighted * count) / (spectrum * spectrum));
  return Math.max(1, Math.min(length, Math.ceil(Math.min(3 * Math.sqrt(count), count / 3))));
}
