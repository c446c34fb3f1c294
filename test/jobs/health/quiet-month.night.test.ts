/** Thirty days with weekends, a change of the clock, a holiday, and a half day: no check fails at any moment. */
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { holidayOn, isEarlyClose } from '../../../engine/market/calendar.ts';
import { requireDay } from '../../../engine/market/dates.ts';
import { deadline } from '../../support/deadlines.ts';
import { SimulatedDays } from '../../support/simulated-days.ts';

const FIRST = requireDay('2024-11-01');
const LAST = FIRST + 30;

let days: SimulatedDays;
beforeAll(async () => {
  days = await SimulatedDays.start(FIRST);
}, deadline(120_000));
afterAll(() => days.stop());

it(
  'tells of nothing, twice each hour',
  async () => {
    const all = Array.from({ length: LAST - FIRST }, (_, i) => FIRST + i);
    expect([all.some(isEarlyClose), all.some((day) => holidayOn(day) !== null)]).toEqual([true, true]);
    await days.goOnTo(LAST);
    expect(days.alarms).toEqual([]);
    expect(await days.sessionsNotInTime(FIRST, LAST - 1)).toEqual([]);
    expect(days.rounds).toBeGreaterThan(1_400);
  },
  deadline(600_000),
);
