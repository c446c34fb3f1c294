/** Bringing positions back to their targets at the end of a period. */
import { isBelow } from '../indicators/ties.ts';

/** A position that is off its target by less than this share of it is left alone. */
const TOLERANCE = 0.05;

export interface Adjustment {
  readonly instrument: number;
  /** Money; purchases and sales alike are positive. */
  readonly amount: number;
}

/** The sales and purchases, each in execution order. */
export function rebalancingOrders(
  positions: readonly { readonly instrument: number; readonly value: number; readonly target: number }[],
): { readonly sales: readonly Adjustment[]; readonly purchases: readonly Adjustment[] } {
  const sales: Adjustment[] = [];
  const purchases: Adjustment[] = [];
  for (const { instrument, value, target } of positions) {
    const amount = target - value;
    if (isBelow(Math.abs(amount), TOLERANCE * target)) continue;
    (amount > 0 ? purchases : sales).push({ instrument, amount: Math.abs(amount) });
  }
  return { sales, purchases };
}
