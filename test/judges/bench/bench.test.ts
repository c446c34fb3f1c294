/** Figures that the benchmarks compute from samples. */
import { describe, expect, it } from '@jest/globals';
import { CALIBRATED_YEARS, readCalibration, TRUTHS } from '../../../api/site/calibration.ts';
import { compare, figure, inTurns, median, noiseOf, quantile, ratioOf } from './measure.ts';
import { type Goal, isMet, toObject, toTable } from './report.ts';

describe('a measurement', () => {
  it('has the median of its samples, whatever their order', () => {
    expect(median([5, 1, 100, 2, 3])).toBe(3);
    expect(quantile([4, 2, 1, 3], 0.99)).toBe(4);
  });

  it('compares round by round, so that a slow moment of the machine has no effect', () => {
    const ratios = ratioOf([2, 4, 20, 2, 4], [1, 2, 10, 1, 2]);
    expect(ratios).toEqual([2, 2, 2, 2, 2]);
    expect(noiseOf(ratios)).toBe(0);
    expect(noiseOf([8, 9, 10, 11, 12])).toBeCloseTo(0.2);
  });

  it('alternates the two sides', async () => {
    const order: string[] = [];
    const note = (name: string) => async () => order.push(name);
    const measured = await inTurns({ a: note('a'), b: note('b') }, 2);
    expect(order).toEqual(['a', 'b', 'a', 'b']);
    expect(measured.b).toEqual([2, 4]);
  });

  it('is the ratio of the service to the floor', async () => {
    const sides = { ours: async () => 3, floor: async () => 2 };
    expect(await compare('a call', 'ms', sides)).toEqual({ value: 1.5, noise: 0, note: '3 against 2 ms, a call' });
  });
});

describe('a figure', () => {
  it.each<[number, Goal, boolean]>([
    [2, '<= 2', true],
    [2.001, '<= 2', false],
    [2, '< 2', false],
    [0.8, '>= 0.8', true],
    [0.79, '>= 0.8', false],
  ])('of %d meets "%s": %s', (value, goal, met) => {
    expect(isMet(value, goal)).toBe(met);
  });

  it('is printed with its noise and verdict, and is a number in JSON', () => {
    const figures = new Map([
      ['load.rate_vs_copy', figure([0.5, 0.5, 0.5], 'slow')],
      ['load.peak_rss_mb', figure(200, 'all of it')],
    ]);
    expect(toObject(figures)).toEqual({ load: { rate_vs_copy: 0.5, peak_rss_mb: 200 } });
    const [, rate, memory] = toTable(figures).split('\n');
    expect(rate).toMatch(/^load\.rate_vs_copy +0\.5 +± 0 % +>= 1\.1 +MISS +slow$/);
    expect(memory).toMatch(/^load\.peak_rss_mb +200 +< 450 +met +all of it$/);
  });
});

describe('the recorded calibration of verdicts', () => {
  it('has both truths within the goals, as far as its paths can tell, and finds planted skill', async () => {
    const { truths, power, paths } = await readCalibration();
    // Two standard errors of a share of 6 and 8 of 100.
    const most = (share: number) => share + 2 * Math.sqrt((share * (1 - share)) / paths);
    for (const truth of TRUTHS) {
      const { together, skill, search } = truths[truth];
      for (const year of CALIBRATED_YEARS) {
        expect(together[year]).toBeLessThanOrEqual(0.06);
        for (const shares of Object.values({ ...skill, ...search }))
          expect(shares[year]).toBeLessThanOrEqual(most(0.08));
      }
    }
    expect(power['2']['10']).toBeGreaterThanOrEqual(0.9);
  });
});
