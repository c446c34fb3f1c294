/** When a value that was known at some time is seen first: at the close of a session. */
import { isEarlyClose, isSession } from './calendar.ts';
import { type Day, dayOf, formatDay, formatNewYork, newYorkTime } from './dates.ts';

/** A time in New York. `second` is null when only the day is known. */
export interface KnownAt {
  readonly day: Day;
  readonly second: number | null;
}

export interface SightRules {
  /** `later`: the date lies ahead of the value, and does not hold it back. */
  readonly about: 'value' | 'later';
  /** Whether a value of a day was known before or after the close of that day. */
  readonly dayMeans: 'after_close' | 'before_close';
  /** Sessions after its date at whose close a value without a time is known. */
  readonly lag: number;
}

/** The days of values and of the times at which they are known. */
export const FIRST_COLUMN_DAY: Day = dayOf(1962, 1, 2);
export const LAST_COLUMN_DAY: Day = dayOf(2099, 12, 31);

/** Sessions of those days and of a year more, and for each day how many of them came before. */
const calendar = lazily(() => {
  const sessions: Day[] = [];
  const before = new Int32Array(LAST_COLUMN_DAY + 366 - FIRST_COLUMN_DAY);
  for (let i = 0; i < before.length; i++) {
    before[i] = sessions.length;
    if (isSession(FIRST_COLUMN_DAY + i)) sessions.push(FIRST_COLUMN_DAY + i);
  }
  const closes = sessions.map((day) => (isEarlyClose(day) ? 13 : 16) * 3_600);
  return { sessions: Int32Array.from(sessions), closes: Int32Array.from(closes), before };
});

function lazily<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

/** The place among sessions of the first one on or after a day. */
function sessionIndex(day: Day): number {
  return calendar().before[day - FIRST_COLUMN_DAY];
}

/** The session `lag` sessions after a day: for 0 the first one on or after it. */
function sessionLater(day: Day, lag: number): Day {
  const { sessions, before } = calendar();
  const passed = lag === 0 ? before[day - FIRST_COLUMN_DAY] : before[day + 1 - FIRST_COLUMN_DAY] - 1;
  return sessions[Math.min(passed + lag, sessions.length - 1)];
}

/** The second of the day in New York at which a session closes. */
function closeSecond(session: Day): number {
  return calendar().closes[sessionIndex(session)];
}

/**
 * The session at whose close a value is seen first. A time counts to the second, a day from the next session on unless `dayMeans`
 * says otherwise; no value is seen before its date. Days lie between `FIRST_COLUMN_DAY` and `LAST_COLUMN_DAY`.
 */
export function seenFrom(date: Day, { day, second }: KnownAt, { about, dayMeans }: Omit<SightRules, 'lag'>): Day {
  let seen = sessionLater(day, second === null && dayMeans === 'after_close' ? 1 : 0);
  if (second !== null && seen === day && second > closeSecond(seen)) seen = sessionLater(day, 1);
  return about === 'later' ? seen : Math.max(seen, sessionLater(date, 0));
}

/** The close at which a value without a time is known. */
export function knownByLag(date: Day, lag: number): { readonly day: Day; readonly second: number } {
  const day = sessionLater(date, lag);
  return { day, second: closeSecond(day) };
}

/** A day, or a time in New York with its offset. `second`: negative where only the day is known. */
export function formatKnownAt(day: Day, second: number): string {
  return second < 0 ? formatDay(day) : formatNewYork(newYorkTime(day, 0, second / 60));
}
