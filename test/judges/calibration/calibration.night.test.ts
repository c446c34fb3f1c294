/** The whole calibration of verdicts: 2,000 paths of each truth and range. It takes hours. */
import { expect, it } from '@jest/globals';
import { deadline } from '../../support/deadlines.ts';
import { CALIBRATION_PATHS, calibrationOf, YEARS } from './calibration.ts';

it(
  'claims at most 6 of 100 together and 8 of any rule, and finds nine of ten of planted skill',
  () => {
    const { truths, power } = calibrationOf(CALIBRATION_PATHS);
    for (const { together, skill, search } of Object.values(truths)) {
      for (const year of YEARS) {
        expect(together[year]).toBeLessThanOrEqual(0.06);
        for (const [name, shares] of Object.entries({ ...skill, ...search }))
          expect([name, shares[year] <= 0.08]).toEqual([name, true]);
      }
    }
    expect(power[2][10]).toBeGreaterThanOrEqual(0.9);
  },
  deadline(24 * 3_600_000),
);
