/** Figures of a finished run. What is not defined is null: no trades, no deviation, no losing trade, no time passed. */

import { TRADING_DAYS_PER_YEAR } from '../indicators/indicators.ts';
import type { Day } from '../market/dates.ts';
import type { BarSeries } from '../market/series.ts';
import type { Simulation } from './simulate.ts';

export const YEAR_DAYS = 365.25;

export interface Metrics {
  readonly num_trades: number;
  readonly win_rate: number | null;
  readonly total_pnl_pct: number;
  readonly annualized_pct: number | null;
  readonly max_drawdown_pct: number;
  readonly max_drawdown_days: number;
  readonly sharpe: number | null;
  readonly sortino: number | null;
  readonly calmar: number | null;
  readonly profit_factor: number | null;
  readonly buy_hold_pnl_pct: number;
  readonly excess_return_pct: number;
  readonly exposure_pct: number;
  readonly avg_trade_pct: number | null;
  readonly best_trade_pct: number | null;
  readonly worst_trade_pct: number | null;
  readonly avg_bars_held: number | null;
  readonly final_equity: number;
}

/** `bars` are those of the range; not rounded. */
export function metricsOf(bars: BarSeries, run: Simulation, initialCapital: number): Metrics {
  const { trades, equity } = run;
  const last = bars.length - 1;
  const final = equity[last];
  const total = 100 * returnOf(initialCapital, final);
  const annualized = annualizedPct(initialCapital === 0 ? 1 : final / initialCapital, bars.day[last] - bars.day[0]);
  const drawdown = drawdownOf(bars.day, equity, initialCapital);
  const buyHold = 100 * (bars.close[last] / bars.close[0] - 1);
  const percents = trades.map((trade) => trade.pnlPct);
  const mean = (values: readonly number[]) =>
    values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length;
  const wins = trades.filter((trade) => trade.pnl > 0).length;
  return {
    num_trades: trades.length,
    win_rate: trades.length === 0 ? null : (100 * wins) / trades.length,
    total_pnl_pct: total,
    annualized_pct: annualized,
    max_drawdown_pct: drawdown.pct,
    max_drawdown_days: drawdown.days,
    ...returnRatios(equity, initialCapital),
    calmar: annualized === null || drawdown.pct === 0 ? null : annualized / drawdown.pct,
    profit_factor: profitFactor(trades.map((trade) => trade.pnl)),
    buy_hold_pnl_pct: buyHold,
    excess_return_pct: total - buyHold,
    exposure_pct: (100 * run.barsExposed) / bars.length,
    avg_trade_pct: mean(percents),
    best_trade_pct: percents.length === 0 ? null : Math.max(...percents),
    worst_trade_pct: percents.length === 0 ? null : Math.min(...percents),
    avg_bars_held: mean(trades.map((trade) => trade.exitIndex - trade.entryIndex)),
    final_equity: final,
  };
}

/** Simple return, as a share; 0 from nothing. */
function returnOf(before: number, after: number): number {
  return before === 0 ? 0 : after / before - 1;
}

/** Growth to the power of a year's share of the days; a loss of everything is -100. */
function annualizedPct(growth: number, days: number): number | null {
  if (days === 0) return null;
  return growth <= 0 ? -100 : 100 * (growth ** (YEAR_DAYS / days) - 1);
}

/** Deepest fall below the running peak, and the longest time in calendar days from a peak to its recovery or the end. */
function drawdownOf(days: Int32Array, equity: Float64Array, initial: number): { pct: number; days: number } {
  let peak = initial;
  let peakDay: Day = days[0];
  let pct = 0;
  let longest = 0;
  for (let t = 0; t < equity.length; t++) {
    const isDown = equity[t] < peak;
    // A run that ends counts to the day of its recovery.
    longest = Math.max(longest, isDown || equity[t - 1] < peak ? days[t] - peakDay : 0);
    if (isDown) {
      pct = Math.max(pct, 100 * (1 - equity[t] / peak));
    } else {
      peak = equity[t];
      peakDay = days[t];
    }
  }
  return { pct, days: longest };
}

/** Sharpe ratio (sample deviation) and Sortino ratio (root mean square of the losses) of simple returns, annualized. */
function returnRatios(equity: Float64Array, initial: number): Pick<Metrics, 'sharpe' | 'sortino'> {
  const count = equity.length;
  const returnAt = (t: number) => returnOf(t === 0 ? initial : equity[t - 1], equity[t]);
  let sum = 0;
  let squaredLosses = 0;
  for (let t = 0; t < count; t++) {
    const r = returnAt(t);
    sum += r;
    if (r < 0) squaredLosses += r * r;
  }
  const mean = sum / count;
  let squares = 0;
  for (let t = 0; t < count; t++) squares += (returnAt(t) - mean) ** 2;
  const stdev = Math.sqrt(squares / (count - 1));
  const year = Math.sqrt(TRADING_DAYS_PER_YEAR);
  return {
    sharpe: count < 2 || stdev === 0 ? null : (mean / stdev) * year,
    sortino: squaredLosses === 0 ? null : (mean / Math.sqrt(squaredLosses / count)) * year,
  };
}

function profitFactor(pnls: readonly number[]): number | null {
  const gains = pnls.filter((pnl) => pnl > 0).reduce((sum, pnl) => sum + pnl, 0);
  const losses = pnls.filter((pnl) => pnl < 0).reduce((sum, pnl) => sum + pnl, 0);
  return losses === 0 ? null : gains / Math.abs(losses);
}
