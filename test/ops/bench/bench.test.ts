/** Figures that the benchmarks compute from samples. */
import { describe, expect, it } from '@jest/globals';
import { type Goal, isMet } from '../../../ops/bench/goals.ts';
import { inTurns, noiseOf, quantile, ratioOf, summarize } from '../../../ops/bench/measure.ts';
import { figure, toObject, toTable } from '../../../ops/bench/report.ts';

describe('a measurement', () => {
  it('has the median of its samples, whatever their order', () => {
    expect(summarize([5, 1, 100, 2, 3]).median).toBe(3);
    expect(quantile([1, 2, 3, 4], 0.99)).toBe(4);
  });

  it('compares round by round, so that a slow moment of the machine does not count', () => {
    const [ours, floor] = [summarize([2, 4, 20, 2, 4]), summarize([1, 2, 10, 1, 2])];
    expect(ratioOf(ours, floor).samples).toEqual([2, 2, 2, 2, 2]);
    expect(noiseOf(ratioOf(ours, floor))).toBe(0);
    expect(noiseOf(summarize([8, 9, 10, 11, 12]))).toBeCloseTo(0.2);
  });

  it('runs candidates in turns', async () => {
    const order: string[] = [];
    const note = (name: string) => async () => order.push(name);
    const measured = await inTurns(2, { a: note('a'), b: note('b') });
    expect(order).toEqual(['a', 'b', 'a', 'b']);
    expect(measured.b.samples).toEqual([2, 4]);
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
    const figures = [
      figure('load.rate_vs_copy', summarize([0.5, 0.5, 0.5]), 'slow'),
      figure('load.peak_rss_mb', 200, 'all of it'),
    ];
    expect(toObject(figures)).toEqual({ load: { rate_vs_copy: 0.5, peak_rss_mb: 200 } });
    const [, rate, memory] = toTable(figures).split('\n');
    expect(rate).toMatch(/^load\.rate_vs_copy +0\.5 +± 0 % +>= 1\.1 +MISS +slow$/);
    expect(memory).toMatch(/^load\.peak_rss_mb +200 +< 450 +met +all of it$/);
  });
});
