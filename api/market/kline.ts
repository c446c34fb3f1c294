/** Candles of an instrument. */
import { type Adjustment, adjustSeries, priceFactors, roundAdjusted } from '../../engine/market/adjust.ts';
import { sessionAfter } from '../../engine/market/calendar.ts';
import { type Day, FAR_FUTURE, FAR_PAST, formatDay, formatDayCached } from '../../engine/market/dates.ts';
import { startReasons } from '../../engine/market/history-gaps.ts';
import {
  type BarSeries,
  firstIndexFrom,
  isSameBar,
  type Period,
  resample,
  sliceByDay,
  sliceSeries,
} from '../../engine/market/series.ts';
import { type MissingSessions, tradableRange } from '../../engine/market/session-ledger.ts';
import { type RangeReason, startReason } from '../../engine/market/time-range.ts';
import { PLANS, type PlanCode } from '../access/plans.ts';
import { adjustField, dateField, periodField, queryInteger, z } from '../http/input/fields.ts';
import { labelText } from '../http/language/labels.ts';
import { joinSentences, type Locale } from '../http/language/locale.ts';
import { type DirectoryItem, instrumentFields } from './directory.ts';
import { type BarSpan, suspectNotes } from './doubts.ts';
import type { MarketView, ServedSeries } from './market-view.ts';
import type { klineSchema, missingSessionsSchema } from './schemas.ts';
import { consolidatedVenue, dayText, timelinessOf } from './timeliness.ts';

export const MAX_BARS = 10_000;
export const DEFAULT_BARS = 250;

export const klineQuery = z.object({
  period: periodField.prefault('day').meta({ description: 'The period of a bar' }),
  start: dateField.optional().meta({ description: 'The first day. Overrides `days`' }),
  end: dateField
    .optional()
    .meta({ description: 'The last day. Later days are clamped to the newest distributable day' }),
  days: queryInteger(1, MAX_BARS).prefault(DEFAULT_BARS).meta({
    description: 'How many of the newest bars to return, in units of the period. `start` overrides it',
    example: 5,
  }),
  adjust: adjustField.prefault('none').meta({
    description:
      '`qfq`, or `split`, adjusts bars before a split, reverse split, or stock dividend to the share count of the newest bar; `total` ' +
      'reinvests cash dividends and spin-offs at their ex-date too',
  }),
});

export type KlineRange = Readonly<z.output<typeof klineQuery>>;

type Kline = z.input<typeof klineSchema>;

/** Candles of an instrument, as `candlesOf`. */
export async function klineOf(...asked: Parameters<typeof candlesOf>): Promise<Kline> {
  const { head, bars } = await candlesOf(...asked);
  return { ...head, bars: toBars(bars) };
}

/**
 * Candles of an instrument: cut to the range, adjusted, then resampled. Throws `upstream_unavailable` when the range
 * includes published sessions that have been missing for too long.
 */
export async function candlesOf(
  market: MarketView,
  item: DirectoryItem,
  range: KlineRange,
  plan: PlanCode,
  locale: Locale,
): Promise<{ readonly head: Omit<Kline, 'bars'>; readonly bars: BarSeries }> {
  const { newestSession } = market;
  if (range.end === undefined || newestSession === null || range.end > newestSession) market.assertFresh();
  const served = await market.series(item);
  const floor = oldestDay(market, plan);
  const wanted = select(served, range, FAR_PAST);
  const selection = floor === FAR_PAST ? wanted : select(served, range, floor);
  const { bars, firstDay } = selection;
  const gaps = klineGaps(market, item, served, { ...selection, range, floor });
  const timeliness = timelinessOf(market, locale);
  const head = {
    ...instrumentFields(item),
    period: range.period,
    adjust: range.adjust,
    adjust_applied: firstDay !== null && isAdjusted(eventsOf(served, range.adjust), firstDay),
    ...consolidatedVenue(locale),
    delayed: timeliness.delayed,
    as_of: dayText(newestSession),
    timeliness,
    start: bars.length > 0 ? formatDay(bars.day[0]) : null,
    end: bars.length > 0 ? formatDay(bars.day[bars.length - 1]) : null,
    limited_by_plan: wanted.firstDay !== null && wanted.firstDay < floor,
    data_range: describeStart(item, served, range.start, bars, gaps.reasons, locale),
    missing_sessions: missingSessionsText(gaps.missing),
    notes: [
      ...(await notesOf(market, item, gaps, locale)),
      ...suspectNotes(market, spansOf(item, served, range, selection), locale),
    ],
    ...partialBars(market, item, served, selection, range.period),
    count: bars.length,
  };
  return { head, bars };
}

/** The oldest day of candles that a plan includes. */
export function oldestDay({ newestSession }: MarketView, plan: PlanCode): Day {
  const maxDays = PLANS[plan].quotas.kline_max_days;
  return maxDays === null || newestSession === null ? FAR_PAST : newestSession - maxDays + 1;
}

interface Selection {
  readonly bars: BarSeries;
  /** The day of the oldest daily bar among them; null if there is none. */
  readonly firstDay: Day | null;
  /** Whether older bars were cut off by `days`. */
  readonly isCut: boolean;
}

/** The bars of the range from `floor` on. */
function select(served: ServedSeries, range: KlineRange, floor: Day): Selection {
  const start = Math.max(range.start ?? FAR_PAST, floor);
  const daily = sliceByDay(served.bars, start, range.end ?? FAR_FUTURE);
  if (daily.length === 0) return { bars: daily, firstDay: null, isCut: false };
  const adjusted = adjustSeries(daily, eventsOf(served, range.adjust));
  const periods = resample(adjusted, range.period);
  const skipped = range.start === undefined ? Math.max(0, periods.length - range.days) : 0;
  const newest = sliceSeries(periods, skipped, periods.length);
  return {
    bars: adjusted === daily ? newest : roundAdjusted(newest),
    firstDay: daily.day[skipped === 0 ? 0 : firstIndexFrom(daily, periods.day[skipped - 1] + 1)],
    isCut: skipped > 0,
  };
}

/** Whether sessions of the first and last week or month are not in its bar: before the range, after it, or still to come. */
function partialBars(
  { newestSession }: MarketView,
  { instrument }: DirectoryItem,
  { bars: history }: ServedSeries,
  { bars, firstDay }: Selection,
  period: Period,
): Pick<z.input<typeof klineSchema>, 'first_bar_partial' | 'last_bar_partial'> {
  if (firstDay === null || newestSession === null || period === 'day')
    return { first_bar_partial: false, last_bar_partial: false };
  const lastDay = bars.day[bars.length - 1];
  const isHeld = (index: number, day: Day) => index in history.day && isSameBar(history.day[index], day, period);
  const isOver = instrument.delistedOn !== null && instrument.delistedOn <= newestSession;
  return {
    first_bar_partial: isHeld(firstIndexFrom(history, firstDay) - 1, firstDay),
    last_bar_partial:
      isHeld(firstIndexFrom(history, lastDay + 1), lastDay) ||
      (!isOver && isSameBar(sessionAfter(newestSession), lastDay, period)),
  };
}

interface KlineGaps {
  readonly missing: MissingSessions;
  /** Why the bars begin after the `start` of the call; empty if they do not. */
  readonly reasons: readonly RangeReason[];
}

/** Sessions of the range that are not loaded, up to the newest distributable day. */
function klineGaps(
  market: MarketView,
  { instrument }: DirectoryItem,
  { bars }: ServedSeries,
  { range, floor, firstDay, isCut }: Pick<Selection, 'firstDay' | 'isCut'> & { range: KlineRange; floor: Day },
): KlineGaps {
  const { ledger, distributableDay } = market;
  const { day, length } = bars;
  const firstBar = length > 0 ? day[0] : null;
  const from = range.start ?? (isCut ? firstDay : null);
  const life = { ...instrument, firstBar, lastBar: length > 0 ? day[length - 1] : null };
  const lived = tradableRange(
    Math.max(from ?? FAR_PAST, floor),
    Math.min(range.end ?? distributableDay, distributableDay),
    life,
  );
  const missing = ledger.missingBetween(lived.start, lived.end);
  if (range.start === undefined) return { missing, reasons: [] };
  const reason = firstBar === null ? 'before_data_start' : startReason(firstBar, range.start, instrument);
  const gap = { start: lived.start, end: firstDay === null ? lived.end : firstDay - 1 };
  return { missing, reasons: startReasons(ledger, reason === null ? [] : [reason], range.start, gap) };
}

export function missingSessionsText({ count, ranges }: MissingSessions): z.input<typeof missingSessionsSchema> {
  return { count, ranges: ranges.map(({ start, end }) => ({ start: formatDay(start), end: formatDay(end) })) };
}

/** Where the bars begin compared to the requested `start`, and why. */
function describeStart(
  item: DirectoryItem,
  { bars: history }: ServedSeries,
  start: Day | undefined,
  bars: BarSeries,
  reasons: readonly RangeReason[],
  locale: Locale,
): z.input<typeof klineSchema>['data_range'] {
  const actual = bars.length > 0 ? { start: formatDay(bars.day[0]), end: formatDay(bars.day[bars.length - 1]) } : null;
  const hintOf = (reason: RangeReason) => {
    if (reason === 'not_loaded') {
      return actual ? labelText('range.not_loaded', locale, actual) : labelText('range.none_loaded', locale);
    }
    if (history.length === 0) return labelText('range.no_bars', locale, { symbol: item.qualified });
    return labelText(`range.${reason}`, locale, { start: formatDay(history.day[0]) });
  };
  return {
    prices: item.instrument.prices,
    requested_start: start === undefined ? null : formatDay(start),
    actual_start: actual?.start ?? null,
    truncated: reasons.length > 0,
    reason_codes: [...reasons],
    hints: reasons.map(hintOf),
  };
}

async function notesOf(
  market: MarketView,
  item: DirectoryItem,
  { missing, reasons }: KlineGaps,
  locale: Locale,
): Promise<z.input<typeof klineSchema>['notes']> {
  const notes: z.input<typeof klineSchema>['notes'] = [];
  if (reasons.some((reason) => reason !== 'not_loaded') && (await market.hasOlderBars(item))) {
    const message = labelText('kline.older_bars_in_backtests', locale);
    notes.push({ code: 'older_bars_in_backtests', level: 'info', message });
  }
  if (missing.count > 0) {
    const gap = labelText('kline.incomplete_history', locale, { count: String(missing.count) });
    const isBeingLoaded = market.isBeingLoaded('consolidated', missing.ranges);
    const message = isBeingLoaded ? joinSentences(locale, gap, labelText('history.being_loaded', locale)) : gap;
    notes.push({ code: 'incomplete_history', level: 'warning', message });
  }
  return notes;
}

/** The days whose bars and events make the candles: adjusted ones depend on all events after them. */
function spansOf(
  item: DirectoryItem,
  { bars: { day: all } }: ServedSeries,
  { adjust }: KlineRange,
  { bars: { day }, firstDay }: Selection,
): BarSpan[] {
  if (firstDay === null) return [];
  return [{ item, start: firstDay, end: adjust === 'none' ? day[day.length - 1] : all[all.length - 1] }];
}

/** The adjustments that a call asks for. */
export function eventsOf({ splits, events }: ServedSeries, adjust: KlineRange['adjust']): readonly Adjustment[] {
  if (adjust === 'none') return [];
  return adjust === 'total' ? events : splits;
}

function isAdjusted(events: readonly Adjustment[], firstDay: Day): boolean {
  return priceFactors(Int32Array.of(firstDay), events)[0] !== 1;
}

function toBars(series: BarSeries) {
  const bars = new Array(series.length);
  for (let i = 0; i < series.length; i++) {
    bars[i] = {
      ts: formatDayCached(series.day[i]),
      open: series.open[i],
      high: series.high[i],
      low: series.low[i],
      close: series.close[i],
      volume: series.volume[i],
    };
  }
  return bars;
}
