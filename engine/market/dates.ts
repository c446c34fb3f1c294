/** Calendar days and exchange time (America/New_York). */
import { tzOffset, tzScan } from '@date-fns/tz';

declare const unit: unique symbol;

/**
 * A calendar day: the number of days since 1970-01-01. Bars carry days in an Int32Array, comparisons are integer
 * comparisons, and no time zone plays a part. The compiler accepts a plain number as a day, but not an instant.
 */
export type Day = number & { readonly [unit]?: 'day' };

/** An instant: milliseconds since 1970-01-01T00:00:00Z. */
export type EpochMs = number & { readonly [unit]?: 'ms' };

export const MS_PER_DAY = 86_400_000;
const MS_PER_HOUR = 3_600_000;

export interface CivilDate {
  readonly year: number;
  /** 1 to 12 */
  readonly month: number;
  /** 1 to 31 */
  readonly dayOfMonth: number;
}

export function dayOf(year: number, month: number, dayOfMonth: number): Day {
  return Date.UTC(year, month - 1, dayOfMonth) / MS_PER_DAY;
}

export function civilDate(day: Day): CivilDate {
  const date = new Date(day * MS_PER_DAY);
  return { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, dayOfMonth: date.getUTCDate() };
}

/** Before and after every day of a market: for open ends of ranges. */
export const FAR_PAST: Day = -1_000_000;
export const FAR_FUTURE: Day = dayOf(9999, 12, 31);

/** 0 = Sunday … 6 = Saturday. */
export function weekday(day: Day): number {
  return (((day + 4) % 7) + 7) % 7;
}

/** Monday of the week that holds `day`. */
export function weekStart(day: Day): Day {
  return day - ((weekday(day) + 6) % 7);
}

const ISO_DAY = /^(\d{4})-(\d{2})-(\d{2})$/;

/** The day of a YYYY-MM-DD text; null when the text is malformed or is not a day (2025-02-30). */
export function parseDay(text: string): Day | null {
  const match = ISO_DAY.exec(text);
  if (!match) return null;
  const [year, month, dayOfMonth] = [Number(match[1]), Number(match[2]), Number(match[3])];
  // The years before are taken for those of the last century.
  if (year < 100 || month < 1 || month > 12) return null;
  const day = dayOf(year, month, dayOfMonth);
  return new Date(day * MS_PER_DAY).getUTCDate() === dayOfMonth ? day : null;
}

/** The day of a YYYY-MM-DD text that is known to be one, such as a DATE of the database; a RangeError otherwise. */
export function requireDay(text: string): Day {
  const day = parseDay(text);
  if (day === null) throw new RangeError(`not a day: ${text}`);
  return day;
}

/** YYYY-MM-DD. */
export function formatDay(day: Day): string {
  return new Date(day * MS_PER_DAY).toISOString().slice(0, 10);
}

/** `formatDay` with a cache: bars of all symbols share a few thousand days. */
export function formatDayCached(day: Day): string {
  let text = formatted.get(day);
  if (text === undefined) {
    if (formatted.size > 50_000) formatted.clear();
    text = formatDay(day);
    formatted.set(day, text);
  }
  return text;
}
const formatted = new Map<Day, string>();

/** n-th such weekday of a month (n from 1), or the last one (n = -1). */
export function nthWeekday(year: number, month: number, wanted: number, n: number): Day {
  if (n > 0) {
    const first = dayOf(year, month, 1);
    return first + ((wanted - weekday(first) + 7) % 7) + 7 * (n - 1);
  }
  const last = dayOf(year, month + 1, 1) - 1;
  return last - ((weekday(last) - wanted + 7) % 7);
}

const NEW_YORK = 'America/New_York';

/** An offset from UTC, in milliseconds, that holds from an instant on. */
interface Offset {
  readonly from: EpochMs;
  readonly ms: number;
}

/** New York's offsets in a UTC year, newest first. Cached, because the time-zone library takes microseconds for each instant. */
const offsetsByYear = new Map<number, readonly Offset[]>();

function offsetsIn(year: number): readonly Offset[] {
  const known = offsetsByYear.get(year);
  if (known) return known;
  const [start, end] = [dayOf(year, 1, 1), dayOf(year + 1, 1, 1)].map((day) => new Date(day * MS_PER_DAY));
  const changes = tzScan(NEW_YORK, { start, end });
  const offsets = [{ date: start, offset: tzOffset(NEW_YORK, start) }, ...changes]
    .map(({ date, offset }) => ({ from: date.getTime(), ms: offset * 60_000 }))
    .reverse();
  offsetsByYear.set(year, offsets);
  return offsets;
}

function newYorkOffset(epochMs: EpochMs): number {
  const offsets = offsetsIn(new Date(epochMs).getUTCFullYear());
  return (offsets.find(({ from }) => from <= epochMs) ?? offsets[offsets.length - 1]).ms;
}

/**
 * Epoch milliseconds of a New York wall-clock time. Clocks change at 02:00: in spring the hour from then on does not exist, in
 * fall the hour before occurs twice and the first one counts.
 */
export function newYorkTime(day: Day, hour: number, minute = 0): EpochMs {
  const wall = day * MS_PER_DAY + hour * MS_PER_HOUR + minute * 60_000;
  const before = newYorkOffset(wall - MS_PER_DAY);
  return wall - newYorkOffset(wall - before);
}

/** The calendar day in New York at an instant. */
export function newYorkDay(epochMs: EpochMs): Day {
  return Math.floor((epochMs + newYorkOffset(epochMs)) / MS_PER_DAY);
}

/** ISO text with New York's offset, e.g. `2026-11-20T16:00:00-05:00`. */
export function formatNewYork(epochMs: EpochMs): string {
  const offset = newYorkOffset(epochMs);
  const local = new Date(epochMs + offset).toISOString().slice(0, 19);
  return `${local}-${new Date(-offset).toISOString().slice(11, 16)}`;
}
