/** Correlations of a covariance. */
import { Matrix } from 'ml-matrix';

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
