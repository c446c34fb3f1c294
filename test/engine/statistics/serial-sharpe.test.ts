/** Sharpe ratios with serial correlation beside recorded figures of jsharpe 0.6.3 and those of the article, and their laws. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type Moments, minTrackRecord, momentsOf } from '../../../engine/statistics/moments.ts';
import {
  firstAutocorrelation,
  observedFdr,
  type SerialMoments,
  serialPsr,
  serialTrackRecord,
  serialVariance,
  sharpePower,
} from '../../../engine/statistics/serial-sharpe.ts';
import { required } from '../../../engine/util/values.ts';
import { expectSharpes } from '../../support/sharpe-oracles.ts';

const RECORDED = new URL('oracles/sharpe.json', import.meta.url);
const FUND: SerialMoments = { sharpe: 0.036 / 0.079, count: 24, skewness: -2.448, kurtosis: 10.164, rho: 0 };
const momentsFor = (returns: Float64Array): Moments => required(momentsOf(returns), 'moments');

describe('a Sharpe ratio of returns that follow each other', () => {
  it('has the figures of jsharpe: sharpe_ratio_variance, probabilistic_sharpe_ratio, and others of its modules psr and corrections', () => {
    expectSharpes(JSON.parse(readFileSync(RECORDED, 'utf8')).answers);
  });

  it("has the figures of the article's example", () => {
    expect(Math.sqrt(serialVariance(FUND.sharpe, FUND) ?? 0)).toBeCloseTo(0.329, 3);
    expect(serialTrackRecord(FUND, 0)).toBeCloseTo(13.029, 3);
    expect(serialPsr(FUND, 0)).toBeCloseTo(0.987, 3);
    expect(serialPsr(FUND, 0.1)).toBeCloseTo(0.939, 3);
    expect(1 - (sharpePower(FUND, 0, 0.5) ?? 0)).toBeCloseTo(0.315, 3);
    expect(observedFdr(FUND, 0, 0.5, 0.05)).toBeCloseTo(0.306, 3);
  });

  it('has the first autocorrelation of the definition', () => {
    const returns = Float64Array.of(0.01, -0.02, 0.03, 0, 0.005);
    const mean = 0.005;
    const e = [...returns].map((r) => r - mean);
    const expected = (e[0] * e[1] + e[1] * e[2] + e[2] * e[3] + e[3] * e[4]) / e.reduce((sum, x) => sum + x * x, 0);
    expect(firstAutocorrelation(returns, momentsFor(returns))).toBeCloseTo(expected, 14);
  });

  it('needs a longer record the more returns follow each other, and as long a one as independent returns without', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0.01, max: 0.5, noNaN: true }),
        fc.double({ min: -0.8, max: 0.8, noNaN: true }),
        fc.double({ min: 0.01, max: 0.15, noNaN: true }),
        (sharpe, rho, more) => {
          const moments = { sharpe, count: 100, skewness: 0, kurtosis: 3, rho };
          const length = required(serialTrackRecord(moments, 0), 'a length');
          expect(serialTrackRecord({ ...moments, rho: rho + more }, 0)).toBeGreaterThan(length);
          const independent = required(serialTrackRecord({ ...moments, rho: 0 }, 0), 'a length');
          // The other measure takes the error at the estimate.
          expect(required(minTrackRecord(moments, 0), 'a length') - 1).toBeCloseTo(
            independent * (1 + sharpe ** 2 / 2),
            6,
          );
        },
      ),
    );
  });

  it('always has an autocorrelation between -1 and 1', () => {
    const values = fc.array(fc.double({ min: -0.5, max: 0.5, noNaN: true }), { minLength: 3, maxLength: 50 });
    fc.assert(
      fc.property(values, (given) => {
        const returns = Float64Array.from(given);
        const moments = momentsOf(returns);
        if (moments !== null) expect(Math.abs(firstAutocorrelation(returns, moments))).toBeLessThan(1);
      }),
    );
  });

  it('is null where the variance is not above 0, and where nothing was earned', () => {
    const skewed = { ...FUND, skewness: 20, kurtosis: 3 };
    expect([serialVariance(0.5, skewed), sharpePower(skewed, 0, 0.5), observedFdr(skewed, 0, 0.5, 0.05)]).toEqual([
      null,
      null,
      null,
    ]);
    expect(serialTrackRecord({ ...FUND, sharpe: -0.1 }, 0)).toBeNull();
  });
});
