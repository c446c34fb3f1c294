/**
 * The weights with equal contributions to the risk, long only. They are those at the minimum of y'Ry ÷ 2 - Σ ln(y) ÷ n, y being
 * weight × deviation up to a factor and R the correlations (Spinu 2013), which Newton's method finds.
 */
import { Matrix } from 'ml-matrix';
import { NoSolution, solvePositive } from './bounded-quadratic.ts';
import { correlationOf } from './covariance.ts';

const MAX_STEPS = 200;
/** A decrement from which on full steps converge. */
const FULL_STEP_BELOW = 0.1;
/** Steps square the decrement, so the one after it has nothing left to do. */
const LAST_DECREMENT = 1e-9;

/** @throws `NoSolution` */
export function riskParity(covariance: Matrix): Float64Array {
  const correlation = correlationOf(covariance);
  const names = covariance.rows;
  const sum = correlation.sum();
  let scaled = new Float64Array(names).fill(1 / Math.sqrt(sum > 0 ? sum : names));
  for (let step = 0; ; step++) {
    if (step === MAX_STEPS) throw new NoSolution(`no risk parity of ${names} names`);
    const { direction, decrement } = newtonStep(correlation, scaled);
    const size = decrement < FULL_STEP_BELOW ? 1 : 1 / (1 + decrement);
    scaled = scaled.map((one, i) => one + size * direction[i]);
    if (decrement < LAST_DECREMENT) break;
  }
  const weights = scaled.map((one, i) => one / Math.sqrt(covariance.get(i, i)));
  const total = weights.reduce((all, weight) => all + weight, 0);
  return weights.map((weight) => weight / total);
}

/** The step, and its length in the norm of the curvature of n times the function: it is self-concordant. */
function newtonStep(correlation: Matrix, scaled: Float64Array) {
  const names = scaled.length;
  const product = correlation.mmul(Matrix.columnVector(scaled));
  const slope = Array.from(scaled, (one, i) => names * product.get(i, 0) - 1 / one);
  const curvature = Matrix.mul(correlation, names);
  for (let i = 0; i < names; i++) curvature.set(i, i, curvature.get(i, i) + 1 / scaled[i] ** 2);
  const direction = solvePositive(curvature, Matrix.columnVector(slope.map((one) => -one))).to1DArray();
  const square = direction.reduce((total, one, i) => total - one * slope[i], 0);
  return { direction, decrement: Math.sqrt(Math.max(0, square)) };
}
