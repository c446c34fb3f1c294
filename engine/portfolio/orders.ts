/** Orders that wait for the open of their instrument's next bar. */
import type { PortfolioExitReason } from './portfolio.ts';

export interface SaleOrder {
  readonly side: 'sell';
  readonly instrument: number;
  /** Money; null: all of the position. */
  readonly amount: number | null;
  readonly reason: PortfolioExitReason;
}

export interface PurchaseOrder {
  readonly side: 'buy';
  readonly instrument: number;
  /** Money. */
  readonly amount: number;
}

export type Order = SaleOrder | PurchaseOrder;

/** `dropped`: the instrument has no bar any more at which the order could be filled. */
export type OrderFate = 'due' | 'waits' | 'dropped';

/** Orders in the sequence in which they were decided. */
export class OrderBook {
  private waiting: Order[] = [];

  add(order: Order): void {
    this.waiting.push(order);
  }

  /** Removes and returns the orders that do not wait any longer; the others keep their places. */
  settle(fateOf: (order: Order) => OrderFate): { readonly due: readonly Order[]; readonly dropped: readonly Order[] } {
    if (this.waiting.length === 0) return { due: [], dropped: [] };
    const fates = this.waiting.map(fateOf);
    const having = (fate: OrderFate) => this.waiting.filter((_, i) => fates[i] === fate);
    const settled = { due: having('due'), dropped: having('dropped') };
    this.waiting = having('waits');
    return settled;
  }

  /** Whether an order of the instrument waits. */
  has(instrument: number): boolean {
    return this.waiting.some((order) => order.instrument === instrument);
  }

  /** Instruments with a purchase ordered. */
  purchased(): number[] {
    return this.waiting.filter(({ side }) => side === 'buy').map(({ instrument }) => instrument);
  }
}
