/**
 * Bars in columns, oldest first: one typed array per field, no object per bar. Prices are in the instrument's currency,
 * volume is in shares.
 */
import { lowerBound } from '../util/values.ts';
import { civilDate, type Day, weekStart } from './dates.ts';
import { columnsThrough, type OwnColumns } from './own-columns.ts';

/** An event that a series was adjusted for: prices before its day were multiplied by `price`, volumes divided by `shares`. */
export interface AppliedEvent {
  readonly day: Day;
  readonly price: number;
  readonly shares: number;
}

/** A cash dividend: the price falls to `factor` of the close before its ex-day. */
export interface CashDividend {
  readonly exDay: Day;
  readonly factor: number;
}

/** The delisting after the last bar of an instrument. */
export interface Delisting {
  /** Return of holders after the last close, in percent of it; null: not known. */
  readonly returnPct: number | null;
  /** Where it was listed. */
  readonly venue: string;
}

export interface BarSeries {
  readonly length: number;
  readonly day: Int32Array;
  readonly open: Float64Array;
  readonly high: Float64Array;
  readonly low: Float64Array;
  readonly close: Float64Array;
  readonly volume: Float64Array;
  /** Oldest first; none in a series as traded. */
  readonly adjustedFor: readonly AppliedEvent[];
  /** Only where the last bar is the last one of a delisted instrument. */
  readonly delisting?: Delisting | undefined;
  /** Absent: the first bar counts. */
  readonly listedOn?: Day | undefined;
  /** Up to the last bar, in a series that was adjusted to it. Absent: there are none. */
  readonly dividends?: readonly CashDividend[] | undefined;
  /** Over the days of each bar; only where a bar is a whole period (`period-bars.ts`). */
  readonly sums?: { readonly dollarVolume: Float64Array; readonly dividend: Float64Array };
  /** The own columns that rules may name. Absent: there are none. */
  readonly own?: OwnColumns | undefined;
}

export const PRICE_COLUMNS = ['open', 'high', 'low', 'close'] as const;
export const VALUE_COLUMNS = ['open', 'high', 'low', 'close', 'volume'] as const;

/** Size of one bar in memory, in bytes: an Int32 day and five Float64 values. */
export const BYTES_PER_BAR = 44;

/** The columns share one block of memory, because allocating is what costs where a whole market is read. */
export function allocateSeries(length: number, adjustedFor: BarSeries['adjustedFor'] = []): BarSeries {
  const memory = new ArrayBuffer(length * BYTES_PER_BAR);
  const column = (i: number) => new Float64Array(memory, i * length * Float64Array.BYTES_PER_ELEMENT, length);
  return {
    length,
    day: new Int32Array(memory, VALUE_COLUMNS.length * length * Float64Array.BYTES_PER_ELEMENT, length),
    open: column(0),
    high: column(1),
    low: column(2),
    close: column(3),
    volume: column(4),
    adjustedFor,
  };
}

export const EMPTY_SERIES: BarSeries = allocateSeries(0);

/** Bars `from` (included) to `to` (excluded), sharing memory with `series`. */
export function sliceSeries(series: BarSeries, from: number, to: number): BarSeries {
  return {
    length: Math.max(0, to - from),
    day: series.day.subarray(from, to),
    open: series.open.subarray(from, to),
    high: series.high.subarray(from, to),
    low: series.low.subarray(from, to),
    close: series.close.subarray(from, to),
    volume: series.volume.subarray(from, to),
    adjustedFor: series.adjustedFor,
    delisting: from < to && to === series.length ? series.delisting : undefined,
    ...factsOf(series),
    own: series.own && from < to && to < series.length ? columnsThrough(series.own, series.day[to - 1]) : series.own,
  };
}

/** The facts of an instrument that stay with a part of its bars. */
export function factsOf({ listedOn, dividends }: BarSeries): Pick<BarSeries, 'listedOn' | 'dividends'> {
  return { listedOn, dividends };
}

/** The value of a share at the last close, or at a delisting whose return is known, after it. */
export function settledClose({ close, delisting }: Pick<BarSeries, 'close' | 'delisting'>): number {
  return close[close.length - 1] * (1 + (delisting?.returnPct ?? 0) / 100);
}

/** The closes, or other prices, of which the last one includes the return of a delisting. */
export function heldPrices({ close, delisting }: Pick<BarSeries, 'close' | 'delisting'>, prices = close): Float64Array {
  if (typeof delisting?.returnPct !== 'number') return prices;
  const held = prices.slice();
  held[held.length - 1] = settledClose({ close: prices, delisting });
  return held;
}

/** Memory for one series after another: each overwrites the one before. */
export function reusedMemory(): (length: number) => BarSeries {
  let memory = EMPTY_SERIES;
  return (length) => {
    if (length > memory.length) memory = allocateSeries(2 * length);
    return sliceSeries(memory, 0, length);
  };
}

/** A copy with memory of its own. */
export function copySeries(series: BarSeries): BarSeries {
  const copy = allocateSeries(series.length, series.adjustedFor);
  copyBars(series, copy, 0);
  return { ...copy, ...factsOf(series), delisting: series.delisting, own: series.own };
}

/** Puts the bars of one series into another, from index `at` on. */
export function copyBars(from: BarSeries, to: BarSeries, at: number): void {
  to.day.set(from.day, at);
  for (const column of VALUE_COLUMNS) to[column].set(from[column], at);
}

/** A copy of the days and closes. The other columns are empty. */
export function closesOf(series: BarSeries): BarSeries {
  const { length, day, close, adjustedFor, delisting, own } = series;
  const closes = { length, day: day.slice(), close: close.slice() };
  return { ...EMPTY_SERIES, ...closes, ...factsOf(series), adjustedFor, delisting, own };
}

/** The bars of all parts, one after the other. A single part shares its memory. */
export function joinSeries(parts: readonly BarSeries[]): BarSeries {
  if (parts.length < 2) return parts[0] ?? EMPTY_SERIES;
  const joined = allocateSeries(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    copyBars(part, joined, at);
    at += part.length;
  }
  return joined;
}

/** Index of the first bar whose day is not before `day`; `series.length` if there is none. */
export function firstIndexFrom(series: BarSeries, day: Day): number {
  return lowerBound(series.day, day);
}

/** The bars with `start` ≤ day ≤ `end`. */
export function sliceByDay(series: BarSeries, start: Day, end: Day): BarSeries {
  const from = firstIndexFrom(series, start);
  return sliceSeries(series, from, Math.max(from, firstIndexFrom(series, end + 1)));
}

/** The bars on the days that `keeps` accepts. */
export function keepDays(series: BarSeries, keeps: (day: Day) => boolean): BarSeries {
  const kept = series.day.map((_, i) => i).filter((i) => keeps(series.day[i]));
  if (kept.length === series.length) return series;
  const out = allocateSeries(kept.length);
  out.day.set(kept.map((i) => series.day[i]));
  for (const column of VALUE_COLUMNS) out[column].set(Float64Array.from(kept, (i) => series[column][i]));
  const facts = { ...factsOf(series), own: series.own };
  return { ...out, ...facts, delisting: kept.at(-1) === series.length - 1 ? series.delisting : undefined };
}

/** A power takes longer than the rest of a rounding. */
const SCALES = Array.from({ length: 13 }, (_, decimals) => 10 ** decimals);

export function roundTo(value: number, decimals: number): number {
  const scale = SCALES[decimals] ?? 10 ** decimals;
  return Math.round(value * scale) / scale;
}

type Bar = Readonly<Record<(typeof VALUE_COLUMNS)[number], number>>;

/** The series with other bars on some days; null: no bar. */
export function withBars(series: BarSeries, changed: ReadonlyMap<Day, Bar | null>): BarSeries {
  if (changed.size === 0) return series;
  const kept = Array.from(series.day, (day, index) => ({ day, index })).filter(({ day }) => !changed.has(day));
  const added = [...changed].flatMap(([day, bar]) => (bar ? [{ day, bar }] : []));
  const all = [...kept, ...added].sort((a, b) => a.day - b.day);
  const result = allocateSeries(all.length);
  all.forEach((one, i) => {
    result.day[i] = one.day;
    for (const column of VALUE_COLUMNS) result[column][i] = 'bar' in one ? one.bar[column] : series[column][one.index];
  });
  return { ...result, ...factsOf(series), own: series.own };
}

export const PERIODS = ['day', 'week', 'month'] as const;
export type Period = (typeof PERIODS)[number];

/** Whether two days are in one bar of the period. */
export function isSameBar(a: Day, b: Day, period: Period): boolean {
  if (period === 'day') return a === b;
  return period === 'week' ? weekStart(a) === weekStart(b) : monthKey(a) === monthKey(b);
}

function monthKey(day: Day): number {
  const { year, month } = civilDate(day);
  return year * 12 + month;
}

/**
 * Open is the first, close the last, high and low are the extremes, volume is the sum; the day of a bar is its newest
 * session. A week runs from Monday to Friday. The last week or month is included even before it ends.
 */
export function resample(series: BarSeries, period: Period): BarSeries {
  if (period === 'day' || series.length === 0) return series;
  const keyOf = period === 'week' ? weekStart : monthKey;
  const out = allocateSeries(series.length);
  let last = -1;
  let currentKey = Number.NaN;
  for (let i = 0; i < series.length; i++) {
    const key = keyOf(series.day[i]);
    if (key !== currentKey) {
      currentKey = key;
      last++;
      out.open[last] = series.open[i];
      out.high[last] = series.high[i];
      out.low[last] = series.low[i];
    }
    out.high[last] = Math.max(out.high[last], series.high[i]);
    out.low[last] = Math.min(out.low[last], series.low[i]);
    out.volume[last] += series.volume[i];
    out.close[last] = series.close[i];
    out.day[last] = series.day[i];
  }
  return { ...sliceSeries(out, 0, last + 1), own: series.own };
}
