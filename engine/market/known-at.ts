/** When a value that was known at some time is seen first: at the close of a session. */
import { type Day, dayOf, type EpochMs, formatDayCached, formatNewYork, newYorkTime } from './dates.ts';
import { closeSecondOf, sessionAt, sessionsUpTo } from './session-index.ts';

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

/** The session `lag` sessions after a day: for 0 the first one on or after it. */
function sessionLater(day: Day, lag: number): Day {
  return sessionAt(lag === 0 ? sessionsUpTo(day - 1) : sessionsUpTo(day) - 1 + lag);
}

/**
 * The session at whose close a value is seen first. A time counts to the second, a day from the next session on unless `dayMeans`
 * says otherwise; no value is seen before its date. Days lie between `FIRST_COLUMN_DAY` and `LAST_COLUMN_DAY`.
 */
export function seenFrom(date: Day, { day, second }: KnownAt, { about, dayMeans }: Omit<SightRules, 'lag'>): Day {
  let seen = sessionLater(day, second === null && dayMeans === 'after_close' ? 1 : 0);
  if (second !== null && seen === day && second > closeSecondOf(seen)) seen = sessionLater(day, 1);
  return about === 'later' ? seen : Math.max(seen, sessionLater(date, 0));
}

/** The close at which a value without a time is known. */
export function knownByLag(date: Day, lag: number): { readonly day: Day; readonly second: number } {
  const day = sessionLater(date, lag);
  return { day, second: closeSecondOf(day) };
}

/** A day, or a time in New York with its offset. `second`: negative where only the day is known. Cached as days are. */
export function formatKnownAt(day: Day, second: number): string {
  if (second < 0) return formatDayCached(day);
  const at = newYorkTime(day, 0, second / 60);
  let text = formatted.get(at);
  if (text === undefined) {
    if (formatted.size > 50_000) formatted.clear();
    text = formatNewYork(at);
    formatted.set(at, text);
  }
  return text;
}
const formatted = new Map<EpochMs, string>();
