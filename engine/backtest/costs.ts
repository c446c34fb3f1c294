/** The costs of a fill, in money and shares; a side is one purchase or one sale. */
import type { Execution } from './execution.ts';

/** Price paid for a purchase whose price before slippage is `price`. */
export function purchasePrice(price: number, { slippageBps }: Execution): number {
  return price * (1 + slippageBps / 10_000);
}

/** Price got for a sale whose price before slippage is `price`. */
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
