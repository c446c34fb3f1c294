import { adjustSeries, roundAdjusted, splitFactors } from '../../engine/adjust.ts';
import { type Day, formatDay, formatDayCached } from '../../engine/dates.ts';
import { ServiceError } from '../../engine/errors.ts';
import { type Period, resample } from '../../engine/resample.ts';
import { type BarSeries, firstIndexFrom, sliceByDay, sliceSeries } from '../../engine/series.ts';
import { type RangeReason, startReason } from '../../engine/time-range.ts';
import type { z } from '../fields.ts';
import type { Locale } from '../locale.ts';
import { labelText } from '../messages.ts';
import { PLANS, type PlanCode } from '../plans.ts';
import { type DirectoryItem, headOf } from './directory.ts';
import type { MarketView, ServedSeries } from './market-view.ts';
import type { klineSchema } from './schemas.ts';
import { consolidatedVenue, dayText, timelinessOf } from './timeliness.ts';

export interface KlineRange {
  readonly period: Period;
  readonly adjust: 'none' | 'qfq';
  readonly start?: Day;
  readonly end?: Day;
  /** The newest bars to return, in units of the period; `start` wins over it. */
  readonly days: number;
}

const FAR_PAST = -1_000_000;

/** Throws when the range runs backwards. */
export function assertRange({ start, end }: Pick<KlineRange, 'start' | 'end'>): void {
  if (start === undefined || end === undefined || start <= end) return;
  throw new ServiceError('invalid_date_range', { start: formatDay(start), end: formatDay(end) });
}

/**
 * Candles of an instrument: cut to the range, adjusted, then resampled. Throws `upstream_unavailable` where the range
 * reaches sessions that the provider has published and that have been missing for too long.
 */
export async function klineOf(
  market: MarketView,
  item: DirectoryItem,
  range: KlineRange,
  plan: PlanCode,
  locale: Locale,
): Promise<z.input<typeof klineSchema>> {
  const { maxDay } = market;
  if (range.end === undefined || maxDay === null || range.end > maxDay) market.assertFresh();
  const served = await market.series(item);
  const maxDays = PLANS[plan].quotas.kline_max_days;
  const floor = maxDays === null || maxDay === null ? FAR_PAST : maxDay - maxDays + 1;
  const wanted = select(served, range, FAR_PAST);
  const { bars, firstDay } = floor === FAR_PAST ? wanted : select(served, range, floor);
  const timeliness = timelinessOf(market, locale);
  return {
    ...headOf(item),
    period: range.period,
    adjust: range.adjust,
    adjust_applied: range.adjust === 'qfq' && firstDay !== null && isAdjusted(served, firstDay),
    ...consolidatedVenue(locale),
    delayed: timeliness.delayed,
    as_of: dayText(maxDay),
    timeliness,
    start: bars.length > 0 ? formatDay(bars.day[0]) : null,
    end: bars.length > 0 ? formatDay(bars.day[bars.length - 1]) : null,
    limited_by_plan: wanted.firstDay !== null && wanted.firstDay < floor,
    ...(await describeStart(market, item, served, range.start, bars, locale)),
    count: bars.length,
    bars: toBars(bars),
  };
}

interface Selection {
  readonly bars: BarSeries;
  /** Day of the oldest daily bar in them; null when there are none. */
  readonly firstDay: Day | null;
}

/** The bars of the range that are not before `floor`. */
function select(served: ServedSeries, range: KlineRange, floor: Day): Selection {
  const start = Math.max(range.start ?? FAR_PAST, floor);
  const daily = sliceByDay(served.bars, start, range.end ?? Number.MAX_SAFE_INTEGER);
  if (daily.length === 0) return { bars: daily, firstDay: null };
  const adjusted = range.adjust === 'qfq' ? adjustSeries(daily, served.splits) : daily;
  const periods = resample(adjusted, range.period);
  const skipped = range.start === undefined ? Math.max(0, periods.length - range.days) : 0;
  const newest = sliceSeries(periods, skipped, periods.length);
  return {
    bars: adjusted === daily ? newest : roundAdjusted(newest),
    firstDay: daily.day[skipped === 0 ? 0 : firstIndexFrom(daily, periods.day[skipped - 1] + 1)],
  };
}

/** What became of the `start` that was asked for, and why. */
async function describeStart(
  market: MarketView,
  item: DirectoryItem,
  served: ServedSeries,
  start: Day | undefined,
  bars: BarSeries,
  locale: Locale,
): Promise<Pick<z.input<typeof klineSchema>, 'data_range' | 'notes'>> {
  const history = served.bars;
  const reasons = start === undefined ? [] : startReasons(history, start, item);
  const hasOlderBars = reasons.length > 0 && (await market.hasOlderBars(item));
  return {
    data_range: {
      requested_start: start === undefined ? null : formatDay(start),
      actual_start: bars.length > 0 ? formatDay(bars.day[0]) : null,
      truncated: reasons.length > 0,
      reason_codes: reasons,
      hints: reasons.map((reason) =>
        history.length === 0
          ? labelText('range.no_bars', locale, { symbol: item.qualified })
          : labelText(`range.${reason}`, locale, { start: formatDay(history.day[0]) }),
      ),
    },
    notes: hasOlderBars
      ? [
          {
            code: 'older_bars_in_backtests',
            level: 'info',
            message: labelText('kline.older_bars_in_backtests', locale),
          },
        ]
      : [],
  };
}

/** Why the bars that can be served begin after `start`; empty where they do not. */
function startReasons({ day, length }: BarSeries, start: Day, { instrument }: DirectoryItem): RangeReason[] {
  if (length === 0) return ['before_data_start'];
  const reason = startReason(day[0], start, instrument);
  return reason === null ? [] : [reason];
}

function isAdjusted({ splits }: ServedSeries, firstDay: Day): boolean {
  return splitFactors(Int32Array.of(firstDay), splits)[0] !== 1;
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
