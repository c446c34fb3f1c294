/** Metrics of a finished run. */

import { TRADING_DAYS_PER_YEAR } from '../indicators/indicators.ts';
import type { Day } from '../market/dates.ts';
import { finiteOrNull } from '../market/figures.ts';
import { type BarSeries, roundTo, settledClose } from '../market/series.ts';
import type { Simulation, Trade } from './simulate.ts';

export const YEAR_DAYS = 365.25;
/** Figures of fewer trades than this say little. */
export const FEW_TRADES = 30;

/** Decimals of percentages and ratios in results. */
export const PERCENT_DECIMALS = 4;

/**
 * Percentages are 0 to 100 and ratios plain numbers, none of them rounded. A metric is null where it is undefined (no
 * trades, no losing trade, no variance, or no time passed) or overflows. Those that are never null overflow only with the equity.
 */
export interface Metrics {
  /** Closed trades. */
  readonly numTrades: number;
  /** Trades that are wins, in percent of all. */
  readonly winRate: number | null;
  /** Return of the whole run, in percent of the initial capital. */
  readonly totalPnlPct: number;
  /** Compound annual growth rate over calendar days, in percent. */
  readonly annualizedPct: number | null;
  /** Largest fall of equity below its running peak, in percent of the peak. */
  readonly maxDrawdownPct: number;
  /** Longest time below a peak, in calendar days: until its recovery or the end of the run. */
  readonly maxDrawdownDays: number;
  /** Mean ÷ sample standard deviation of the returns of the bars, annualized; no risk-free rate (Sharpe, 1994). */
  readonly sharpe: number | null;
  /** Mean ÷ downside deviation (target 0) of the returns of the bars, annualized (Sortino and Price, 1994). */
  readonly sortino: number | null;
  /** `annualizedPct` ÷ `maxDrawdownPct` (Young, 1991, over the whole run). */
  readonly calmar: number | null;
  /** Sum of the profits ÷ sum of the losses of the trades. */
  readonly profitFactor: number | null;
  /** Return from the first close of the range to the last, or to what a delisting brought, in percent. */
  readonly buyHoldPnlPct: number;
  /** `totalPnlPct` − `buyHoldPnlPct`, in percentage points. */
  readonly excessReturnPct: number;
  /** Bars at whose close a position was held, in percent of all. */
  readonly exposurePct: number;
  /** Mean, best, and worst return of a trade, in percent of the cash before it. */
  readonly avgTradePct: number | null;
  readonly bestTradePct: number | null;
  readonly worstTradePct: number | null;
  /** Mean number of bars from entry to exit. */
  readonly avgBarsHeld: number | null;
  /** Money at the last bar. */
  readonly finalEquity: number;
}

/** The names of metrics in results, in the order in which results are stored and their columns lie. */
export const METRIC_NAMES = {
  numTrades: 'num_trades',
  winRate: 'win_rate',
  totalPnlPct: 'total_pnl_pct',
  annualizedPct: 'annualized_pct',
  maxDrawdownPct: 'max_drawdown_pct',
  maxDrawdownDays: 'max_drawdown_days',
  sharpe: 'sharpe',
  sortino: 'sortino',
  calmar: 'calmar',
  profitFactor: 'profit_factor',
  buyHoldPnlPct: 'buy_hold_pnl_pct',
  excessReturnPct: 'excess_return_pct',
  exposurePct: 'exposure_pct',
  avgTradePct: 'avg_trade_pct',
  bestTradePct: 'best_trade_pct',
  worstTradePct: 'worst_trade_pct',
  avgBarsHeld: 'avg_bars_held',
  finalEquity: 'final_equity',
} as const satisfies Readonly<Record<keyof Metrics, string>>;

/** Whether a trade gained after costs as reported: a gain that rounds to 0 % is only rounding of money. */
export function isWin({ pnlPct }: Pick<Trade, 'pnlPct'>): boolean {
  return roundTo(pnlPct, PERCENT_DECIMALS) > 0;
}

/** The part of a run that metrics are made of. */
export interface MeasuredRun extends Omit<Simulation, 'trades' | 'interest'> {
  readonly trades: readonly Pick<Trade, 'pnl' | 'pnlPct' | 'entryIndex' | 'exitIndex'>[];
}

/** `bars` are those of the range, one for each value of `run.equity`: their days, and closes of what the run is compared with. */
export function metricsOf(
  bars: Pick<BarSeries, 'length' | 'day' | 'close' | 'delisting'>,
  run: MeasuredRun,
  initialCapital: number,
): Metrics {
  const { trades, equity } = run;
  const last = bars.length - 1;
  const final = equity[last];
  const total = 100 * returnOf(initialCapital, final);
  const annualized = annualizedPct(initialCapital === 0 ? 1 : final / initialCapital, bars.day[last] - bars.day[0]);
  const drawdown = drawdownOf(bars.day, equity, initialCapital);
  const buyHold = 100 * (settledClose(bars) / bars.close[0] - 1);
  const traded = tradeFigures(trades);
  return {
    numTrades: trades.length,
    winRate: traded.winRate,
    totalPnlPct: total,
    annualizedPct: annualized,
    maxDrawdownPct: drawdown.pct,
    maxDrawdownDays: drawdown.days,
    ...returnRatios(equity, initialCapital),
    calmar: annualized === null || drawdown.pct === 0 ? null : finiteOrNull(annualized / drawdown.pct),
    profitFactor: traded.profitFactor,
    buyHoldPnlPct: buyHold,
    excessReturnPct: total - buyHold,
    exposurePct: (100 * run.barsExposed) / bars.length,
    avgTradePct: traded.avgTradePct,
    bestTradePct: traded.bestTradePct,
    worstTradePct: traded.worstTradePct,
    avgBarsHeld: traded.avgBarsHeld,
    finalEquity: final,
  };
}

/** Simple return as a fraction; 0 where there was no money before. */
function returnOf(before: number, after: number): number {
  return before === 0 ? 0 : after / before - 1;
}

/** Compound annual growth rate in percent; -100 when everything is lost, null when no time passed, or too little for the growth. */
function annualizedPct(growth: number, days: number): number | null {
  if (days === 0) return null;
  return growth <= 0 ? -100 : finiteOrNull(100 * (growth ** (YEAR_DAYS / days) - 1));
}

/** Largest fall below the running peak, and the longest time in calendar days from a peak to its recovery or the end. */
function drawdownOf(days: Int32Array, equity: Float64Array, initial: number): { pct: number; days: number } {
  let peak = initial;
  let peakDay: Day = days[0];
  let pct = 0;
  let longest = 0;
  for (let t = 0; t < equity.length; t++) {
    const isDown = equity[t] < peak;
    // A drawdown that ends counts until the day of its recovery.
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

/** Annualized Sharpe ratio (sample standard deviation) and Sortino ratio (root mean square of losses) of simple returns. */
function returnRatios(equity: Float64Array, initial: number): Pick<Metrics, 'sharpe' | 'sortino'> {
  const count = equity.length;
  let sum = 0;
  let squaredLosses = 0;
  let before = initial;
  for (let t = 0; t < count; t++) {
    const r = returnOf(before, equity[t]);
    sum += r;
    if (r < 0) squaredLosses += r * r;
    before = equity[t];
  }
  const mean = sum / count;
  let squares = 0;
  before = initial;
  for (let t = 0; t < count; t++) {
    squares += (returnOf(before, equity[t]) - mean) ** 2;
    before = equity[t];
  }
  const stdev = Math.sqrt(squares / (count - 1));
  const year = Math.sqrt(TRADING_DAYS_PER_YEAR);
  return {
    sharpe: count < 2 || stdev === 0 ? null : finiteOrNull((mean / stdev) * year),
    sortino: squaredLosses === 0 ? null : finiteOrNull((mean / Math.sqrt(squaredLosses / count)) * year),
  };
}

type TradeFigures = Pick<
  Metrics,
  'winRate' | 'profitFactor' | 'avgTradePct' | 'bestTradePct' | 'worstTradePct' | 'avgBarsHeld'
>;

const NO_TRADES: TradeFigures = {
  winRate: null,
  profitFactor: null,
  avgTradePct: null,
  bestTradePct: null,
  worstTradePct: null,
  avgBarsHeld: null,
};

/** One loop without closures: V8 recompiles the closures of a search after each garbage collection. */
function tradeFigures(trades: MeasuredRun['trades']): TradeFigures {
  const count = trades.length;
  if (count === 0) return NO_TRADES;
  let wins = 0;
  let gains = 0;
  let losses = 0;
  let percents = 0;
  let barsHeld = 0;
  let best = trades[0].pnlPct;
  let worst = best;
  for (const trade of trades) {
    const { pnl, pnlPct, entryIndex, exitIndex } = trade;
    if (isWin(trade)) wins++;
    if (pnl > 0) gains += pnl;
    else losses += pnl;
    percents += pnlPct;
    barsHeld += exitIndex - entryIndex;
    best = Math.max(best, pnlPct);
    worst = Math.min(worst, pnlPct);
  }
  return {
    winRate: (100 * wins) / count,
    profitFactor: losses === 0 ? null : finiteOrNull(gains / Math.abs(losses)),
    avgTradePct: finiteOrNull(percents / count),
    bestTradePct: finiteOrNull(best),
    worstTradePct: finiteOrNull(worst),
    avgBarsHeld: barsHeld / count,
  };
}
