/** Results as they are stored and served: names of the API, days as text, figures rounded. */
import type { BacktestOutcome } from '../../engine/backtest/backtest.ts';
import { METRIC_NAMES, type Metrics, PERCENT_DECIMALS } from '../../engine/backtest/metrics.ts';
import type { Simulation, Trade } from '../../engine/backtest/simulate.ts';
import { formatDayCached } from '../../engine/market/dates.ts';
import { figure } from '../../engine/market/figures.ts';
import { type BarSeries, heldPrices } from '../../engine/market/series.ts';
import { keysOf } from '../../engine/util/values.ts';

const PRICE_DECIMALS = 6;
const MONEY_DECIMALS = 2;

const price = (value: number) => figure(value, PRICE_DECIMALS);
export const money = (value: number) => figure(value, MONEY_DECIMALS);

/** A percentage or ratio to 4 decimals; an undefined one stays null. */
export function percent<T extends number | null>(value: T): T | number {
  return figure(value, PERCENT_DECIMALS);
}

/** A metric, rounded for reports. */
export function reportedMetric(metric: keyof Metrics, value: number): number {
  return metric === 'finalEquity' ? money(value) : percent(value);
}

export type MetricsView = { readonly [M in keyof Metrics as (typeof METRIC_NAMES)[M]]: Metrics[M] };

/** Metrics of a run. */
export function metricsView(metrics: Metrics): MetricsView {
  const named = keysOf(METRIC_NAMES).map((metric) => {
    const value = metrics[metric];
    return [METRIC_NAMES[metric], value === null ? null : reportedMetric(metric, value)];
  });
  return Object.fromEntries(named);
}

/** Closed trades, numbered from 1. */
export function tradesView({ bars, run, offset }: Pick<BacktestOutcome, 'bars' | 'run' | 'offset'>) {
  const dateOf = (index: number) => formatDayCached(bars.day[index - offset]);
  return run.trades.map((trade, i) => tradeView(trade, i + 1, dateOf(trade.entryIndex), dateOf(trade.exitIndex)));
}

export function tradeView<R extends string>(
  trade: Omit<Trade, 'exitReason'> & { readonly exitReason: R },
  seq: number,
  entryDate: string,
  exitDate: string,
) {
  return {
    seq,
    entry_date: entryDate,
    entry_price: price(trade.entryPrice),
    exit_date: exitDate,
    exit_price: price(trade.exitPrice),
    shares: price(trade.shares),
    pnl: money(trade.pnl),
    pnl_pct: percent(trade.pnlPct),
    bars_held: trade.exitIndex - trade.entryIndex,
    commission: money(trade.commission),
    mae_pct: percent(trade.maePct),
    mfe_pct: percent(trade.mfePct),
    entry_reason: 'signal',
    exit_reason: trade.exitReason,
  };
}

/** Bars as JSON text, built from columns: one object per bar would take longer than the run. */
export function klinesJson({ bars }: { readonly bars: BarSeries }): string {
  const { day, open, high, low, close, volume } = bars;
  const items = new Array<string>(bars.length);
  for (let i = 0; i < bars.length; i++) {
    items[i] =
      `{"ts":"${formatDayCached(day[i])}","open":${price(open[i])},"high":${price(high[i])},"low":${price(low[i])},` +
      `"close":${price(close[i])},"volume":${Math.round(volume[i])}}`;
  }
  return `[${items.join(',')}]`;
}

interface Curve {
  /** Days, and the closes of buy and hold. */
  readonly bars: Pick<BarSeries, 'length' | 'day' | 'close' | 'delisting'>;
  /** `curve`: what drawdowns are of, where that is another one. */
  readonly run: Pick<Simulation, 'equity'> & { readonly curve?: Float64Array };
}

/** The JSON text of an equity curve that runs on the same bars share: for each bar the text before its equity, and a last text. */
export type EquityFrame = readonly string[];

export function equityFrame(bars: Curve['bars'], initialCapital: number): EquityFrame {
  const { length, day } = bars;
  const held = heldPrices(bars);
  const texts = new Array<string>(length + 1);
  let before = '[';
  for (let i = 0; i < length; i++) {
    texts[i] = `${before}{"ts":"${formatDayCached(day[i])}","equity":`;
    before = `,"buy_hold":${money(initialCapital * (held[i] / bars.close[0]))}},`;
  }
  texts[length] = length === 0 ? '[]' : `${before.slice(0, -1)}]`;
  return texts;
}

/** Equity curve as JSON text: money, drawdown from the running peak in percent, and the value of buy and hold. */
export function equityJson(
  { bars, run }: Curve,
  initialCapital: number,
  frame = equityFrame(bars, initialCapital),
): string {
  const { equity, curve = equity } = run;
  let text = '';
  let peak = initialCapital;
  for (let i = 0; i < bars.length; i++) {
    peak = Math.max(peak, curve[i]);
    text += `${frame[i]}${money(equity[i])},"drawdown_pct":${percent(100 * (1 - curve[i] / peak))}`;
  }
  return text + frame[bars.length];
}
