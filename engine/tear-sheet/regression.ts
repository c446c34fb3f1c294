/**
 * The regression of a tear sheet: the returns of the run explained by those of factors. Ordinary least squares with errors
 * that hold under heteroscedasticity and autocorrelation (Newey & West 1987).
 */
import { SINGULAR } from '../indicators/matrix.ts';
import { normalCdf } from '../statistics/moments.ts';
import { deviationOf } from './figures.ts';

const MIN_ROWS = 60;

/** An instrument whose returns explain those of the run. */
export interface Factor {
  readonly name: string;
  /** One return a session, without noise; 0 until its first bar. */
  readonly returns: Float64Array;
  /** The session of its first bar in the range. */
  readonly first: number;
}

interface Term {
  /** `alpha` for the constant, otherwise the name of the factor. */
  readonly name: string;
  readonly coefficient: number;
  readonly t: number | null;
  readonly p: number | null;
}

export interface Regression {
  readonly sessions: number;
  readonly lag: number;
  readonly r2: number;
  readonly terms: readonly Term[];
}

type Matrix = readonly Float64Array[];

/** The inverse of a symmetric positive matrix, by Gauss and Jordan; null where it has none. */
function inverseOf(matrix: Matrix): Float64Array[] | null {
  const size = matrix.length;
  const rows = matrix.map((row, i) => {
    const wide = new Float64Array(2 * size);
    wide.set(row);
    wide[size + i] = 1;
    return wide;
  });
  for (let i = 0; i < size; i++) {
    if (!(rows[i][i] > SINGULAR * matrix[i][i])) return null;
    const pivot = rows[i][i];
    for (let k = 0; k < 2 * size; k++) rows[i][k] /= pivot;
    for (let j = 0; j < size; j++) {
      const times = rows[j][i];
      if (j === i || times === 0) continue;
      for (let k = 0; k < 2 * size; k++) rows[j][k] -= times * rows[i][k];
    }
  }
  return rows.map((row) => row.subarray(size));
}

const dot = (a: Float64Array, b: Float64Array): number => {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i] * b[i];
  return sum;
};

/** Sum over the sessions of score × score, and of scores up to `lag` sessions apart with the weights of Bartlett. */
export function longRunProducts(scores: Matrix, lag: number): Float64Array[] {
  return scores.map((a) =>
    Float64Array.from(scores, (b) => {
      let sum = dot(a, b);
      for (let l = 1; l <= lag; l++) {
        const [lateA, earlyA] = [a.subarray(l), a.subarray(0, a.length - l)];
        const [lateB, earlyB] = [b.subarray(l), b.subarray(0, b.length - l)];
        sum += (1 - l / (lag + 1)) * (dot(lateA, earlyB) + dot(earlyA, lateB));
      }
      return sum;
    }),
  );
}

/** The variance of coefficient `i`: its row of the inverse × the products × that row. */
function varianceOf(row: Float64Array, products: Matrix): number {
  return dot(
    row,
    Float64Array.from(products, (line) => dot(line, row)),
  );
}

/** Lags that Newey and West count for a number of sessions. */
export function lagOf(sessions: number): number {
  return Math.floor(4 * (sessions / 100) ** (2 / 9));
}

/**
 * `returns`: of the run. The rows are the sessions after the first by which every factor has had a bar. Null for fewer than 60 of
 * them, for a run that does not vary there, and where factors explain each other.
 */
export function regressionOf(returns: Float64Array, factors: readonly Factor[]): Regression | null {
  if (factors.length === 0) return null;
  const from = Math.max(...factors.map(({ first }) => first)) + 1;
  const y = returns.subarray(from);
  if (y.length < MIN_ROWS || deviationOf(y) === 0) return null;
  const columns = [new Float64Array(y.length).fill(1), ...factors.map((factor) => factor.returns.subarray(from))];
  const inverse = inverseOf(columns.map((a) => Float64Array.from(columns, (b) => dot(a, b))));
  if (inverse === null) return null;
  const products = Float64Array.from(columns, (column) => dot(column, y));
  const coefficients = inverse.map((row) => dot(row, products));
  const errors = y.map((value, t) => value - columns.reduce((sum, column, i) => sum + coefficients[i] * column[t], 0));
  const lag = lagOf(y.length);
  const scores = columns.map((column) => column.map((x, t) => x * errors[t]));
  const spread = longRunProducts(scores, lag);
  const mean = dot(y, columns[0]) / y.length;
  const total = y.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  return {
    sessions: y.length,
    lag,
    r2: 1 - dot(errors, errors) / total,
    terms: ['alpha', ...factors.map(({ name }) => name)].map((name, i) => {
      const error = Math.sqrt(Math.max(0, varianceOf(inverse[i], spread)));
      const t = error === 0 ? null : coefficients[i] / error;
      return { name, coefficient: coefficients[i], t, p: t === null ? null : 2 * normalCdf(-Math.abs(t)) };
    }),
  };
}
