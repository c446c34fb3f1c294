/**
 * The trading loop: long only, one position at a time, always with all of the cash. At bar t it reads bars and signals up
 * to t. From bar t+1 it reads the open only, at which orders of bar t are filled.
 */
import { IndicatorSet } from '../indicators/indicator-set.ts';
import type { Scan } from '../indicators/scans.ts';
import { type BarSeries, settledClose } from '../market/series.ts';
import type { ParameterValues } from '../strategies/parameters.ts';
import type { Strategy, StrategyPlan } from '../strategies/strategy.ts';
import { endPart } from '../util/parts.ts';
import {
  affordableNotional,
  type Execution,
  type ExitReason,
  earlierExit,
  ownExit,
  priceExit,
  purchaseCommission,
  purchasePrice,
  saleCommission,
  salePrice,
} from './execution.ts';

/** A closed trade. Indices refer to the whole series; prices include slippage. */
export interface Trade {
  readonly entryIndex: number;
  readonly exitIndex: number;
  readonly entryPrice: number;
  readonly exitPrice: number;
  readonly shares: number;
  /** Profit or loss as money, after costs. */
  readonly pnl: number;
  /** Profit or loss in percent of the cash before the entry. */
  readonly pnlPct: number;
  /** Commission of entry and exit, as money. */
  readonly commission: number;
  /** Maximum adverse and favorable excursion from the entry before slippage, in percent: maePct ≤ 0 ≤ mfePct. */
  readonly maePct: number;
  readonly mfePct: number;
  readonly exitReason: ExitReason;
}

export interface Simulation {
  readonly trades: readonly Trade[];
  /** Equity at each bar of the range after its fills, as money. */
  readonly equity: Float64Array;
  /** Number of bars that ended with an open position. */
  readonly barsExposed: number;
  /** Interest on the cash, as money. */
  readonly interest: number;
}

export interface SimulationInput extends StrategyPlan {
  readonly series: BarSeries;
  /** Trades the bars `from` (included) to `to` (excluded); signals may use earlier bars. */
  readonly from: number;
  readonly to: number;
  readonly execution: Execution;
  /** Interest on cash of the night before each bar of the range, as fractions; absent: none. */
  readonly interest?: Float64Array | undefined;
  /** Exit reason of a position that is still open at the last bar. */
  readonly finalReason: 'end_of_data' | 'delisted';
}

/** Bars, range, and costs: everything that runs with different parameters have in common. */
export type RunInput = Omit<SimulationInput, keyof StrategyPlan>;

/** Runs a strategy with its parameters. `indicators` of `input.series`: runs that share them compute each indicator once. */
export function runStrategy(
  strategy: Strategy,
  params: ParameterValues,
  input: RunInput,
  indicators = new IndicatorSet(input.series),
): Simulation {
  endPart();
  const { signals, overlays } = strategy.plan(indicators, params);
  return simulate({ ...input, signals, overlays });
}

export function simulate(input: SimulationInput): Simulation {
  const { series, from, to, signals, execution } = input;
  const { open, close } = series;
  const isAtOpen = execution.executeOn === 'next_open';
  const last = to - 1;
  const portfolio = new Portfolio(series, execution, from, input.interest);
  const equity = new Float64Array(to - from);
  let barsExposed = 0;
  let t = from;
  while (t < to) {
    const fill = nextFill(signals.entry, t, last, isAtOpen);
    portfolio.restInto(equity, t, Math.min(fill, last));
    if (fill > last) break;
    const fillPrice = isAtOpen ? open[fill] : close[fill];
    if (!portfolio.buy(fill, fillPrice)) {
      t = isAtOpen ? fill : fill + 1;
      continue;
    }
    const exit = findExit(input, fill, fillPrice);
    portfolio.valueInto(equity, fill - from, exit.index - from, fill);
    barsExposed += exit.index - fill;
    portfolio.sell(exit);
    equity[exit.index - from] = portfolio.cash;
    // After a sale at the open, the same bar's close may signal the next entry.
    t = exit.isAtClose ? exit.index + 1 : exit.index;
  }
  return { trades: portfolio.trades, equity, barsExposed, interest: portfolio.earned };
}

/** The bar of the next fill for a flat portfolio, from the close of bar t on; last + 1 when there is none. */
function nextFill(entry: Scan, t: number, last: number, isAtOpen: boolean): number {
  // The last bar makes no entry.
  const end = isAtOpen ? last - 1 : last;
  if (t >= end) return last + 1;
  const signal = entry(t, end);
  if (signal === end) return last + 1;
  return isAtOpen ? signal + 1 : signal;
}

interface Exit {
  readonly index: number;
  /** Before slippage. */
  readonly price: number;
  readonly reason: ExitReason;
  readonly isAtClose: boolean;
}

/** Where a position that was bought at `fill` for `fillPrice` (before slippage) ends. */
function findExit(input: SimulationInput, fill: number, fillPrice: number): Exit {
  const { series, to, overlays, execution, finalReason } = input;
  const { open, close } = series;
  const isAtOpen = execution.executeOn === 'next_open';
  const last = to - 1;
  // After a fill at the open, rules apply from the close of the same bar, which counts as held.
  const from = isAtOpen ? fill : fill + 1;
  const byPrice = priceExit(close, overlays, fillPrice, from, to);
  // At the same close the price rules come first.
  const own = ownExit(input, fillPrice, from, byPrice.index);
  const { index: at, reason } = earlierExit(byPrice, own);
  if (at < to && !isAtOpen) return { index: at, price: close[at], reason, isAtClose: true };
  if (at < last) return { index: at + 1, price: open[at + 1], reason, isAtClose: false };
  const price = finalReason === 'delisted' ? settledClose(series) : close[last];
  return { index: last, price, reason: finalReason, isAtClose: true };
}

/** Cash and shares during a run, and its closed trades. */
class Portfolio {
  readonly trades: Trade[] = [];
  cash: number;
  shares = 0;
  cashBefore = 0;
  /** Interest so far. */
  earned = 0;
  private readonly from: number;
  private readonly interest: Float64Array | undefined;
  /** The bar at which the cash is what it is. */
  private restedTo: number;
  private readonly series: BarSeries;
  private readonly execution: Execution;
  private entryIndex = -1;
  private entryFill = 0;
  private entryPrice = 0;
  private entryCommission = 0;

  constructor(series: BarSeries, execution: Execution, from: number, interest: Float64Array | undefined) {
    this.from = from;
    this.interest = interest;
    this.restedTo = from - 1;
    this.series = series;
    this.execution = execution;
    this.cash = execution.initialCapital;
  }

  /** Writes the cash at each bar from `t` to `end` (included), with the interest of the nights before them. */
  restInto(equity: Float64Array, t: number, end: number): void {
    const { from, interest } = this;
    if (interest === undefined) equity.fill(this.cash, t - from, end + 1 - from);
    else {
      const { cash } = this;
      for (let bar = this.restedTo + 1; bar <= end; bar++) {
        this.cash *= 1 + interest[bar - from];
        equity[bar - from] = this.cash;
      }
      this.earned += this.cash - cash;
      this.restedTo = end;
    }
  }

  /** Buys with all of the cash at `price` (before slippage); false when the cash does not cover the commission. */
  buy(t: number, price: number): boolean {
    const { execution } = this;
    const notional = affordableNotional(this.cash, execution);
    if (notional <= 0) return false;
    this.cashBefore = this.cash;
    this.entryIndex = t;
    this.entryFill = price;
    this.entryPrice = purchasePrice(price, execution);
    this.entryCommission = purchaseCommission(notional, execution);
    this.shares = notional / this.entryPrice;
    // Notional and commission use up the cash; a subtraction would leave a rounding error.
    this.cash = 0;
    return true;
  }

  /** Writes the value of the portfolio at each close from bar `start` on into `out[from]` to `out[to - 1]`. */
  valueInto(out: Float64Array, from: number, to: number, start: number): void {
    const { cash, shares } = this;
    const { close } = this.series;
    for (let i = from, t = start; i < to; i++, t++) out[i] = cash + shares * close[t];
  }

  /** Sells everything. */
  sell(exit: Exit): void {
    const { index, price, reason } = exit;
    const { execution, shares, entryIndex, entryPrice } = this;
    const exitPrice = salePrice(price, execution);
    const notional = shares * exitPrice;
    const exitCommission = saleCommission(notional, execution);
    this.cash += notional - exitCommission;
    this.shares = 0;
    this.restedTo = index;
    const pnl = this.cash - this.cashBefore;
    const { worst, best } = this.extremesUntil(exit);
    this.trades.push({
      entryIndex,
      exitIndex: index,
      entryPrice,
      exitPrice,
      shares,
      pnl,
      pnlPct: (100 * pnl) / this.cashBefore,
      commission: this.entryCommission + exitCommission,
      maePct: 100 * (worst / this.entryFill - 1),
      mfePct: 100 * (best / this.entryFill - 1),
      exitReason: reason,
    });
  }

  /**
   * Lowest and highest price while the position was held. The bar of the fill counts only for a fill at its open; the bar
   * of the exit counts in full for a sale at its close, and with its open alone for a sale at its open; what a delisting brought counts.
   */
  private extremesUntil(exit: Exit): { worst: number; best: number } {
    const { high, low } = this.series;
    const { entryIndex, entryFill } = this;
    let worst = Math.min(entryFill, exit.price);
    let best = Math.max(entryFill, exit.price);
    const from = this.execution.executeOn === 'next_open' ? entryIndex : entryIndex + 1;
    const to = exit.isAtClose ? exit.index + 1 : exit.index;
    for (let i = from; i < to; i++) {
      if (low[i] < worst) worst = low[i];
      if (high[i] > best) best = high[i];
    }
    return { worst, best };
  }
}
