/** Ranks within a cross-section, and their correlations. */
import { expect, it } from '@jest/globals';
import { RankedNames, rankCorrelation, ranksOf, ranksOfSteps } from '../../../engine/indicators/ranks.ts';
import { lehmer } from '../../support/series.ts';

const random = lehmer(31);

it('ranks are those of a sort, ties sharing the middle, whatever the size of the largest number', () => {
  for (let bits = 1; bits <= 53; bits++) {
    const steps = Float64Array.from({ length: 300 }, () =>
      random() < 0.1 ? Number.NaN : Math.round((random() - 0.5) * 2 ** bits),
    );
    const sorted = steps.filter((step) => !Number.isNaN(step)).sort();
    const doubled = (step: number) => sorted.indexOf(step) + sorted.lastIndexOf(step) + 2;
    expect([...ranksOfSteps(steps)]).toEqual([...steps].map((step) => (Number.isNaN(step) ? 0 : doubled(step))));
  }
});

it('a correlation of many is that of two, over the names in both', () => {
  for (let round = 0; round < 200; round++) {
    const length = Math.floor(random() * 100);
    const share = random();
    const [a, b] = [1, 2].map(() =>
      ranksOf(Float64Array.from({ length }, () => (random() < share ? Number.NaN : Math.floor(random() * 20)))),
    );
    const [ofMany, ofTwo] = [new RankedNames(a).correlation(new RankedNames(b)), rankCorrelation(a, b)];
    expect(ofMany.toFixed(12)).toBe(ofTwo.toFixed(12));
  }
});
