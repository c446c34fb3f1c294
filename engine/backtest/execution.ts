/** How orders are filled, what fills cost, and why positions end. */

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
