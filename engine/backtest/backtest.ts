/** A backtest: from bars, settings, and events to trades, equity, and metrics, none of them rounded. */

import { type AdjustMode, type Adjustment, adjustToLastBar } from '../market/adjust.ts';
import type { Day } from '../market/dates.ts';
import type { NamedColumn } from '../market/own-columns.ts';
import { type BarSeries, sliceByDay, sliceSeries } from '../market/series.ts';
import { type Lifetime, type RangeReason, rangeStart, selectRange, type TimeRange } from '../market/time-range.ts';
import { CONSOLIDATED_FROM } from '../market/venue-basis.ts';
import { type OtherInstrument, OtherInstruments } from '../rules/other-instruments.ts';
import { strategyOf } from '../rules/strategy.ts';
import type { ParameterValues } from '../strategies/parameters.ts';
import type { RuleTexts } from '../strategies/strategy.ts';
import type { Execution } from './execution.ts';
import { type Metrics, metricsOf } from './metrics.ts';
import { type MarketColumns, type RateSettings, type RunRates, ratesOn } from './rates.ts';
import { runStrategy, type Simulation } from './simulate.ts';

/** Everything that a caller decides about a backtest, every default filled in. */
export interface BacktestSettings extends RateSettings {
  readonly strategy: string;
  /** The rules of the strategy `rules`. */
  readonly rules?: RuleTexts;
  readonly params: ParameterValues;
  /** Own columns that the rules name. */
  readonly columns?: readonly NamedColumn[] | undefined;
  /** Counts back from the last bar at or before `end`, or from the newest bar. Ignored where `start` is set. */
  readonly timeRange: TimeRange;
  readonly start: Day | null;
  readonly end: Day | null;
  readonly adjust: AdjustMode;
  readonly execution: Execution;
}

/** The settings that select the bars of a run. */
export type RangeSettings = Pick<BacktestSettings, 'timeRange' | 'start' | 'end' | 'adjust'>;

export interface BacktestInput {
  /** Spliced history as traded (not adjusted), up to the newest bar that may be distributed. */
  readonly series: BarSeries;
  /** The newest day that may be distributed. */
  readonly asOf: Day;
  readonly events: readonly Adjustment[];
  readonly lifetime: Lifetime;
  /** `adjustToLastBar` of the whole series, from a caller that keeps it for many runs. */
  readonly adjusted?: (mode: AdjustMode) => BarSeries;
  /** Other instruments that the rules name, by ticker. */
  readonly others?: ReadonlyMap<string, OtherInstrument>;
  /** Columns that the rates name. */
  readonly columns?: MarketColumns | undefined;
}

export interface BacktestOutcome {
  /** The bars of the priced range. */
  readonly bars: BarSeries;
  readonly run: Simulation;
  readonly metrics: Metrics;
  readonly rates: RunRates;
  readonly rangeReasons: readonly RangeReason[];
  /** First requested day; null: the whole history. */
  readonly wantedStart: Day | null;
  /** Whether the range includes bars of the primary session. */
  readonly isMixed: boolean;
  /** Index of the first bar of the range in the whole series, which the indices of trades refer to. */
  readonly offset: number;
}

/** The bars that a backtest trades on, with the range that was requested. */
export interface PricedRange {
  readonly series: BarSeries;
  readonly from: number;
  readonly to: number;
  readonly finalReason: 'end_of_data' | 'delisted';
  readonly rangeReasons: readonly RangeReason[];
  /** First requested day; null: the whole history. */
  readonly wantedStart: Day | null;
  /** The bars before index `to`, adjusted to the last of them: the series of a run that ends there. */
  readonly cut: (to: number) => BarSeries;
}

/**
 * Selects and adjusts the bars of a backtest; null when no bar lies in the range. Prices are on the basis of the last bar up to
 * `end`, and a time range counts back from that bar. `end` may be a day without a session.
 */
export function pricedRangeOf(settings: RangeSettings, input: BacktestInput): PricedRange | null {
  const { events, lifetime } = input;
  const whole = input.series;
  if (whole.length === 0) return null;
  const series = settings.end === null ? whole : sliceByDay(whole, whole.day[0], settings.end);
  if (series.length === 0) return null;
  const start = settings.start ?? rangeStart(settings.timeRange, series.day[series.length - 1]);
  const { from, to, reasons } = selectRange(whole, start, settings.end, lifetime);
  if (from === to) return null;
  const { adjust } = settings;
  const isDelisted = lifetime.delistedOn !== null && lifetime.delistedOn <= input.asOf;
  return {
    series: (series === whole && input.adjusted?.(adjust)) || adjustToLastBar(series, events, adjust),
    from,
    to,
    rangeReasons: reasons,
    wantedStart: start,
    cut: (end) => adjustToLastBar(sliceSeries(series, 0, end), events, adjust),
    finalReason: isDelisted && series.length === whole.length ? 'delisted' : 'end_of_data',
  };
}

/** Whether a position that is held to the end is closed at the last close because the return of the delisting is not known. */
export function isUnpriced({ finalReason, series }: Pick<PricedRange, 'finalReason' | 'series'>): boolean {
  return finalReason === 'delisted' && typeof series.delisting?.returnPct !== 'number';
}

/** Runs a backtest; null when no bar lies in the range. */
export function runBacktest(settings: BacktestSettings, input: BacktestInput): BacktestOutcome | null {
  const ranged = pricedRangeOf(settings, input);
  if (!ranged) return null;
  const { series, from, to, finalReason, rangeReasons, wantedStart } = ranged;
  const { execution } = settings;
  const others = input.others && new OtherInstruments(input.others, settings.adjust);
  const bars = sliceSeries(series, from, to);
  const rates = ratesOn(bars.day, settings, input.columns);
  const run = runStrategy(strategyOf(settings, others), settings.params, {
    series,
    from,
    to,
    finalReason,
    execution,
    interest: rates.cash?.returns,
  });
  return {
    bars,
    run,
    rates,
    rangeReasons,
    wantedStart,
    offset: from,
    metrics: metricsOf(bars, run, execution.initialCapital),
    isMixed: bars.day[0] < CONSOLIDATED_FROM,
  };
}
