/** Adjustment of traded prices for events that change the share count. */
import type { Day } from './dates.ts';
import { allocateSeries, type BarSeries, factsOf, PRICE_COLUMNS, roundTo } from './series.ts';

export const ADJUSTMENT_KINDS = ['split', 'reverse_split', 'stock_dividend', 'cash_dividend', 'spin_off'] as const;
export type AdjustmentKind = (typeof ADJUSTMENT_KINDS)[number];

/** Kinds of adjustments that change the share count. Cash dividends and spin-offs do not. */
export const SHARE_COUNT_KINDS: readonly AdjustmentKind[] = ['split', 'reverse_split', 'stock_dividend'];

export interface Adjustment {
  /** First day on which the price trades without the entitlement. */
  readonly exDay: Day;
  readonly kind: AdjustmentKind;
  /** Old shares ÷ new shares: 0.25 for a 4:1 split, 10 for a 1:10 reverse split. */
  readonly factor: number;
}

/** `total` reinvests cash dividends and spin-offs at their ex-date. */
export const ADJUST_MODES = ['split', 'none', 'total'] as const;
export type AdjustMode = (typeof ADJUST_MODES)[number];

/** Kinds that an adjustment applies to prices. */
export function countingKinds(mode: AdjustMode): readonly AdjustmentKind[] {
  if (mode === 'none') return [];
  return mode === 'total' ? ADJUSTMENT_KINDS : SHARE_COUNT_KINDS;
}

/** Events with `exDay` ≤ `anchor` that an adjustment applies, oldest first. */
export function effectiveEvents(events: readonly Adjustment[], anchor: Day, mode: AdjustMode): Adjustment[] {
  const kinds = countingKinds(mode);
  return events
    .filter((event) => kinds.includes(event.kind) && event.exDay <= anchor)
    .sort((a, b) => a.exDay - b.exDay);
}

/** Share-count events with `exDay` ≤ `anchor`, oldest first. */
export function effectiveSplits(events: readonly Adjustment[], anchor: Day): Adjustment[] {
  return effectiveEvents(events, anchor, 'split');
}

/**
 * Factor of each bar: the product of the factors of all `events` after its day (1 where none follows).
 * `events` must be sorted by `exDay`.
 */
export function priceFactors(days: Int32Array, events: readonly Adjustment[]): Float64Array {
  const factors = new Float64Array(days.length);
  let factor = 1;
  let next = events.length - 1;
  for (let i = days.length - 1; i >= 0; i--) {
    while (next >= 0 && days[i] < events[next].exDay) {
      factor *= events[next].factor;
      next--;
    }
    factors[i] = factor;
  }
  return factors;
}

/**
 * Prices × the factors of all events, volume ÷ those of share-count events, not rounded. A bar whose factors are 1 keeps its
 * exact figures. `events` must be sorted by `exDay`.
 */
export function adjustSeries(series: BarSeries, events: readonly Adjustment[]): BarSeries {
  if (events.length === 0) return series;
  const isOfShares = ({ kind }: Adjustment) => SHARE_COUNT_KINDS.includes(kind);
  const splits = events.filter(isOfShares);
  const factors = priceFactors(series.day, events);
  const shareFactors = splits.length === events.length ? factors : priceFactors(series.day, splits);
  const applied = events.map((event) => ({
    day: event.exDay,
    price: event.factor,
    shares: isOfShares(event) ? event.factor : 1,
  }));
  const { length, day, open, high, low, close, volume } = series;
  return {
    length,
    day,
    open: multiplied(open, factors),
    high: multiplied(high, factors),
    low: multiplied(low, factors),
    close: multiplied(close, factors),
    volume: divided(volume, shareFactors),
    adjustedFor: applied,
    ...factsOf(series),
    delisting: series.delisting,
    own: series.own,
  };
}

function multiplied(column: Float64Array, factors: Float64Array): Float64Array {
  const out = new Float64Array(column.length);
  for (let i = 0; i < out.length; i++) out[i] = column[i] * factors[i];
  return out;
}

function divided(column: Float64Array, factors: Float64Array): Float64Array {
  const out = new Float64Array(column.length);
  for (let i = 0; i < out.length; i++) out[i] = column[i] / factors[i];
  return out;
}

/** Adjusts prices to the basis of the last bar, so that later events do not change an old run. */
export function adjustToLastBar(
  series: BarSeries,
  events: readonly Adjustment[],
  mode: AdjustMode = 'split',
): BarSeries {
  if (series.length === 0) return series;
  const last = series.day[series.length - 1];
  const dividends = events.filter(({ kind, exDay }) => kind === 'cash_dividend' && exDay <= last);
  const paid = dividends.length === 0 ? series : { ...series, dividends };
  return adjustSeries(paid, effectiveEvents(events, last, mode));
}

/** Rounds adjusted figures as they are served: prices to 6 decimals, volumes to whole shares. */
export function roundAdjusted(series: BarSeries): BarSeries {
  const out = allocateSeries(series.length);
  out.day.set(series.day);
  for (const column of PRICE_COLUMNS) {
    for (let i = 0; i < series.length; i++) out[column][i] = roundTo(series[column][i], 6);
  }
  for (let i = 0; i < series.length; i++) out.volume[i] = Math.round(series.volume[i]);
  return out;
}
