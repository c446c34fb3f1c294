/** A small calibration of outcomes: of conditions that know nothing of what follows, few are called. */
import { expect, it } from '@jest/globals';
import { deadline } from '../../support/deadlines.ts';
import { calledOutcomes, HORIZONS } from './outcomes.ts';

const CONDITIONS = 40;

it(
  'calls few differences after hits of conditions without skill, and some',
  async () => {
    const { none } = await calledOutcomes(CONDITIONS);
    const kinds = Object.values(none);
    for (const horizon of HORIZONS) {
      const share = kinds.reduce((sum, shares) => sum + shares[horizon], 0) / kinds.length;
      expect(share).toBeGreaterThan(0.005);
      expect(share).toBeLessThan(0.1);
    }
  },
  deadline(120_000),
);
