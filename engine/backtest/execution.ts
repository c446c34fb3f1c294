/** How orders are filled, what fills cost, and when and why positions end. */
import type { HeldScan } from '../indicators/scans.ts';
import { isAtLeast, isAtMost } from '../indicators/ties.ts';
import type { Overlays, StrategyPlan } from '../strategies/strategy.ts';

export const EXECUTE_ON = ['close', 'next_open'] as const;
export type ExecuteOn = (typeof EXECUTE_ON)[number];

export interface Execution {
  /** Fill orders at the close of the signal's bar, or at the open of the next bar. */
  readonly executeOn: ExecuteOn;
  /** Fraction of the notional, per side: 0.001 is 0.1 %. */
  readonly commissionRate: number;
  /** Smallest commission per side, as money. */
  readonly minCommission: number;
  /** Basis points: buys pay this much more than the price, sells receive this much less. */
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

/** Whether a sale was not decided: there are no further bars. */
export function isForced(reason: string): boolean {
  return reason === 'end_of_data' || reason === 'delisted';
}

/** Price paid for a purchase whose price before slippage is `price`. */
export function purchasePrice(price: number, { slippageBps }: Execution): number {
  return price * (1 + slippageBps / 10_000);
}

/** Price received for a sale whose price before slippage is `price`. */
export function salePrice(price: number, { slippageBps }: Execution): number {
  return price * (1 - slippageBps / 10_000);
}

export function purchaseCommission(notional: number, { commissionRate, minCommission }: Execution): number {
  return Math.max(minCommission, commissionRate * notional);
}

/** Never more than the proceeds, so that cash does not become negative. */
export function saleCommission(notional: number, execution: Execution): number {
  return Math.min(notional, purchaseCommission(notional, execution));
}

/** The largest notional that `cash` pays for, its commission included; 0 or less when it does not even pay the commission. */
export function affordableNotional(cash: number, { commissionRate, minCommission }: Execution): number {
  const afterRate = cash / (1 + commissionRate);
  return commissionRate * afterRate >= minCommission ? afterRate : cash - minCommission;
}

export interface ExitSignal {
  /** Bar at whose close the rule sells; the end of the searched closes when it does not. */
  readonly index: number;
  readonly reason: ExitReason;
}

/** The earlier of two; of equal ones the first. */
export function earlierExit(first: ExitSignal, second: ExitSignal): ExitSignal {
  return second.index < first.index ? second : first;
}

/** Stop loss and take profit against `fillPrice` (before slippage), at the closes `from` (included) to `to` (excluded). */
export function priceExit(
  close: Float64Array,
  { stopLossPct, takeProfitPct }: Overlays,
  fillPrice: number,
  from: number,
  to: number,
): ExitSignal {
  const stopped = stopLossPct > 0 ? firstAtMost(close, fillPrice * (1 - stopLossPct / 100), from, to) : to;
  const taken = takeProfitPct > 0 ? firstAtLeast(close, fillPrice * (1 + takeProfitPct / 100), from, stopped) : stopped;
  if (taken < stopped) return exitAt(taken, 'take_profit');
  return stopped < to ? exitAt(stopped, 'stop_loss') : exitAt(to, 'end_of_data');
}

/**
 * The strategy's own exit of a position that was bought for `fillPrice` (before slippage), or its time stop. `from` is the
 * first bar that counts as held; the closes before `to` are searched.
 */
export function ownExit({ signals, overlays }: StrategyPlan, fillPrice: number, from: number, to: number): ExitSignal {
  const { stop, trail, exit } = signals;
  const { maxBars } = overlays;
  const isTimed = maxBars > 0 && from + maxBars <= to;
  let reason: ExitReason = isTimed ? 'time_stop' : 'end_of_data';
  let index = isTimed ? from + maxBars - 1 : to;
  // Each rule is searched up to the exit found so far; it wins at the bar of that exit, too.
  const consider = (scan: HeldScan | null, itsReason: ExitReason) => {
    if (scan === null) return;
    const end = index < to ? index + 1 : to;
    const found = scan(from, end, fillPrice);
    if (found === end) return;
    index = found;
    reason = itsReason;
  };
  consider(exit, 'signal');
  consider(trail, 'trailing_stop');
  consider(stop, 'stop_loss');
  return exitAt(index, reason);
}

const exitAt = (index: number, reason: ExitReason): ExitSignal => ({ index, reason });

// The first index from `from` on, below `to`, at which the comparison holds; `to` when there is none.

function firstAtMost(values: Float64Array, level: number, from: number, to: number): number {
  for (let t = from; t < to; t++) if (isAtMost(values[t], level)) return t;
  return to;
}

function firstAtLeast(values: Float64Array, level: number, from: number, to: number): number {
  for (let t = from; t < to; t++) if (isAtLeast(values[t], level)) return t;
  return to;
}
