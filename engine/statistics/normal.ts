/** The standard normal distribution, to 1e-15: its function and the inverse of it. */

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
