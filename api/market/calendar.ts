/** Sessions and holidays: `/v1/calendar`. */
import {
  holidayOn,
  isEarlyClose,
  sessionAfter,
  sessionClose,
  sessionOpen,
  sessionsBetween,
} from '../../engine/market/calendar.ts';
import { type Day, dayOf, type EpochMs, formatDay, formatNewYork, newYorkDay } from '../../engine/market/dates.ts';
import { assertDayRange, instant, z } from '../http/input/fields.ts';
import { refuse } from '../http/input/request-failure.ts';
import { day } from './schemas.ts';

/** The days that the rules of the calendar cover. */
const FIRST_DAY = dayOf(1971, 1, 1);
const LAST_DAY = dayOf(2099, 12, 31);
const MOST_DAYS = 3_660;
const USUAL_DAYS = 90;

const bell = z.iso.datetime({ offset: true });

export const calendarSchema = z
  .object({
    now: instant,
    next_open: bell.meta({ description: 'The next opening bell, with UTC offset' }),
    sessions: z.array(z.object({ date: day, open: bell, close: bell, half_day: z.boolean() })),
    holidays: z
      .array(z.object({ date: day, name: z.string() }))
      .meta({ description: 'Days other than Saturdays and Sundays without a session; names are English' }),
  })
  .meta({ id: 'Calendar' });

export interface CalendarRange {
  /** Default: today in New York. */
  readonly start?: Day | undefined;
  /** Default: 90 days after the start. */
  readonly end?: Day | undefined;
}

/** Throws for a range that the rules do not cover, or of more than ten years. */
export function calendarOf(
  now: EpochMs,
  { start = newYorkDay(now), ...range }: CalendarRange,
): z.input<typeof calendarSchema> {
  assertWithinDays('start', start, FIRST_DAY, LAST_DAY);
  const { end = Math.min(start + USUAL_DAYS, LAST_DAY) } = range;
  assertDayRange({ start, end });
  assertWithinDays('end', end, start, Math.min(start + MOST_DAYS, LAST_DAY));
  const days = Array.from({ length: end - start + 1 }, (_, i) => start + i);
  return {
    now: new Date(now).toISOString(),
    next_open: formatNewYork(nextOpen(now)),
    sessions: sessionsBetween(start, end).map((session) => ({
      date: formatDay(session),
      open: formatNewYork(sessionOpen(session)),
      close: formatNewYork(sessionClose(session)),
      half_day: isEarlyClose(session),
    })),
    holidays: days.flatMap((one) => {
      const name = holidayOn(one);
      return name === null ? [] : [{ date: formatDay(one), name }];
    }),
  };
}

function assertWithinDays(name: string, one: Day, min: Day, max: Day): void {
  if (one >= min && one <= max) return;
  refuse(['query', name], { code: 'not_between', details: { min: formatDay(min), max: formatDay(max) } });
}

function nextOpen(now: EpochMs): EpochMs {
  const today = sessionAfter(newYorkDay(now) - 1);
  const open = sessionOpen(today);
  return open > now ? open : sessionOpen(sessionAfter(today));
}
