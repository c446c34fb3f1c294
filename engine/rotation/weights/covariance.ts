/** Covariances of simple returns. */
import { CholeskyDecomposition, EigenvalueDecomposition, Matrix } from 'ml-matrix';

export const COVARIANCES = ['sample', 'ledoit_wolf'] as const;
export type CovarianceMethod = (typeof COVARIANCES)[number];

/** One column per name, one return per session. */
export type Returns = readonly Float64Array[];

/** `sample` divides by n - 1; `ledoit_wolf` by n, and shrinks towards a multiple of the identity (Ledoit & Wolf 2004). */
export function covarianceOf(method: CovarianceMethod, returns: Returns): Matrix {
  const centered = returns.map(withoutMean);
  const sessions = returns[0].length;
  return method === 'sample' ? products(centered, sessions - 1) : shrunk(products(centered, sessions), centered);
}

/** A smallest eigenvalue of at most this share of the largest is rounding. */
const SMALLEST_EIGENVALUE = 1e-12;

/** Whether the returns of names are combinations of those of others, so that no weights are the best, or have no covariance at all. */
export function isDegenerate(unscaled: Matrix): boolean {
  if (!unscaled.to1DArray().every(Number.isFinite)) return true;
  // No covariance is larger than the largest variance.
  const largest = Math.max(...unscaled.diagonal());
  if (!(largest > 0)) return true;
  // Squares of large covariances overflow. A power of two changes no digit.
  const covariance = Matrix.div(unscaled, 2 ** Math.floor(Math.log2(largest)));
  const cholesky = new CholeskyDecomposition(covariance);
  // The product of the traces of a matrix and of its inverse is a bound of the ratio that takes a fraction of the time.
  if (cholesky.isPositiveDefinite()) {
    const inverse = cholesky.solve(Matrix.eye(covariance.rows));
    if (covariance.trace() * inverse.trace() < 1 / SMALLEST_EIGENVALUE) return false;
  }
  const values = new EigenvalueDecomposition(covariance, { assumeSymmetric: true }).realEigenvalues;
  return !(Math.min(...values) > SMALLEST_EIGENVALUE * Math.max(...values));
}

/** Sample deviation. */
export function deviationOf(returns: Float64Array): number {
  const centered = withoutMean(returns);
  return Math.sqrt(product(centered, centered) / (returns.length - 1));
}

function withoutMean(values: Float64Array): Float64Array {
  let sum = 0;
  for (const value of values) sum += value;
  const mean = sum / values.length;
  return values.map((value) => value - mean);
}

function product(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let t = 0; t < a.length; t++) sum += a[t] * b[t];
  return sum;
}

function products(columns: Returns, divisor: number): Matrix {
  const matrix = new Matrix(columns.length, columns.length);
  for (let i = 0; i < columns.length; i++) {
    for (let j = i; j < columns.length; j++) {
      const value = product(columns[i], columns[j]) / divisor;
      matrix.set(i, j, value).set(j, i, value);
    }
  }
  return matrix;
}

function shrunk(covariance: Matrix, centered: Returns): Matrix {
  const names = centered.length;
  if (names === 1) return covariance;
  const mean = covariance.trace() / names;
  const share = shrinkageOf(covariance, centered, mean);
  return Matrix.mul(covariance, 1 - share).add(Matrix.eye(names).mul(share * mean));
}

/** The share of the target, whose diagonal is `mean`. */
function shrinkageOf(covariance: Matrix, centered: Returns, mean: number): number {
  const names = centered.length;
  const sessions = centered[0].length;
  let squares = 0;
  for (const value of covariance.to1DArray()) squares += value * value;
  let fourth = 0;
  for (let t = 0; t < sessions; t++) {
    let sum = 0;
    for (const column of centered) sum += column[t] * column[t];
    fourth += sum * sum;
  }
  const noise = (fourth / sessions - squares) / (names * sessions);
  const distance = (squares - names * mean * mean) / names;
  const bounded = Math.min(noise, distance);
  return bounded === 0 ? 0 : bounded / distance;
}

export function correlationOf(covariance: Matrix): Matrix {
  const deviations = covariance.diagonal().map(Math.sqrt);
  const correlation = Matrix.eye(covariance.rows);
  for (let i = 0; i < deviations.length; i++) {
    for (let j = i + 1; j < deviations.length; j++) {
      const value = Math.max(-1, Math.min(1, covariance.get(i, j) / (deviations[i] * deviations[j])));
      correlation.set(i, j, value).set(j, i, value);
    }
  }
  return correlation;
}
