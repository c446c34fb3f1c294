/** The weights of the smallest variance. */
import type { Matrix } from 'ml-matrix';
import { minimizeQuadratic, normalized } from './bounded-quadratic.ts';
import type { Bounds } from './bounds.ts';

export function minVariance(covariance: Matrix, bounds: Bounds): Float64Array {
  const gain = new Float64Array(covariance.rows);
  return minimizeQuadratic({ covariance: normalized(covariance), gain, bounds }).weights;
}
