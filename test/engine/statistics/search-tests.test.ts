/** The tests of searches on cases that are known by hand. */
import { describe, expect, it } from '@jest/globals';
import { crossValidationOf, foldsOf, largestPurge, splitsOf } from '../../../engine/statistics/cross-validation.ts';
import { momentsOf } from '../../../engine/statistics/moments.ts';
import { realityCheckOf } from '../../../engine/statistics/reality-check.ts';
import { bhyOf, haircutOf, holmOf } from '../../../engine/statistics/selection.ts';
import { required } from '../../../engine/util/values.ts';
import { lehmer } from '../../support/series.ts';

const SEED = '0123456789abcdef';

function noise(count: number, seed: number, drift = 0): Float64Array {
  const random = lehmer(seed);
  return Float64Array.from({ length: count }, () => drift + 0.02 * (random() - 0.5));
}

describe('combinatorial purged cross-validation', () => {
  it('holds out every pair of folds, and trains on the rest without purge and embargo', () => {
    const splits = splitsOf(203, 3);
    expect(foldsOf(203)[9]).toEqual({ from: 180, to: 203 });
    expect(splits).toHaveLength(45);
    expect(splits[0]).toEqual({ tests: [0, 1], train: [{ from: 48, to: 203 }] });
    expect(splits[10]).toEqual({
      tests: [1, 3],
      train: [
        { from: 0, to: 17 },
        { from: 48, to: 57 },
        { from: 88, to: 203 },
      ],
    });
    expect(splits[44]).toEqual({ tests: [8, 9], train: [{ from: 0, to: 157 }] });
  });

  it('joins the tests to nine paths, which are the only combination where there is one', () => {
    const column = noise(400, 7, 0.001);
    const { sharpes, purge } = required(crossValidationOf([column], 12));
    expect([sharpes.length, purge]).toEqual([9, 12]);
    for (const sharpe of sharpes) expect(sharpe).toBeCloseTo(required(momentsOf(column)).sharpe, 12);
  });

  it('takes what was best in training, not in the test', () => {
    const [bars, half] = [400, 200];
    // Each earns in one half of the time, so that the best of one half fails in the other.
    const early = noise(bars, 3).map((r, t) => r + (t < half ? 0.01 : -0.01));
    const late = noise(bars, 4).map((r, t) => r + (t < half ? -0.01 : 0.01));
    const { sharpes } = required(crossValidationOf([early, late], 0));
    const whole = [early, late].map((column) => required(momentsOf(column)).sharpe);
    for (const sharpe of sharpes) expect(sharpe).toBeLessThan(Math.max(...whole));
  });

  it('purges no more than the folds allow, and needs folds longer than the embargo', () => {
    const column = noise(400, 5);
    expect(required(crossValidationOf([column], 400)).purge).toBe(largestPurge(400));
    expect(crossValidationOf([column.subarray(0, 60)], 0)).toBeNull();
  });
});

describe('combinations that beat the benchmark in all tests together', () => {
  it('are those with a gain, however many there are', () => {
    const benchmark = noise(500, 1);
    const columns = [2, 3, 4, 5].map((seed) => noise(500, seed, seed < 4 ? 0.004 : 0));
    expect(required(realityCheckOf(columns, columns[0], benchmark, SEED)).superior).toEqual([0, 1]);
  });

  it('are none where there is only noise', () => {
    const columns = [2, 3, 4, 5].map((seed) => noise(500, seed));
    expect(required(realityCheckOf(columns, columns[0], noise(500, 1), SEED)).superior).toEqual([]);
  });
});

describe('p-values of many tests', () => {
  const sorted = Float64Array.of(0.01, 0.02, 0.03, 0.04, 0.05);

  it('are raised by Holm, and by Benjamini, Hochberg, and Yekutieli', () => {
    expect([...holmOf(sorted)].map((p) => p.toFixed(6))).toEqual([
      '0.050000',
      '0.080000',
      '0.090000',
      '0.090000',
      '0.090000',
    ]);
    expect([...bhyOf(sorted)].map((p) => p.toFixed(6))).toEqual(Array(5).fill('0.114167'));
  });

  it('leave a Sharpe ratio that is no higher than that of one test', () => {
    const sharpes = Float64Array.of(0.08, 0.02, -0.01, 0.05);
    const { tests, bonferroni, holm, bhy } = required(haircutOf(0.08, sharpes, 1260));
    expect(tests).toBe(4);
    for (const { sharpe } of [bonferroni, holm, bhy]) {
      expect(sharpe).toBeGreaterThan(0);
      expect(sharpe).toBeLessThan(0.08);
    }
    expect(haircutOf(0.08, Float64Array.of(0.08), 1260)?.bonferroni.sharpe).toBeCloseTo(0.08, 12);
    expect(haircutOf(-0.01, sharpes, 1260)).toBeNull();
    expect(required(haircutOf(0.001, sharpes, 1260)).bonferroni).toEqual({ p: 1, sharpe: 0 });
  });
});
