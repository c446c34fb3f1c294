/**
 * The NYSE trading calendar: rules for the holidays since 1971, a list for closures that no rule covers, and early
 * closes at 13:00 New York time. Source: NYSE Rule 7.2 and the exchange's published holiday lists.
 */
import { civilDate, type Day, dayOf, type EpochMs, newYorkDay, newYorkTime, nthWeekday, weekday } from './dates.ts';

const SUNDAY = 0;
const MONDAY = 1;
const WEDNESDAY = 3;
const THURSDAY = 4;
const SATURDAY = 6;

/** Closures outside the rules, by their reasons. */
const SPECIAL_CLOSURES: ReadonlyMap<Day, string> = new Map([
  [dayOf(1972, 12, 28), 'Mourning for Harry S. Truman'],
  [dayOf(1973, 1, 25), 'Mourning for Lyndon B. Johnson'],
  [dayOf(1977, 7, 14), 'New York City blackout'],
  [dayOf(1985, 9, 27), 'Hurricane Gloria'],
  [dayOf(1994, 4, 27), 'Mourning for Richard Nixon'],
  [dayOf(2001, 9, 11), 'September 11 attacks'],
  [dayOf(2001, 9, 12), 'September 11 attacks'],
  [dayOf(2001, 9, 13), 'September 11 attacks'],
  [dayOf(2001, 9, 14), 'September 11 attacks'],
  [dayOf(2004, 6, 11), 'Mourning for Ronald Reagan'],
  [dayOf(2007, 1, 2), 'Mourning for Gerald Ford'],
  [dayOf(2012, 10, 29), 'Hurricane Sandy'],
  [dayOf(2012, 10, 30), 'Hurricane Sandy'],
  [dayOf(2018, 12, 5), 'Mourning for George H. W. Bush'],
  [dayOf(2025, 1, 9), 'Mourning for Jimmy Carter'],
]);

/** A holiday on a Sunday is observed on Monday, a holiday on a Saturday on the Friday before. */
function observed(day: Day): Day {
  if (weekday(day) === SUNDAY) return day + 1;
  if (weekday(day) === SATURDAY) return day - 1;
  return day;
}

/** Gregorian Easter Sunday (Meeus/Jones/Butcher). */
function easterSunday(year: number): Day {
  const a = year % 19;
  const b = Math.floor(year / 100);
  const c = year % 100;
  const d = Math.floor(b / 4);
  const e = b % 4;
  const g = Math.floor((8 * b + 13) / 25);
  const h = (19 * a + b - d - g + 15) % 30;
  const i = Math.floor(c / 4);
  const k = c % 4;
  const l = (32 + 2 * e + 2 * i - h - k) % 7;
  const m = Math.floor((a + 11 * h + 22 * l) / 451);
  const month = Math.floor((h + l - 7 * m + 114) / 31);
  return dayOf(year, month, ((h + l - 7 * m + 114) % 31) + 1);
}

function holidaysOf(year: number): ReadonlyMap<Day, string> {
  const newYear = dayOf(year, 1, 1);
  const days = new Map([
    // The Friday before a New Year's Day on a Saturday is a session: it belongs to the old year's books.
    [weekday(newYear) === SATURDAY ? newYear : observed(newYear), "New Year's Day"],
    [nthWeekday(year, 2, MONDAY, 3), "Washington's Birthday"],
    [easterSunday(year) - 2, 'Good Friday'],
    [nthWeekday(year, 5, MONDAY, -1), 'Memorial Day'],
    [observed(dayOf(year, 7, 4)), 'Independence Day'],
    [nthWeekday(year, 9, MONDAY, 1), 'Labor Day'],
    [nthWeekday(year, 11, THURSDAY, 4), 'Thanksgiving Day'],
    [observed(dayOf(year, 12, 25)), 'Christmas Day'],
  ]);
  if (year >= 1998) days.set(nthWeekday(year, 1, MONDAY, 3), 'Martin Luther King Jr. Day');
  if (year >= 2022) days.set(observed(dayOf(year, 6, 19)), 'Juneteenth');
  if (year <= 1980 && year % 4 === 0) days.set(nthWeekday(year, 11, MONDAY, 1) + 1, 'Election Day');
  return days;
}

const holidaysByYear = new Map<number, ReadonlyMap<Day, string>>();

/** Why the exchange is closed on a day that is not of a weekend, in English; null: it trades, or it is a weekend. */
export function holidayOn(day: Day): string | null {
  if (isWeekend(day)) return null;
  const { year } = civilDate(day);
  let holidays = holidaysByYear.get(year);
  if (!holidays) {
    holidays = holidaysOf(year);
    holidaysByYear.set(year, holidays);
  }
  return SPECIAL_CLOSURES.get(day) ?? holidays.get(day) ?? null;
}

function isWeekend(day: Day): boolean {
  const wd = weekday(day);
  return wd === SUNDAY || wd === SATURDAY;
}

/** Whether the exchange trades on `day`. */
export function isSession(day: Day): boolean {
  return !isWeekend(day) && holidayOn(day) === null;
}

/** Half days outside the rules: Fridays after a holiday on a Thursday, and the last session of 1999. */
const SPECIAL_EARLY_CLOSES: ReadonlySet<Day> = new Set([
  dayOf(1996, 7, 5),
  dayOf(1997, 12, 26),
  dayOf(1999, 12, 31),
  dayOf(2002, 7, 5),
  dayOf(2003, 12, 26),
]);

/** Half days since 1993: the day after Thanksgiving, 3 July (not on a Wednesday until 2012) and 24 December when they are sessions. */
export function isEarlyClose(day: Day): boolean {
  const { year, month, dayOfMonth } = civilDate(day);
  if (year < 1993 || !isSession(day)) return false;
  if (month === 11) return day === nthWeekday(year, 11, THURSDAY, 4) + 1;
  if (month === 7 && dayOfMonth === 3) return year >= 2013 || weekday(day) !== WEDNESDAY;
  return (month === 12 && dayOfMonth === 24) || SPECIAL_EARLY_CLOSES.has(day);
}

/** Minutes of the regular session: 390, or 210 on a half day. */
export function sessionMinutes(day: Day): number {
  return isEarlyClose(day) ? 210 : 390;
}

/** Epoch milliseconds of the opening bell (09:30 New York). */
export function sessionOpen(day: Day): EpochMs {
  return newYorkTime(day, 9, 30);
}

/** Epoch milliseconds of the closing bell (16:00 or 13:00 New York). */
export function sessionClose(day: Day): EpochMs {
  return newYorkTime(day, isEarlyClose(day) ? 13 : 16);
}

/** The newest session on or before `day`. */
export function sessionAtOrBefore(day: Day): Day {
  let d = day;
  while (!isSession(d)) d -= 1;
  return d;
}

/** The first session after `day`. */
export function sessionAfter(day: Day): Day {
  let d = day + 1;
  while (!isSession(d)) d += 1;
  return d;
}

/** The newest session on or before `day` that is the last one of its month. */
export function monthEndAtOrBefore(day: Day): Day {
  const session = sessionAtOrBefore(day);
  const { year, month } = civilDate(session);
  const isLast = civilDate(sessionAfter(session)).month !== month;
  return isLast ? session : sessionAtOrBefore(dayOf(year, month, 1) - 1);
}

/** All sessions from `start` to `end` (both included), oldest first. */
export function sessionsBetween(start: Day, end: Day): Day[] {
  const days: Day[] = [];
  for (let day = start; day <= end; day++) if (isSession(day)) days.push(day);
  return days;
}

/** Number of sessions after `from` up to and including `to`. */
export function sessionsAfter(from: Day, to: Day): number {
  let count = 0;
  for (let day = from + 1; day <= to; day++) if (isSession(day)) count++;
  return count;
}

/**
 * T+1: a session may be distributed from 00:00 New York time of the calendar day after it. Returns the newest day
 * (session or not) that this allows at `epochMs`.
 */
export function newestDistributableDay(epochMs: EpochMs): Day {
  return newYorkDay(epochMs) - 1;
}

/** Distribution modes: how recent the bars may be that leave the service. */
export const DISTRIBUTION_MODES = ['eod_only', 'delayed', 'realtime'] as const;
export type DistributionMode = (typeof DISTRIBUTION_MODES)[number];

/** Calendar days, by New York time, between today and the newest day that may be distributed. */
export const DAYS_HELD_BACK: Readonly<Record<DistributionMode, number>> = { eod_only: 1, delayed: 0, realtime: 0 };
