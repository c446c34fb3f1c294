/** The order of values. */
import { describe, expect, it } from '@jest/globals';
import { orderOf } from '../../../engine/indicators/ties.ts';
import { lehmer } from '../../support/series.ts';

describe('the order of values', () => {
  it('is that of a stable sort, without undefined ones, for any count of the first', () => {
    const random = lehmer(7);
    for (let round = 0; round < 200; round++) {
      // Few different values, so that many are equal.
      const values = Float64Array.from({ length: Math.floor(random() * 30) }, () =>
        random() < 0.2 ? Number.NaN : Math.floor(random() * 6) - 3,
      );
      const defined = [...values.keys()].filter((index) => !Number.isNaN(values[index]));
      for (const sign of [1, -1] as const) {
        const sorted = defined.toSorted((a, b) => sign * (values[a] - values[b]) || a - b);
        expect([...orderOf(values, sign)]).toEqual(sorted);
        for (const count of [0, 1, 3, 40]) expect([...orderOf(values, sign, count)]).toEqual(sorted.slice(0, count));
      }
    }
  });
});
