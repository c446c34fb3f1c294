/** Ranges of days: selection of the bars of a backtest, and the reasons why bars do not fill a range. */
import { civilDate, type Day, dayOf } from './dates.ts';
import { type BarSeries, firstIndexFrom } from './series.ts';

export const TIME_RANGES = [
  'YTD',
  '1M',
  '3M',
  '6M',
  '1Y',
  '2Y',
  '3Y',
  '4Y',
  '5Y',
  '6Y',
  '7Y',
  '8Y',
  '10Y',
  'MAX',
] as const;
export type TimeRange = (typeof TIME_RANGES)[number];

/** First day of a range that counts back from `newest`; null: the whole history. */
export function rangeStart(range: TimeRange, newest: Day): Day | null {
  if (range === 'MAX') return null;
  const { year, month, dayOfMonth } = civilDate(newest);
  if (range === 'YTD') return dayOf(year, 1, 1);
  const count = Number.parseInt(range, 10);
  const months = year * 12 + (month - 1) - (range.endsWith('Y') ? 12 * count : count);
  const [toYear, toMonth] = [Math.floor(months / 12), (months % 12) + 1];
  const lastOfMonth = dayOf(toYear, toMonth + 1, 1) - 1;
  return Math.min(dayOf(toYear, toMonth, 1) + dayOfMonth - 1, lastOfMonth);
}

export const RANGE_REASONS = [
  'before_listing',
  'before_data_start',
  'after_delisting',
  'after_data_end',
  'not_loaded',
] as const;
export type RangeReason = (typeof RANGE_REASONS)[number];

export interface BarRange {
  /** Bars `from` (included) to `to` (excluded) of the series; equal when the range has no bar. */
  readonly from: number;
  readonly to: number;
  /** Reasons why the bars do not fill the requested range. */
  readonly reasons: readonly RangeReason[];
}

export interface Lifetime {
  readonly listedOn: Day | null;
  readonly delistedOn: Day | null;
}

/** The reason why a history begins after `start`; null: it begins in time. */
export function startReason(first: Day, start: Day, { listedOn }: Lifetime): RangeReason | null {
  if (start >= first) return null;
  return listedOn !== null && listedOn >= start ? 'before_listing' : 'before_data_start';
}

/** Selects the bars of a series between two days (null: open), with the reasons why they do not fill the range. */
export function selectRange(series: BarSeries, start: Day | null, end: Day | null, lifetime: Lifetime): BarRange {
  const from = start === null ? 0 : firstIndexFrom(series, start);
  const to = end === null ? series.length : firstIndexFrom(series, end + 1);
  const reasons: RangeReason[] = [];
  const { delistedOn } = lifetime;
  if (series.length > 0) {
    const [first, last] = [series.day[0], series.day[series.length - 1]];
    const reason = start === null ? null : startReason(first, start, lifetime);
    if (reason !== null) reasons.push(reason);
    if (end !== null && end > last) {
      reasons.push(delistedOn !== null && delistedOn <= end ? 'after_delisting' : 'after_data_end');
    }
  }
  return { from, to: Math.max(from, to), reasons };
}
