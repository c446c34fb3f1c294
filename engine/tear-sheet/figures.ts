/** Arithmetic that the sections of a tear sheet share. */
import { percentile, TRADING_DAYS_PER_YEAR } from '../indicators/indicators.ts';
import { finiteOrNull } from '../market/figures.ts';

/** A return, a difference, or a deviation of at most this is rounding of sums. */
const NOISE = 1e-12;

/** The figure, or 0 for one that is only rounding. */
export function withoutNoise(figure: number): number {
  return Math.abs(figure) <= NOISE ? 0 : figure;
}

// Loops over indices: those over iterators take ten times as long.
export function sumOf(figures: ArrayLike<number>, from = 0, to = figures.length): number {
  let sum = 0;
  for (let i = from; i < to; i++) sum += figures[i];
  return sum;
}

/** Null for no figures. */
export function meanOf(figures: ArrayLike<number>): number | null {
  return figures.length === 0 ? null : sumOf(figures) / figures.length;
}

/** Sample standard deviation (n - 1); 0 for fewer than two figures. */
export function deviationOf(figures: ArrayLike<number>): number {
  if (figures.length < 2) return 0;
  const mean = sumOf(figures) / figures.length;
  let squares = 0;
  for (let i = 0; i < figures.length; i++) squares += (figures[i] - mean) ** 2;
  return deviationOfSquares(squares, figures.length);
}

/** Sample standard deviation of at least two figures, from the sum of the squares of their deviations from the mean. */
export function deviationOfSquares(squares: number, count: number): number {
  return withoutNoise(Math.sqrt(squares / (count - 1)));
}

/** Null where one of the two is undefined, over 0, and where the ratio overflows. */
export function ratioOf(a: number | null, b: number | null): number | null {
  return a === null || b === null || b === 0 ? null : finiteOrNull(a / b);
}

/** A section of a sheet; null where one of its figures overflows. */
export function finiteSection<T extends object>(section: T | null): T | null {
  return isAllFinite(section) ? section : null;
}

function isAllFinite(value: unknown): boolean {
  if (typeof value === 'number') return Number.isFinite(value);
  return typeof value !== 'object' || value === null || Object.values(value).every(isAllFinite);
}

export function percentOf(fraction: number): number;
export function percentOf(fraction: number | null): number | null;
export function percentOf(fraction: number | null): number | null {
  return fraction === null ? null : 100 * fraction;
}

/** The returns of `from` (included) to `to` (excluded) as one. */
export function compound(returns: Float64Array, from = 0, to = returns.length): number {
  let growth = 1;
  for (let t = from; t < to; t++) growth *= 1 + returns[t];
  return withoutNoise(growth - 1);
}

/** A year of a total return that was made in `sessions`; null where they are too few for it. */
export function annualReturn(total: number, sessions: number, perYear = TRADING_DAYS_PER_YEAR): number | null {
  return finiteOrNull((1 + total) ** (perYear / sessions) - 1);
}

/** Mean ÷ sample deviation, annualized. */
export function sharpeOf(returns: Float64Array, perYear = TRADING_DAYS_PER_YEAR): number | null {
  const ratio = ratioOf(meanOf(returns), deviationOf(returns));
  return ratio === null ? null : ratio * Math.sqrt(perYear);
}

export type Products = ReturnType<typeof productsOf>;

/** Sums of products of the deviations from the means of `from` (included) to `to` (excluded), and the mean of `a`. */
export function productsOf(a: Float64Array, b: Float64Array, from = 0, to = a.length) {
  const meanA = sumOf(a, from, to) / (to - from);
  const meanB = sumOf(b, from, to) / (to - from);
  let ab = 0;
  let aa = 0;
  let bb = 0;
  for (let t = from; t < to; t++) {
    const x = a[t] - meanA;
    const y = b[t] - meanB;
    ab += x * y;
    aa += x * x;
    bb += y * y;
  }
  return { ab, aa, bb, meanA };
}

export interface Percentiles {
  readonly p5: number;
  readonly p25: number;
  readonly p50: number;
  readonly p75: number;
  readonly p95: number;
}

/** Percentiles of figures, which are sorted in place. */
export function percentilesOf(figures: Float64Array): Percentiles {
  figures.sort();
  return {
    p5: percentile(figures, 0.05),
    p25: percentile(figures, 0.25),
    p50: percentile(figures, 0.5),
    p75: percentile(figures, 0.75),
    p95: percentile(figures, 0.95),
  };
}
