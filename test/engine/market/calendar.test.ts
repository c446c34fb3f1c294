import { describe, expect, it } from '@jest/globals';
import {
  isEarlyClose,
  isSession,
  newestDistributableDay,
  sessionClose,
  sessionsAfter,
  sessionsBetween,
} from '../../../engine/market/calendar.ts';
import { dayOf, formatDay, formatNewYork, newYorkDay, parseDay, requireDay } from '../../../engine/market/dates.ts';

const day = requireDay;
const closedWeekdays = (year: number) => {
  const days: string[] = [];
  for (let d = dayOf(year, 1, 1); d <= dayOf(year, 12, 31); d++) {
    const weekend = [0, 6].includes(new Date(d * 86_400_000).getUTCDay());
    if (!weekend && !isSession(d)) days.push(formatDay(d));
  }
  return days;
};

describe('NYSE calendar', () => {
  // Source: NYSE's published holiday lists.
  it.each([
    [2012, ['01-02', '01-16', '02-20', '04-06', '05-28', '07-04', '09-03', '10-29', '10-30', '11-22', '12-25']],
    [2021, ['01-01', '01-18', '02-15', '04-02', '05-31', '07-05', '09-06', '11-25', '12-24']],
    [2022, ['01-17', '02-21', '04-15', '05-30', '06-20', '07-04', '09-05', '11-24', '12-26']],
    [2024, ['01-01', '01-15', '02-19', '03-29', '05-27', '06-19', '07-04', '09-02', '11-28', '12-25']],
    [2025, ['01-01', '01-09', '01-20', '02-17', '04-18', '05-26', '06-19', '07-04', '09-01', '11-27', '12-25']],
    [2026, ['01-01', '01-19', '02-16', '04-03', '05-25', '06-19', '07-03', '09-07', '11-26', '12-25']],
  ])('is closed on the holidays of %i', (year, days) => {
    expect(closedWeekdays(year)).toEqual(days.map((d) => `${year}-${d}`));
  });

  it('counts the sessions of a year', () => {
    expect(sessionsBetween(day('2024-01-01'), day('2024-12-31'))).toHaveLength(252);
    expect(sessionsBetween(day('2025-01-01'), day('2025-12-31'))).toHaveLength(250);
    expect(sessionsAfter(day('2026-11-20'), day('2026-11-27'))).toBe(4);
  });

  it('closes early on half days', () => {
    const halfDays = ['2024-07-03', '2024-11-29', '2024-12-24', '2025-07-03', '2025-11-28', '2025-12-24', '2026-11-27'];
    expect(halfDays.map(day).every(isEarlyClose)).toBe(true);
    expect(['2026-07-02', '2021-12-23', '2025-11-26'].map(day).some(isEarlyClose)).toBe(false);
  });

  it('writes the close with the offset of the day', () => {
    expect(formatNewYork(sessionClose(day('2026-11-20')))).toBe('2026-11-20T16:00:00-05:00');
    expect(formatNewYork(sessionClose(day('2026-07-10')))).toBe('2026-07-10T16:00:00-04:00');
    expect(formatNewYork(sessionClose(day('2026-11-27')))).toBe('2026-11-27T13:00:00-05:00');
  });

  it.each([
    ['2026-11-21T04:59:59Z', '2026-11-20'],
    ['2026-11-21T05:00:00Z', '2026-11-21'],
    ['2026-07-01T03:59:59Z', '2026-06-30'],
    ['2026-07-01T04:00:00Z', '2026-07-01'],
    ['2026-03-08T06:59:59Z', '2026-03-08'],
    ['2026-03-09T03:59:59Z', '2026-03-08'],
    ['2026-03-09T04:00:00Z', '2026-03-09'],
    ['2026-11-01T03:59:59Z', '2026-10-31'],
    ['2026-11-02T05:00:00Z', '2026-11-02'],
  ])('finds the New York day at %s', (instant, expected) => {
    const day = newYorkDay(Date.parse(instant));
    expect(formatDay(day)).toBe(expected);
    expect(newestDistributableDay(Date.parse(instant))).toBe(day - 1);
  });

  it('agrees with the time-zone database on every hour of three years', () => {
    const format = new Intl.DateTimeFormat('en-CA', { timeZone: 'America/New_York' });
    for (let t = Date.UTC(2005, 0, 1); t < Date.UTC(2008, 0, 1); t += 3_600_000) {
      if (formatDay(newYorkDay(t)) !== format.format(t)) throw new Error(new Date(t).toISOString());
    }
  });

  it.each(['2025-02-30', '2025-13-01', '25-01-01', '2025-1-1', '2025-01-01T00:00:00Z', ''])(
    'refuses "%s" as a day',
    (text) => {
      expect(parseDay(text)).toBeNull();
      expect(() => requireDay(text)).toThrow(RangeError);
    },
  );
});
