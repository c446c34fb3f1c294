/** A small calibration: no kind of sentence claims more than chance of strategies without skill, and planted skill is found. */
import { expect, it } from '@jest/globals';
import { deadline } from '../../support/deadlines.ts';
import { calibrate, powerOf } from './calibration.ts';

const PATHS = 10;

it(
  'claims little of strategies without skill under both truths, and finds planted skill',
  () => {
    const truths = Object.values(calibrate(PATHS, [1]));
    for (const { together, skill } of truths) {
      expect(together[1]).toBeLessThanOrEqual(0.06);
      expect(skill['holding at the next open'][1]).toBe(0);
    }
    expect(powerOf(PATHS)[2][10]).toBeGreaterThanOrEqual(0.9);
  },
  deadline(1_800_000),
);
