/** A backtest from bars to figures, as they are reported: rounded, with nulls for what is not defined. */

import type { Adjustment } from '../market/adjust.ts';
import { type Day, formatDay, formatDayCached } from '../market/dates.ts';
import { type BarSeries, roundTo, sliceByDay, sliceSeries } from '../market/series.ts';
import { adjustToLastBar, CONSOLIDATED_FROM } from '../market/splice.ts';
import { type Lifetime, type RangeReason, rangeStart, selectRange, type TimeRange } from '../market/time-range.ts';
import { requireStrategy } from '../strategies/catalogue.ts';
import type { ParameterValues } from '../strategies/parameters.ts';
import { type Metrics, metricsOf } from './metrics.ts';
import { runStrategy } from './run-strategy.ts';
import type { Execution, Simulation, Trade } from './simulate.ts';

export const BACKTEST_ADJUSTMENTS = ['split', 'none'] as const;

/** What is run, complete: every default filled in. */
export interface BacktestPlan {
  readonly strategy: string;
  readonly params: ParameterValues;
  /** Counts back from the last bar at or before `end`, or from the newest; counts only where `start` is null. */
  readonly timeRange: TimeRange;
  readonly start: Day | null;
  readonly end: Day | null;
  readonly adjust: (typeof BACKTEST_ADJUSTMENTS)[number];
  readonly execution: Execution;
}

export interface BacktestInput {
  /** Spliced, as traded, up to the newest bar that may be distributed. */
  readonly series: BarSeries;
  /** The newest day that may be distributed. */
  readonly asOf: Day;
  readonly events: readonly Adjustment[];
  readonly lifetime: Lifetime;
}

export interface BacktestOutcome {
  /** The bars of the priced range. */
  readonly bars: BarSeries;
  readonly run: Simulation;
  readonly metrics: Metrics;
  readonly rangeReasons: readonly RangeReason[];
  /** First day that was asked for; null: all. */
  readonly wantedStart: Day | null;
  /** Whether bars of the primary session are in the range. */
  readonly isMixed: boolean;
  /** Index of the first bar of the range in the series that trades refer to. */
  readonly offset: number;
}

/** The bars that a backtest trades on, with the range that was requested. */
export interface PricedRange {
  readonly series: BarSeries;
  readonly from: number;
  readonly to: number;
  readonly finalReason: 'end_of_data' | 'delisted';
  readonly rangeReasons: readonly RangeReason[];
  /** First day that was asked for; null: all. */
  readonly wantedStart: Day | null;
}

/**
 * Null when no bar lies in the range. Nothing after `end` counts, neither for the share count nor for a time range; but an
 * end on a day without a session is no end of the data.
 */
export function pricedRangeOf(plan: BacktestPlan, input: BacktestInput): PricedRange | null {
  const { events, lifetime } = input;
  const whole = input.series;
  if (whole.length === 0) return null;
  const series = plan.end === null ? whole : sliceByDay(whole, whole.day[0], plan.end);
  if (series.length === 0) return null;
  const start = plan.start ?? rangeStart(plan.timeRange, series.day[series.length - 1]);
  const { from, to, reasons } = selectRange(whole, start, plan.end, lifetime);
  if (from === to) return null;
  const isDelisted = lifetime.delistedOn !== null && lifetime.delistedOn <= input.asOf;
  return {
    series: plan.adjust === 'split' ? adjustToLastBar(series, events) : series,
    from,
    to,
    rangeReasons: reasons,
    wantedStart: start,
    finalReason: isDelisted && series.length === whole.length ? 'delisted' : 'end_of_data',
  };
}

/** Null when no bar lies in the range. */
export function runBacktest(plan: BacktestPlan, input: BacktestInput): BacktestOutcome | null {
  const ranged = pricedRangeOf(plan, input);
  if (!ranged) return null;
  const { series, from, to, finalReason, rangeReasons, wantedStart } = ranged;
  const { execution } = plan;
  const run = runStrategy(requireStrategy(plan.strategy), plan.params, { series, from, to, finalReason, execution });
  const bars = sliceSeries(series, from, to);
  return {
    bars,
    run,
    rangeReasons,
    wantedStart,
    offset: from,
    metrics: metricsOf(bars, run, execution.initialCapital),
    isMixed: bars.day[0] < CONSOLIDATED_FROM,
  };
}

const PRICE_DECIMALS = 6;
const PERCENT_DECIMALS = 4;
const MONEY_DECIMALS = 2;

/** A percentage or ratio as it is reported. */
export const percent = (value: number | null) => (value === null ? null : roundTo(value, PERCENT_DECIMALS));

/** Metrics as reported: percentages and ratios to 4 decimals, money to 2. */
export function reportMetrics(metrics: Metrics): Metrics {
  const rounded = Object.entries(metrics).map(([name, value]) => [name, percent(value)]);
  return { ...Object.fromEntries(rounded), final_equity: roundTo(metrics.final_equity, MONEY_DECIMALS) } as Metrics;
}

export interface ReportedTrade {
  readonly seq: number;
  readonly entry_date: string;
  readonly entry_price: number;
  readonly exit_date: string;
  readonly exit_price: number;
  readonly shares: number;
  readonly pnl: number;
  readonly pnl_pct: number;
  readonly bars_held: number;
  readonly commission: number;
  readonly mae_pct: number;
  readonly mfe_pct: number;
  readonly entry_reason: 'signal';
  readonly exit_reason: Trade['exitReason'];
}

export function reportTrades({ bars, run, offset }: BacktestOutcome): ReportedTrade[] {
  const dateOf = (index: number) => formatDay(bars.day[index - offset]);
  return run.trades.map((trade, i) => ({
    seq: i + 1,
    entry_date: dateOf(trade.entryIndex),
    entry_price: roundTo(trade.entryPrice, PRICE_DECIMALS),
    exit_date: dateOf(trade.exitIndex),
    exit_price: roundTo(trade.exitPrice, PRICE_DECIMALS),
    shares: roundTo(trade.shares, PRICE_DECIMALS),
    pnl: roundTo(trade.pnl, MONEY_DECIMALS),
    pnl_pct: roundTo(trade.pnlPct, PERCENT_DECIMALS),
    bars_held: trade.exitIndex - trade.entryIndex,
    commission: roundTo(trade.commission, MONEY_DECIMALS),
    mae_pct: roundTo(trade.maePct, PERCENT_DECIMALS),
    mfe_pct: roundTo(trade.mfePct, PERCENT_DECIMALS),
    entry_reason: 'signal',
    exit_reason: trade.exitReason,
  }));
}

/** Bars of the range as JSON text, put together from columns: an object per bar would cost more than the run. */
export function klinesJson({ bars }: BacktestOutcome): string {
  const { day, open, high, low, close, volume } = bars;
  const price = (value: number) => roundTo(value, PRICE_DECIMALS);
  const items = new Array<string>(bars.length);
  for (let i = 0; i < bars.length; i++) {
    items[i] =
      `{"ts":"${formatDayCached(day[i])}","open":${price(open[i])},"high":${price(high[i])},"low":${price(low[i])},` +
      `"close":${price(close[i])},"volume":${Math.round(volume[i])}}`;
  }
  return `[${items.join(',')}]`;
}

/** Equity curve as JSON text: money, the fall below the running peak in percent, and what holding would have given. */
export function equityJson({ bars, run }: Pick<BacktestOutcome, 'bars' | 'run'>, initialCapital: number): string {
  const items = new Array<string>(bars.length);
  let peak = initialCapital;
  for (let i = 0; i < bars.length; i++) {
    const equity = run.equity[i];
    peak = Math.max(peak, equity);
    const drawdown = roundTo(100 * (1 - equity / peak), PERCENT_DECIMALS);
    const held = roundTo(initialCapital * (bars.close[i] / bars.close[0]), MONEY_DECIMALS);
    items[i] =
      `{"ts":"${formatDayCached(bars.day[i])}","equity":${roundTo(equity, MONEY_DECIMALS)},"drawdown_pct":${drawdown},` +
      `"buy_hold":${held}}`;
  }
  return `[${items.join(',')}]`;
}
