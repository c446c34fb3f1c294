/**
 * The trading loop: long only, one position, all in. At bar t it reads bars and signals up to t, and of bar t+1 nothing
 * but the open that an order of bar t is filled at.
 */
import type { BarSeries } from './series.ts';
import type { OverlayValues } from './strategies/catalogue.ts';
import type { Signals, Trail } from './strategies/strategy.ts';

export const EXECUTE_ON = ['close', 'next_open'] as const;
export type ExecuteOn = (typeof EXECUTE_ON)[number];

export interface Execution {
  /** Filled at the close of the signal's bar, or at the open of the next one. */
  readonly executeOn: ExecuteOn;
  /** Share of the notional, per side. */
  readonly commissionRate: number;
  /** Money per side. */
  readonly minCommission: number;
  /** Hundredths of a percent: buys pay more, sells get less. */
  readonly slippageBps: number;
  readonly initialCapital: number;
}

export const EXIT_REASONS = [
  'trailing_stop',
  'signal',
  'stop_loss',
  'take_profit',
  'time_stop',
  'end_of_data',
  'delisted',
] as const;
export type ExitReason = (typeof EXIT_REASONS)[number];

/** A closed trade. Indices are of the series; prices are those paid and got, slippage included. */
export interface Trade {
  readonly entryIndex: number;
  readonly exitIndex: number;
  readonly entryPrice: number;
  readonly exitPrice: number;
  readonly shares: number;
  /** Money, after costs. */
  readonly pnl: number;
  readonly pnlPct: number;
  /** Both sides. */
  readonly commission: number;
  /** Worst and best price while held against the entry before slippage, in percent: worst ≤ 0 ≤ best. */
  readonly maePct: number;
  readonly mfePct: number;
  readonly exitReason: ExitReason;
}

export interface Simulation {
  readonly trades: readonly Trade[];
  /** Money at each bar of the range, after its fills. */
  readonly equity: Float64Array;
  /** Bars at whose close, after fills, a position was held. */
  readonly barsExposed: number;
}

export interface SimulationInput {
  readonly series: BarSeries;
  /** Bars `from` (included) to `to` (excluded) are traded; signals may use the bars before. */
  readonly from: number;
  readonly to: number;
  readonly signals: Signals;
  readonly overlays: OverlayValues;
  readonly execution: Execution;
  /** Why a position that is still open at the last bar is closed. */
  readonly finalReason: 'end_of_data' | 'delisted';
}

export function simulate(input: SimulationInput): Simulation {
  const { series, from, to, signals, execution } = input;
  const { open, close } = series;
  const isAtOpen = execution.executeOn === 'next_open';
  const last = to - 1;
  const account = new Account(series, execution);
  const equity = new Float64Array(to - from);
  let barsExposed = 0;
  let t = from;
  while (t < to) {
    const fill = nextFill(signals.entry, t, last, isAtOpen);
    const fillPrice = isAtOpen ? open[fill] : close[fill];
    if (fill > last || !account.buy(fill, fillPrice)) {
      equity.fill(account.cash, t - from);
      break;
    }
    equity.fill(account.cashBefore, t - from, fill - from);
    const exit = findExit(input, fill, fillPrice);
    for (let i = fill; i < exit.index; i++) equity[i - from] = account.cash + account.shares * close[i];
    barsExposed += exit.index - fill;
    account.sell(exit);
    equity[exit.index - from] = account.cash;
    // Sold at the open, the account is flat at that bar's close already.
    t = exit.isAtClose ? exit.index + 1 : exit.index;
  }
  return { trades: account.trades, equity, barsExposed };
}

/** The bar at which a flat account buys, looking from the close of bar t on; past the last bar when it does not. */
function nextFill(entry: Uint8Array, t: number, last: number, isAtOpen: boolean): number {
  // No entry is made on the last bar.
  const latestSignal = isAtOpen ? last - 2 : last - 1;
  for (let i = t; i <= latestSignal; i++) if (entry[i] === 1) return isAtOpen ? i + 1 : i;
  return last + 1;
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
  const { series, to, signals, overlays, execution, finalReason } = input;
  const { open, close } = series;
  const isAtOpen = execution.executeOn === 'next_open';
  const last = to - 1;
  const { stop_loss_pct, take_profit_pct, max_bars } = overlays;
  const lossPrice = stop_loss_pct > 0 ? fillPrice * (1 - stop_loss_pct / 100) : Number.NEGATIVE_INFINITY;
  const profitPrice = take_profit_pct > 0 ? fillPrice * (1 + take_profit_pct / 100) : Number.POSITIVE_INFINITY;
  // Filled at the open, the bar of the fill is looked at and counts as held.
  const firstLook = isAtOpen ? fill : fill + 1;
  const timeLimit = max_bars > 0 ? firstLook + max_bars - 1 : Number.POSITIVE_INFINITY;
  const { exit, trail } = signals;
  const stop = trail === null ? null : new TrailingStop(trail, fillPrice);
  for (let t = firstLook; t <= last; t++) {
    const price = close[t];
    const isStopped = stop?.isHit(t, price) === true;
    let reason: ExitReason;
    if (price <= lossPrice) reason = 'stop_loss';
    else if (price >= profitPrice) reason = 'take_profit';
    else if (isStopped) reason = 'trailing_stop';
    else if (exit !== null && exit[t] === 1) reason = 'signal';
    else if (t >= timeLimit) reason = 'time_stop';
    else continue;
    if (!isAtOpen) return { index: t, price, reason, isAtClose: true };
    if (t < last) return { index: t + 1, price: open[t + 1], reason, isAtClose: false };
  }
  return { index: last, price: close[last], reason: finalReason, isAtClose: true };
}

class TrailingStop {
  private readonly trail: Trail;
  private peak: number;
  private stop = Number.NaN;

  constructor(trail: Trail, fillPrice: number) {
    this.trail = trail;
    this.peak = fillPrice;
  }

  /** Follows the bar, and says whether its close is below the stop. */
  isHit(t: number, price: number): boolean {
    const { source, range, multiple, isRatchet } = this.trail;
    if (source[t] > this.peak) this.peak = source[t];
    const stop = this.peak - multiple * range[t];
    // An undefined range leaves a ratchet where it is.
    if (!isRatchet || stop > this.stop || Number.isNaN(this.stop)) this.stop = stop;
    return price < this.stop;
  }
}

/** Cash and shares, and the trades that turned one into the other. */
class Account {
  readonly trades: Trade[] = [];
  cash: number;
  shares = 0;
  cashBefore = 0;
  private readonly series: BarSeries;
  private readonly execution: Execution;
  private readonly slippage: number;
  private entryIndex = -1;
  private entryFill = 0;
  private entryPrice = 0;
  private entryCommission = 0;

  constructor(series: BarSeries, execution: Execution) {
    this.series = series;
    this.execution = execution;
    this.slippage = execution.slippageBps / 10_000;
    this.cash = execution.initialCapital;
  }

  /** All in at `price` before slippage; false when the cash does not even pay the commission. */
  buy(t: number, price: number): boolean {
    const { commissionRate, minCommission } = this.execution;
    const afterRate = this.cash / (1 + commissionRate);
    const notional = commissionRate * afterRate >= minCommission ? afterRate : this.cash - minCommission;
    if (notional <= 0) return false;
    this.cashBefore = this.cash;
    this.entryIndex = t;
    this.entryFill = price;
    this.entryPrice = price * (1 + this.slippage);
    this.entryCommission = Math.max(minCommission, commissionRate * notional);
    this.shares = notional / this.entryPrice;
    this.cash -= notional + this.entryCommission;
    return true;
  }

  /** All out. */
  sell({ index, price, reason }: Exit): void {
    const { commissionRate, minCommission } = this.execution;
    const { shares, entryIndex, entryPrice } = this;
    const exitPrice = price * (1 - this.slippage);
    const notional = shares * exitPrice;
    const exitCommission = Math.max(minCommission, commissionRate * notional);
    this.cash += notional - exitCommission;
    this.shares = 0;
    const pnl = this.cash - this.cashBefore;
    const { worst, best } = this.extremesUntil(index, price);
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
   * Lowest and highest price while held. At the close, the bars after the fill, the exit's included; at the open, the
   * bars from the fill on, and of the exit's bar only the price it is sold at.
   */
  private extremesUntil(exitIndex: number, exitFill: number): { worst: number; best: number } {
    const { high, low } = this.series;
    const isAtOpen = this.execution.executeOn === 'next_open';
    let worst = isAtOpen ? Math.min(this.entryFill, exitFill) : this.entryFill;
    let best = isAtOpen ? Math.max(this.entryFill, exitFill) : this.entryFill;
    const from = isAtOpen ? this.entryIndex : this.entryIndex + 1;
    const to = isAtOpen ? exitIndex : exitIndex + 1;
    for (let i = from; i < to; i++) {
      if (low[i] < worst) worst = low[i];
      if (high[i] > best) best = high[i];
    }
    return { worst, best };
  }
}
