/** Weights of random covariances fulfill the conditions of their optimum. */
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { Matrix } from 'ml-matrix';
import { covarianceOf } from '../../../../engine/rotation/weights/covariance.ts';
import { maxDiversification } from '../../../../engine/rotation/weights/max-diversification.ts';
import { riskParity } from '../../../../engine/rotation/weights/risk-parity.ts';
import { minVariance } from '../../../../engine/rotation/weights/weights.ts';
import { factorReturns } from '../oracles/walks.ts';

const PRECISION = 1e-9;
const product = (matrix: Matrix, weights: Float64Array) => matrix.mmul(Matrix.columnVector(weights)).to1DArray();
const sum = (values: ArrayLike<number>) => Array.from(values).reduce((total, value) => total + value, 0);

/** A covariance, and bounds that can be met. */
const problems = fc
  .record({
    names: fc.integer({ min: 2, max: 40 }),
    seed: fc.integer({ min: 1, max: 1e6 }),
    method: fc.constantFrom('sample' as const, 'ledoit_wolf' as const),
    tightness: fc.double({ min: 0, max: 1, noNaN: true }),
    floor: fc.double({ min: 0, max: 1, noNaN: true }),
    hasMin: fc.boolean(),
  })
  .map(({ names, seed, method, tightness, floor, hasMin }) => ({
    covariance: covarianceOf(method, factorReturns(names, names + 3 + (seed % 100), seed)),
    bounds: { min: hasMin ? floor / names : 0, max: 1 / names + tightness * (1 - 1 / names) },
  }));

interface Bounds {
  readonly min: number;
  readonly max: number;
}

/**
 * At a maximum the slope of what is maximized is the same for all names between the bounds, not more at the minimum, and not less
 * at the maximum.
 */
function expectOptimal(weights: Float64Array, slopes: readonly number[], { min, max }: Bounds) {
  expect(sum(weights)).toBeCloseTo(1, 10);
  const at = (holds: (weight: number) => boolean) => slopes.filter((_, i) => holds(weights[i]));
  const growing = at((weight) => weight < max - 1e-12);
  const shrinking = at((weight) => weight > min + 1e-12);
  for (const weight of weights) {
    expect(weight).toBeGreaterThanOrEqual(min - 1e-12);
    expect(weight).toBeLessThanOrEqual(max + 1e-12);
  }
  // No money moved from one name to another gains anything.
  if (growing.length > 0 && shrinking.length > 0) {
    expect(Math.max(...growing) - Math.min(...shrinking)).toBeLessThanOrEqual(PRECISION);
  }
}

describe('the optimum', () => {
  it('of the variance within bounds', () => {
    fc.assert(
      fc.property(problems, ({ covariance, bounds }) => {
        const weights = minVariance(covariance, bounds);
        const scale = covariance.trace() / weights.length;
        expectOptimal(
          weights,
          product(covariance, weights).map((slope) => -slope / scale),
          bounds,
        );
      }),
      { numRuns: 300 },
    );
  });

  it('of the diversification within bounds', () => {
    fc.assert(
      fc.property(problems, ({ covariance, bounds }) => {
        const weights = maxDiversification(covariance, bounds);
        const deviations = covariance.diagonal().map(Math.sqrt);
        const mean = sum(deviations.map((deviation, i) => deviation * weights[i]));
        const pull = product(covariance, weights);
        const variance = sum(pull.map((one, i) => one * weights[i]));
        expectOptimal(
          weights,
          deviations.map((deviation, i) => deviation / mean - pull[i] / variance),
          bounds,
        );
      }),
      { numRuns: 300 },
    );
  });

  it('of risk parity: every name contributes the same risk', () => {
    fc.assert(
      fc.property(problems, ({ covariance }) => {
        const weights = riskParity(covariance);
        const pull = product(covariance, weights);
        const contributions = pull.map((one, i) => one * weights[i]);
        const variance = sum(contributions);
        expect(sum(weights)).toBeCloseTo(1, 12);
        for (const contribution of contributions) {
          expect(Math.abs((weights.length * contribution) / variance - 1)).toBeLessThanOrEqual(PRECISION);
        }
      }),
      { numRuns: 300 },
    );
  });

  it('exists where names have the same returns, and shares their weight', () => {
    const [a, b, c] = factorReturns(3, 60, 5);
    const covariance = covarianceOf('sample', [a, a, b, c]);
    for (const solve of [minVariance, maxDiversification]) {
      const weights = solve(covariance, { min: 0, max: 1 });
      expect(weights[0]).toBeCloseTo(weights[1], 4);
      const alone = solve(covarianceOf('sample', [a, b, c]), { min: 0, max: 1 });
      expect(weights[0] + weights[1]).toBeCloseTo(alone[0], 4);
    }
  });

  it('is found for hundreds of names', () => {
    const covariance = covarianceOf('ledoit_wolf', factorReturns(400, 300, 3));
    const weights = minVariance(covariance, { min: 0, max: 1 });
    const scale = covariance.trace() / weights.length;
    expectOptimal(
      weights,
      product(covariance, weights).map((slope) => -slope / scale),
      { min: 0, max: 1 },
    );
  });
});
