/** The changes of New York's clock: sessions before and after are loaded in time, and nothing is told. */
import { afterEach, expect, it } from '@jest/globals';
import { formatNewYork, requireDay } from '../../../engine/market/dates.ts';
import { DEFAULT_DEADLINES, dueAt } from '../../../jobs/contracts/session-steps.ts';
import { deadline } from '../../support/deadlines.ts';
import { SimulatedDays } from '../../support/simulated-days.ts';

let days: SimulatedDays | null = null;
afterEach(async () => {
  await days?.stop();
  days = null;
});

/** From a Friday to the Tuesday after the change. */
const CHANGES = [
  ['spring forward', '2025-03-07', '2025-03-11'],
  ['fall back', '2024-11-01', '2024-11-05'],
] as const;

it.each(CHANGES)('when clocks %s, deadlines stay at the same time in New York', (_, ...dates) => {
  const due = dates.map((date) => formatNewYork(dueAt(DEFAULT_DEADLINES, 'load_consolidated', requireDay(date))));
  expect(due.map((text) => text.slice(11, 19))).toEqual(['08:00:00', '08:00:00']);
  expect(new Set(due.map((text) => text.slice(19))).size).toBe(2);
});

it.each(CHANGES)(
  'when clocks %s, sessions are in time and no check fails',
  async (_, first, last) => {
    const [start, end] = [requireDay(first), requireDay(last)];
    days = await SimulatedDays.start(start);
    await days.goOnTo(end);
    expect(days.alarms).toEqual([]);
    expect(await days.sessionsNotInTime(start, end - 1)).toEqual([]);
  },
  deadline(120_000),
);
