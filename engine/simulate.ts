/**
 * The trading loop: long only, one position, all in. At bar t it reads bars and signals up to t, and of bar t+1 nothing
 * but the open that an order of bar t is filled at.
 */
import type { BarSeries } from './series.ts';
import type { OverlayValues } from './strategies/catalogue.ts';
import type { Signals } from './strategies/strategy.ts';

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

export function simulate({ series, from, to, signals, overlays, execution, finalReason }: SimulationInput): Simulation {
  const { open, close } = series;
  const { entry } = signals;
  const isAtOpen = execution.executeOn === 'next_open';
  const account = new Account(series, execution);
  const exits = new ExitRules(series, signals, overlays, isAtOpen);
  const equity = new Float64Array(to - from);
  const last = to - 1;
  let barsExposed = 0;
  let isEntryOrdered = false;
  let ordered: ExitReason | null = null;
  for (let t = from; t < to; t++) {
    if (ordered !== null) {
      account.sell(t, open[t], ordered);
      ordered = null;
    } else if (isEntryOrdered) {
      // No entry is made on the last bar.
      if (t < last && account.buy(t, open[t])) exits.begin(t, open[t]);
      isEntryOrdered = false;
    }
    if (account.isLong) {
      const reason = isAtOpen || t > account.entryIndex ? exits.reasonAt(t) : null;
      if (reason !== null && isAtOpen) ordered = reason;
      else if (reason !== null) account.sell(t, close[t], reason);
    } else if (entry[t] === 1 && t < last) {
      if (isAtOpen) isEntryOrdered = true;
      else if (account.buy(t, close[t])) exits.begin(t, close[t]);
    }
    if (t === last && account.isLong) account.sell(t, close[t], finalReason);
    if (account.isLong) barsExposed++;
    equity[t - from] = account.equityAt(close[t]);
  }
  return { trades: account.trades, equity, barsExposed };
}

/** Cash and shares, and the trades that turned one into the other. */
class Account {
  readonly trades: Trade[] = [];
  entryIndex = -1;
  private readonly series: BarSeries;
  private readonly execution: Execution;
  private readonly slippage: number;
  private cash: number;
  private shares = 0;
  private cashBefore = 0;
  private entryFill = 0;
  private entryPrice = 0;
  private entryCommission = 0;

  constructor(series: BarSeries, execution: Execution) {
    this.series = series;
    this.execution = execution;
    this.slippage = execution.slippageBps / 10_000;
    this.cash = execution.initialCapital;
  }

  get isLong(): boolean {
    return this.shares > 0;
  }

  equityAt(price: number): number {
    return this.cash + this.shares * price;
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

  /** All out at `price` before slippage. */
  sell(t: number, price: number, exitReason: ExitReason): void {
    const { commissionRate, minCommission } = this.execution;
    const { shares, entryIndex, entryPrice } = this;
    const exitPrice = price * (1 - this.slippage);
    const notional = shares * exitPrice;
    const exitCommission = Math.max(minCommission, commissionRate * notional);
    this.cash += notional - exitCommission;
    this.shares = 0;
    const pnl = this.cash - this.cashBefore;
    this.trades.push({
      ...{ entryIndex, exitIndex: t, entryPrice, exitPrice, shares, pnl, exitReason },
      pnlPct: (100 * pnl) / this.cashBefore,
      commission: this.entryCommission + exitCommission,
      ...this.excursionUntil(t, price),
    });
  }

  /**
   * At the close, the bars after the fill are held, the exit's included; at the open, the bars from the fill on, and of
   * the exit's bar only the price it is sold at.
   */
  private excursionUntil(exitIndex: number, exitFill: number): Pick<Trade, 'maePct' | 'mfePct'> {
    const { high, low } = this.series;
    const isAtOpen = this.execution.executeOn === 'next_open';
    const end = isAtOpen ? exitIndex : exitIndex + 1;
    let worst = isAtOpen ? Math.min(this.entryFill, exitFill) : this.entryFill;
    let best = isAtOpen ? Math.max(this.entryFill, exitFill) : this.entryFill;
    for (let i = isAtOpen ? this.entryIndex : this.entryIndex + 1; i < end; i++) {
      if (low[i] < worst) worst = low[i];
      if (high[i] > best) best = high[i];
    }
    return { maePct: 100 * (worst / this.entryFill - 1), mfePct: 100 * (best / this.entryFill - 1) };
  }
}

/** When to leave a position, looked at on closes. Of several reasons the first in the order of the code counts. */
class ExitRules {
  private readonly close: Float64Array;
  private readonly signals: Signals;
  private readonly maxBars: number;
  private readonly lossFactor: number;
  private readonly profitFactor: number;
  /** With fills at the open, the fill's bar counts as held. */
  private readonly firstBar: 0 | 1;
  private entryIndex = -1;
  private lossPrice = 0;
  private profitPrice = 0;
  private peak = 0;
  private stop = Number.NaN;

  constructor(series: BarSeries, signals: Signals, overlays: OverlayValues, isAtOpen: boolean) {
    this.close = series.close;
    this.signals = signals;
    this.maxBars = overlays.max_bars > 0 ? overlays.max_bars : Number.POSITIVE_INFINITY;
    this.lossFactor = overlays.stop_loss_pct > 0 ? 1 - overlays.stop_loss_pct / 100 : Number.NEGATIVE_INFINITY;
    this.profitFactor = overlays.take_profit_pct > 0 ? 1 + overlays.take_profit_pct / 100 : Number.POSITIVE_INFINITY;
    this.firstBar = isAtOpen ? 1 : 0;
  }

  /** A position was opened at `fill`, before slippage. */
  begin(t: number, fill: number): void {
    this.entryIndex = t;
    this.lossPrice = fill * this.lossFactor;
    this.profitPrice = fill * this.profitFactor;
    this.peak = fill;
    this.stop = Number.NaN;
  }

  reasonAt(t: number): ExitReason | null {
    const price = this.close[t];
    const { exit, trail } = this.signals;
    const isStopped = trail !== null && this.isBelowStop(t, price);
    if (price <= this.lossPrice) return 'stop_loss';
    if (price >= this.profitPrice) return 'take_profit';
    if (isStopped) return 'trailing_stop';
    if (exit !== null && exit[t] === 1) return 'signal';
    return t - this.entryIndex + this.firstBar >= this.maxBars ? 'time_stop' : null;
  }

  private isBelowStop(t: number, price: number): boolean {
    const { source, distance, ratchet } = this.signals.trail as NonNullable<Signals['trail']>;
    if (source[t] > this.peak) this.peak = source[t];
    const stop = this.peak - distance[t];
    // An undefined distance leaves a ratchet where it is.
    if (!ratchet || Number.isNaN(this.stop) || stop > this.stop) this.stop = stop;
    return price < this.stop;
  }
}
