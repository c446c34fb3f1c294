/** Weights: thin names, bounds, the volatility target, and the smallest weight of all methods. */
import { describe, expect, it } from '@jest/globals';
import { Matrix } from 'ml-matrix';
import { cutToMaximum } from '../../../../engine/rotation/weights/bounded-quadratic.ts';
import { covarianceOf, isDegenerate } from '../../../../engine/rotation/weights/covariance.ts';
import { leafOrder } from '../../../../engine/rotation/weights/hierarchical.ts';
import { varianceOf } from '../../../../engine/rotation/weights/max-diversification.ts';
import {
  weightsOf as foundOf,
  type WeightedSet,
  type WeightRule,
} from '../../../../engine/rotation/weights/weights.ts';
import { factorReturns } from '../oracles/walks.ts';

const RULE: WeightRule = {
  method: 'equal',
  lookback: 60,
  covariance: 'sample',
  bounds: { min: 0, max: 1 },
  targetVolatilityPct: null,
};
const returns = factorReturns(5, 60, 3);
const none = () => {
  throw new Error('returns are not needed');
};
const setOf = (isThin: readonly boolean[] = returns.map(() => false)) => ({
  scores: returns.map((_, i) => i + 1),
  fixed: [0.5, 0.25, 0, 0.1, 0],
  window: () => ({ returns, isThin }),
});
const weightsOf = (rule: WeightRule, set: WeightedSet) => foundOf(rule, set).weights;
const total = (weights: Float64Array) => weights.reduce((sum, weight) => sum + weight, 0);

describe('weights', () => {
  it('of equal parts, of scores, and given ones need no returns', () => {
    const set = { ...setOf(), window: none };
    expect([...weightsOf(RULE, set)]).toEqual([0.2, 0.2, 0.2, 0.2, 0.2]);
    expect([...weightsOf({ ...RULE, method: 'score' }, set)]).toEqual([1, 2, 3, 4, 5].map((score) => score / 15));
    expect([...weightsOf({ ...RULE, method: 'fixed' }, set)]).toEqual([0.5, 0.25, 0, 0.1, 0]);
  });

  it('of nothing are nothing', () => {
    expect(weightsOf(RULE, { scores: [], fixed: [], window: none })).toHaveLength(0);
  });

  it.each(['inverse_volatility', 'min_variance', 'risk_parity', 'hrp', 'max_diversification'] as const)(
    'by %s give a thin name an equal share, and the others theirs of the rest',
    (method) => {
      const isThin = [false, true, false, false, false];
      const weights = weightsOf({ ...RULE, method }, setOf(isThin));
      const others = returns.filter((_, i) => !isThin[i]);
      const alone = weightsOf(
        { ...RULE, method },
        { scores: [1, 1, 1, 1], fixed: [], window: () => ({ returns: others, isThin: others.map(() => false) }) },
      );
      expect(weights[1]).toBe(0.2);
      const expected = Array.from(alone, (weight) => (weight < 2e-6 ? 0 : weight * 0.8));
      for (const [k, i] of [0, 2, 3, 4].entries()) expect(weights[i]).toBeCloseTo(expected[k], 12);
    },
  );

  it.each(['min_variance', 'max_diversification'] as const)(
    'by %s keep their bounds as they are held, beside a thin name',
    (method) => {
      const bounds = { min: 0.15, max: 0.25 };
      const weights = weightsOf({ ...RULE, method, bounds }, setOf([false, true, false, false, false]));
      for (const weight of weights) {
        expect(weight).toBeGreaterThanOrEqual(bounds.min - 1e-12);
        expect(weight).toBeLessThanOrEqual(bounds.max + 1e-12);
      }
      // The solver uses all that they allow.
      expect(Math.max(...weights)).toBeCloseTo(bounds.max, 12);
      expect(total(weights)).toBeCloseTo(1, 12);
    },
  );

  it('are equal where all names are thin', () => {
    const weights = weightsOf({ ...RULE, method: 'min_variance' }, setOf(returns.map(() => true)));
    expect([...weights]).toEqual([0.2, 0.2, 0.2, 0.2, 0.2]);
  });

  it('of a set that is too small for the maximum are the maximum, the rest is cash', () => {
    for (const method of ['equal', 'min_variance', 'hrp'] as const) {
      const weights = weightsOf({ ...RULE, method, bounds: { min: 0, max: 0.15 } }, setOf());
      for (const weight of weights) expect(weight).toBeCloseTo(0.15, 12);
    }
  });

  it('below a millionth are 0', () => {
    const fixed = [0.5, 0.9e-6, 1.1e-6, 0, 0];
    expect([...weightsOf({ ...RULE, method: 'fixed' }, { ...setOf(), fixed })]).toEqual([0.5, 0, 1.1e-6, 0, 0]);
  });

  it('are reduced to the volatility target, never raised', () => {
    const covariance = covarianceOf('ledoit_wolf', returns);
    const volatility = 100 * Math.sqrt(252 * varianceOf(covariance, new Float64Array(5).fill(0.2)));
    const rule: WeightRule = { ...RULE, covariance: 'ledoit_wolf' };
    const halved = weightsOf({ ...rule, targetVolatilityPct: volatility / 2 }, setOf());
    for (const weight of halved) expect(weight).toBeCloseTo(0.1, 12);
    expect(total(weightsOf({ ...rule, targetVolatilityPct: 2 * volatility }, setOf()))).toBeCloseTo(1, 12);
  });
});

describe('a method without a solution', () => {
  const [a, b, c] = returns;
  const of = (method: WeightRule['method'], columns: typeof returns, bounds = RULE.bounds) =>
    foundOf(
      { ...RULE, method, bounds },
      {
        scores: columns.map(() => 1),
        fixed: [],
        window: () => ({ returns: columns, isThin: columns.map(() => false) }),
      },
    );
  const SOLVERS = ['min_variance', 'risk_parity', 'max_diversification'] as const;

  it.each(SOLVERS)('%s of names with the same returns has equal weights and says so', (method) => {
    expect(of(method, [a, a, b, c])).toMatchObject({
      areDefined: false,
      weights: Float64Array.of(0.25, 0.25, 0.25, 0.25),
    });
    const held = of(method, [a, a, b], { min: 0, max: 0.3 });
    expect(held).toMatchObject({ areDefined: false, weights: Float64Array.of(0.3, 0.3, 0.3) });
  });

  it.each(SOLVERS)('%s of a name that moves a millionth of the others has too', (method) => {
    expect(of(method, [a.map((one) => 1e-7 * one), b, c]).areDefined).toBe(false);
    expect(of(method, [a.map((one) => 1e-4 * one), b, c]).areDefined).toBe(true);
  });

  it.each([...SOLVERS, 'hrp', 'inverse_volatility', 'score'] as const)(
    '%s of figures that overflow has too',
    (method) => {
      const vast = a.map((one, t) => (t === 7 ? Number.POSITIVE_INFINITY : one));
      const found = foundOf(
        { ...RULE, method },
        {
          scores: [1e308, 1e308, 1],
          fixed: [],
          window: () => ({ returns: [vast, b, c], isThin: [false, false, false] }),
        },
      );
      expect(found).toMatchObject({ areDefined: false, weights: new Float64Array(3).fill(1 / 3) });
    },
  );

  it.each(SOLVERS)('%s of returns whose squares are almost too large for a number has too', (method) => {
    const up = a.map((_, t) => (t % 2 ? 1 : -1));
    const vast = [1e144, 1e14, -1e151].map((scale) => up.map((one) => scale * one));
    expect(of(method, vast)).toMatchObject({ areDefined: false, weights: new Float64Array(3).fill(1 / 3) });
  });

  it('leaves those of hrp, whose tree needs no inverse', () => {
    const { weights, areDefined } = of('hrp', [a, a, b, c]);
    expect(areDefined).toBe(true);
    expect(weights[0]).toBeCloseTo(weights[1], 12);
  });

  it('is found in hundreds of names within a rebalance', () => {
    const many = factorReturns(300, 504, 9);
    expect(of('min_variance', many).areDefined).toBe(true);
    expect(of('min_variance', [...many, many[0]]).areDefined).toBe(false);
  });

  it('is told without a limit of names', () => {
    const names = 500;
    expect(isDegenerate(Matrix.eye(names))).toBe(false);
    expect(isDegenerate(Matrix.ones(names, names))).toBe(true);
  });
});

describe('a maximum', () => {
  it.each([
    ['gives what is cut to the others in proportion', [0.6, 0.3, 0.1], 0.5, [0.5, 0.375, 0.125]],
    ['cuts again those that rise above it', [0.6, 0.3, 0.1], 0.4, [0.4, 0.4, 0.2]],
    ['gives nothing to a name without weight', [0.6, 0, 0.1], 0.3, [0.3, 0, 0.3]],
    ['leaves what is below it', [0.2, 0.1, 0.1], 0.3, [0.2, 0.1, 0.1]],
    ['keeps the sum of weights that are not invested in full', [0.5, 0.1, 0.1], 0.4, [0.4, 0.15, 0.15]],
  ])('%s', (_, weights, max, expected) => {
    const cut = cutToMaximum(Float64Array.from(weights), max);
    for (const [i, weight] of expected.entries()) expect(cut[i]).toBeCloseTo(weight, 12);
  });
});

describe('leaves of single linkage', () => {
  it('follow the tree of SciPy', () => {
    // scipy.cluster.hierarchy (1.17.1): leaves_list(linkage(squareform(matrix), "single")).
    const points = [0, 7, 1, 20, 8.5, 30];
    const distances = new Matrix(points.map((a) => points.map((b) => Math.abs(a - b))));
    expect(leafOrder(distances)).toEqual([0, 2, 1, 4, 3, 5]);
  });
});
