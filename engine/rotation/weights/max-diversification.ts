/**
 * The weights of the largest ratio of the mean deviation to the deviation of the portfolio, w'σ ÷ √(w'Σw) (Choueifaty & Coignard
 * 2008). They minimize w'Σw ÷ 2 - m·σ'w for the m at which m·σ'w = w'Σw; below it the ratio rises with m, above it falls.
 */
import type { Matrix } from 'ml-matrix';
import type { Bounds } from './bounded-quadratic.ts';
import { minimizeQuadratic, minimumOfFree, normalized } from './bounded-quadratic.ts';

const MAX_STEPS = 200;

export function maxDiversification(given: Matrix, bounds: Bounds): Float64Array {
  const covariance = normalized(given);
  const deviations = Float64Array.from(covariance.diagonal(), Math.sqrt);
  const none = new Float64Array(deviations.length);
  let [low, high] = [0, Number.POSITIVE_INFINITY];
  let multiplier = 0;
  for (let step = 0; ; step++) {
    const gain = deviations.map((deviation) => multiplier * deviation);
    const { weights, free } = minimizeQuadratic({ covariance, gain, bounds });
    if (step === MAX_STEPS) return weights;
    const [variance, deviation] = [varianceOf(covariance, weights), dot(deviations, weights)];
    if (variance - multiplier * deviation > 0) low = multiplier;
    else high = multiplier;
    // With the same names free the weights move along a line, on which the root is known.
    const origin = free.length === 0 ? weights : minimumOfFree({ covariance, gain: none }, weights, free);
    const root = varianceOf(covariance, origin) / dot(deviations, origin);
    const isBetween = root > low && root < high;
    const next = isBetween ? root : high === Number.POSITIVE_INFINITY ? 2 * low : (low + high) / 2;
    if (Math.abs(root - multiplier) <= 1e-15 * root || next === low || next === high) return weights;
    multiplier = next;
  }
}

export function varianceOf(covariance: Matrix, weights: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < weights.length; i++) {
    for (let j = 0; j < weights.length; j++) sum += weights[i] * covariance.get(i, j) * weights[j];
  }
  return sum;
}

function dot(a: Float64Array, b: Float64Array): number {
  return a.reduce((sum, value, i) => sum + value * b[i], 0);
}
