/** Student's distribution. */

/** Relative error of the continued fraction. */
const PRECISION = 1e-15;
const MOST_STEPS = 10_000;
const TINY = 1e-300;

/** Lanczos coefficients (g = 7, n = 9). */
const LANCZOS: readonly number[] = [
  0.99999999999980993, 676.5203681218851, -1259.1392167224028, 771.32342877765313, -176.61502916214059,
  12.507343278686905, -0.13857109526572012, 9.9843695780195716e-6, 1.5056327351493116e-7,
];

function logGamma(x: number): number {
  const [first, ...rest] = LANCZOS;
  const base = x + 6.5;
  const sum = rest.reduce((total, coefficient, i) => total + coefficient / (x + i), first);
  return (x - 0.5) * Math.log(base) - base + Math.log(Math.sqrt(2 * Math.PI) * sum);
}

/** Regularized incomplete beta function, by its continued fraction (modified Lentz). */
function incompleteBeta(x: number, a: number, b: number): number {
  if (x <= 0 || x >= 1) return x <= 0 ? 0 : 1;
  if (x > (a + 1) / (a + b + 2)) return 1 - incompleteBeta(1 - x, b, a);
  const front = Math.exp(logGamma(a + b) - logGamma(a) - logGamma(b) + a * Math.log(x) + b * Math.log1p(-x)) / a;
  let c = 1;
  let d = notZero(1 - ((a + b) * x) / (a + 1));
  d = 1 / d;
  let fraction = d;
  for (let m = 1; m <= MOST_STEPS; m++) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m));
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1));
    let change = 1;
    for (const term of [even, odd]) {
      d = 1 / notZero(1 + term * d);
      c = notZero(1 + term / c);
      change = d * c;
      fraction *= change;
    }
    if (Math.abs(change - 1) < PRECISION) break;
  }
  return front * fraction;
}

const notZero = (value: number) => (Math.abs(value) < TINY ? TINY : value);

/** Two-sided probability of a t at least as far from 0. */
export function studentP(t: number, degrees: number): number {
  return incompleteBeta(degrees / (degrees + t * t), degrees / 2, 0.5);
}
