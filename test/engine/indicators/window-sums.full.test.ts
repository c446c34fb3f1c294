/** Means and standard deviations of sliding windows, compared with exact arithmetic. */
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import * as indicators from '../../../engine/indicators/indicators.ts';
import { slidingSignedMeans, slidingSlopes } from '../../../engine/indicators/window-sums.ts';
import { exactMean, exactSlope, exactStdev, ulpOf } from '../../support/exact.ts';
import { lehmer, randomSeries, seriesOf } from '../../support/series.ts';

/** Makes series of several segments whose values differ in size, so that values that leave a window differ from those in it. */
const STRETCHES = {
  walk: (random, i) => 100 * (1 + 0.2 * Math.sin(i / 9)) * (1 + 0.01 * random()),
  cents: (random) => Math.round(100 * (20 + random())) / 100,
  adjusted: (random) => ((2000 + Math.floor(50 * random())) / 100) * (1 / 7),
  flat: () => 0.1,
  nearlyFlat: (random) => 100 + 1e-13 * Math.floor(3 * random()),
  huge: (random) => 1e9 * (1 + random()),
  tiny: (random) => 1e-4 * (1 + random()),
  spikes: (random) => (random() < 0.1 ? 1e8 : 1 + random()),
  none: (random) => (random() < 0.5 ? 0 : 1000 * random()),
} satisfies Record<string, (random: () => number, i: number) => number>;

const columns = fc
  .record({
    seed: fc.integer({ min: 1, max: 1e6 }),
    stretches: fc.array(
      fc.record({
        kind: fc.constantFrom(...(Object.keys(STRETCHES) as (keyof typeof STRETCHES)[])),
        length: fc.integer({ min: 1, max: 60 }),
      }),
      { minLength: 1, maxLength: 6 },
    ),
  })
  .map(({ seed, stretches }) => {
    const random = lehmer(seed);
    return Float64Array.from(
      stretches.flatMap(({ kind, length }) => Array.from({ length }, (_, i) => STRETCHES[kind](random, i))),
    );
  });

const ulps = (actual: number, exact: number) => (actual === exact ? 0 : Math.abs(actual - exact) / ulpOf(exact));

/** Returns the largest distance of a column from the exact figures of its windows, in ulps; infinite if only one of them is undefined. */
function worst(
  column: Float64Array,
  values: Float64Array,
  period: number,
  figureOf: (window: number[]) => number,
): number {
  let largest = 0;
  for (let t = period - 1; t < values.length; t++) {
    const distance = ulps(column[t], figureOf([...values.subarray(t - period + 1, t + 1)]));
    largest = Math.max(largest, Number.isNaN(distance) ? Number.POSITIVE_INFINITY : distance);
  }
  return largest;
}

describe('the mean of a window', () => {
  it('is exact to within 1 ulp, whatever values came before', () => {
    fc.assert(
      fc.property(columns, fc.integer({ min: 1, max: 40 }), (values, period) => {
        expect(worst(indicators.sma(values, period), values, period, exactMean)).toBeLessThanOrEqual(1);
      }),
      { numRuns: 300 },
    );
  });

  it('does not drift over a long history', () => {
    const { close } = randomSeries(6_000, 11);
    for (const period of [20, 50, 252]) {
      expect(worst(indicators.sma(close, period), close, period, exactMean)).toBeLessThanOrEqual(1);
    }
  });

  it('does not remember values that fell a little with every bar', () => {
    const close = Float64Array.from({ length: 240 }, (_, i) => 1e12 * 0.6 ** i);
    for (const period of [1, 5, 20, 100]) {
      expect(worst(indicators.sma(close, period), close, period, exactMean)).toBeLessThanOrEqual(1);
    }
  });

  it('of values of any sign is exact to within 1 ulp of the mean of their sizes', () => {
    fc.assert(
      fc.property(columns, fc.integer({ min: 1, max: 40 }), fc.integer({ min: 1, max: 1e6 }), (sizes, period, seed) => {
        const random = lehmer(seed);
        const values = sizes.map((size) => (random() < 0.5 ? -size : size));
        const means = slidingSignedMeans(values, period);
        for (let t = period - 1; t < values.length; t++) {
          const window = [...values.subarray(t - period + 1, t + 1)];
          const size = exactMean(window.map(Math.abs));
          expect(Math.abs(means[t] - exactMean(window))).toBeLessThanOrEqual(size === 0 ? 0 : ulpOf(size));
        }
      }),
      { numRuns: 60 },
    );
  });

  it('seeds recursive averages', () => {
    fc.assert(
      fc.property(columns, fc.integer({ min: 2, max: 30 }), (values, period) => {
        const at = (column: Float64Array, first: number) => column[first] ?? Number.NaN;
        const isDefined = values.length > 2 * period + 5;
        fc.pre(isDefined);
        const mean = exactMean([...values.subarray(0, period)]);
        expect(ulps(at(indicators.ema(values, period), period - 1), mean)).toBeLessThanOrEqual(1);
        const series = seriesOf([...values]);
        const ranges = [...indicators.trueRange(series).subarray(1, period + 1)];
        expect(ulps(at(indicators.atr(series, period), period), exactMean(ranges))).toBeLessThanOrEqual(1);
        const { line, signal } = indicators.macd(values, period, period + 5, period);
        const firsts = [...line.subarray(period + 4, 2 * period + 4)];
        expect(ulps(at(signal, 2 * period + 3), exactMean(firsts))).toBeLessThanOrEqual(1);
      }),
    );
  });
});

describe('the slope of a window', () => {
  it('is exact to within 4 ulps of the steepest line between its values, whatever values came before', () => {
    fc.assert(
      fc.property(columns, fc.integer({ min: 2, max: 40 }), (values, period) => {
        const slopes = slidingSlopes(values, period);
        for (let t = period - 1; t < values.length; t++) {
          const window = [...values.subarray(t - period + 1, t + 1)];
          const steepest = Math.max(...window) - Math.min(...window);
          const error = Math.abs(slopes[t] - exactSlope(window));
          expect(error).toBeLessThanOrEqual(steepest === 0 ? 0 : 4 * ulpOf(steepest));
        }
      }),
      { numRuns: 100 },
    );
  });

  it('does not drift over a long history', () => {
    const { close } = randomSeries(6_000, 11);
    for (const period of [20, 252]) {
      expect(worst(slidingSlopes(close, period), close, period, exactSlope)).toBeLessThanOrEqual(100);
    }
  });
});

describe('the standard deviation of a window', () => {
  it('is exact to within 1 ulp, whatever values came before', () => {
    fc.assert(
      fc.property(columns, fc.integer({ min: 2, max: 40 }), (values, period) => {
        expect(worst(indicators.stdev(values, period), values, period, exactStdev)).toBeLessThanOrEqual(1);
      }),
      { numRuns: 300 },
    );
  });

  it('does not drift over a long history', () => {
    const { close } = randomSeries(6_000, 12);
    expect(worst(indicators.stdev(close, 20), close, 20, exactStdev)).toBeLessThanOrEqual(1);
  });

  it('is 0 in a window of equal values, however far the values before were', () => {
    const values = Float64Array.from({ length: 60 }, (_, i) => (i < 30 ? 1e7 * Math.sin(i) ** 2 : 0.1));
    expect([...indicators.stdev(values, 5).subarray(34)]).toEqual(Array(26).fill(0));
  });
});
