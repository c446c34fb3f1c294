/** Executes decisions: immediately at the close, or as orders at the next open. */
import { purchaseCommission } from '../backtest/execution.ts';
import type { Day } from '../market/dates.ts';
import { settledClose } from '../market/series.ts';
import type { Cash, Fill, Position } from './cash.ts';
import type { Cursor } from './clock.ts';
import type { PortfolioExitReason, TradingInput } from './portfolio.ts';
import type { Adjustment } from './selection.ts';

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

type Order = SaleOrder | PurchaseOrder;

/** `dropped`: the instrument has no later bar at which the order could be filled. */
type OrderStatus = 'due' | 'waits' | 'dropped';

/** Orders in the sequence in which they were decided. */
class OrderBook {
  private waiting: Order[] = [];

  add(order: Order): void {
    this.waiting.push(order);
  }

  /** Removes and returns the orders that no longer wait; the others keep their sequence. */
  settle(statusOf: (order: Order) => OrderStatus): {
    readonly due: readonly Order[];
    readonly dropped: readonly Order[];
  } {
    if (this.waiting.length === 0) return { due: [], dropped: [] };
    const statuses = this.waiting.map(statusOf);
    const having = (status: OrderStatus) => this.waiting.filter((_, i) => statuses[i] === status);
    const settled = { due: having('due'), dropped: having('dropped') };
    this.waiting = having('waits');
    return settled;
  }

  /** Removes purchases and sales of parts; sales of whole positions go on waiting. */
  void(): void {
    this.waiting = this.waiting.filter((order) => order.side === 'sell' && order.amount === null);
  }

  /** Whether the instrument has a waiting order. */
  has(instrument: number): boolean {
    return this.waiting.some((order) => order.instrument === instrument);
  }

  /** The orders that wait. */
  list(): readonly Order[] {
    return this.waiting;
  }

  /** Instruments with a purchase ordered. */
  purchased(): number[] {
    return this.waiting.filter(({ side }) => side === 'buy').map(({ instrument }) => instrument);
  }
}

export class Broker {
  private readonly input: TradingInput;
  private readonly cash: Cash;
  private readonly cursor: Cursor;
  private readonly isAtOpen: boolean;
  readonly orders = new OrderBook();
  /** Instruments that were sold out at this close. */
  private readonly soldOut = new Set<number>();
  private day: Day = 0;

  constructor(input: TradingInput, cash: Cash, cursor: Cursor) {
    this.input = input;
    this.cash = cash;
    this.cursor = cursor;
    this.isAtOpen = input.execution.executeOn === 'next_open';
  }

  begin(day: Day): void {
    this.day = day;
    this.soldOut.clear();
  }

  /** Fills the orders whose instruments have a bar today: all sales, then all purchases. */
  fillAtOpen(isLastSession: boolean): void {
    const { due, dropped } = this.orders.settle((order) => this.statusOf(order, isLastSession));
    for (const { instrument } of dropped) this.dropOrder(instrument);
    for (const order of due) if (order.side === 'sell') this.fillSale(order);
    this.fillPurchases(
      due.filter((order) => order.side === 'buy'),
      (instrument) => this.openOf(instrument),
    );
  }

  private fillPurchases(purchases: readonly Adjustment[], fillOf: (instrument: number) => Fill): void {
    const share = this.input.sharesCash ? this.payableShare(purchases) : 1;
    for (const { instrument, amount } of purchases) this.cash.buy(instrument, share * amount, fillOf(instrument));
  }

  /** The share of all purchases, commissions included, that the cash pays for. */
  private payableShare(purchases: readonly Adjustment[]): number {
    const { execution } = this.input;
    const sum = purchases.reduce((total, { amount }) => total + amount + purchaseCommission(amount, execution), 0);
    return sum > this.cash.balance ? this.cash.balance / sum : 1;
  }

  private statusOf({ side, instrument }: Order, isLastSession: boolean): OrderStatus {
    const { cursor } = this;
    if (!cursor.isTraded[instrument]) return cursor.isOver(instrument) ? 'dropped' : 'waits';
    const isOver = isLastSession || this.isLastEver(instrument);
    return side === 'buy' && isOver ? 'dropped' : 'due';
  }

  private fillSale({ instrument, amount, reason }: Extract<Order, { side: 'sell' }>): void {
    const position = this.cash.positionOf(instrument);
    if (position === null) return;
    const fill = this.openOf(instrument);
    if (amount === null) this.cash.sellAll(position, fill, reason);
    else this.cash.sellFor(position, amount, fill);
  }

  private dropOrder(instrument: number): void {
    const position = this.cash.positionOf(instrument);
    if (position !== null) position.isExitOrdered = false;
  }

  exit(position: Position, reason: PortfolioExitReason): void {
    if (this.isAtOpen) {
      position.isExitOrdered = true;
      this.orders.add({ side: 'sell', instrument: position.instrument, amount: null, reason });
    } else this.close(position, reason);
  }

  /** Sells all at the last close, or for what its delisting brings, in either mode. */
  close(position: Position, reason: PortfolioExitReason): void {
    const { instrument } = position;
    this.soldOut.add(instrument);
    const fill = this.closeOf(instrument);
    const { series } = this.input.instruments[instrument];
    this.cash.sellAll(position, reason === 'delisted' ? { ...fill, price: settledClose(series) } : fill, reason);
  }

  reduce(position: Position, amount: number): void {
    const { instrument } = position;
    if (this.isAtOpen) this.orders.add({ side: 'sell', instrument, amount, reason: 'rebalance' });
    else {
      this.cash.sellFor(position, amount, this.closeOf(instrument));
      if (this.cash.positionOf(instrument) === null) this.soldOut.add(instrument);
    }
  }

  buy(instrument: number, amount: number): void {
    this.buyTogether([{ instrument, amount }]);
  }

  /** Buys, or orders, several instruments in this order. */
  buyTogether(purchases: readonly Adjustment[]): void {
    if (this.isAtOpen)
      for (const { instrument, amount } of purchases) this.orders.add({ side: 'buy', instrument, amount });
    else this.fillPurchases(purchases, (instrument) => this.closeOf(instrument));
  }

  /** Fills purchases before all that waits: at the open, or at the close where the run executes there. */
  buyNow(purchases: readonly Adjustment[]): void {
    this.fillPurchases(purchases, (instrument) => this.fillNow(instrument));
  }

  /** Sells for `amount`, at most all, where `buyNow` buys. */
  withdraw(position: Position, amount: number): void {
    this.cash.sellFor(position, amount, this.fillNow(position.instrument), 'withdrawal');
  }

  /** The fill of an order that does not wait. Its price is the last close where the instrument has no bar today. */
  fillNow(instrument: number): Fill {
    return this.isAtOpen && this.cursor.isTraded[instrument] ? this.openOf(instrument) : this.closeOf(instrument);
  }

  /** Whether an instrument may be bought: it is neither held nor ordered, and was not sold at this close. */
  isFree(instrument: number): boolean {
    const { cash, orders, soldOut } = this;
    return cash.positionOf(instrument) === null && !soldOut.has(instrument) && !orders.has(instrument);
  }

  /** Whether this is the last bar of a delisted instrument. */
  isLastEver(instrument: number): boolean {
    return this.input.instruments[instrument].isDelisted && this.cursor.isOver(instrument);
  }

  private openOf(instrument: number): Fill {
    const index = this.cursor.index[instrument];
    return { index, day: this.day, price: this.input.instruments[instrument].series.open[index], isAtClose: false };
  }

  private closeOf(instrument: number): Fill {
    const index = this.cursor.index[instrument];
    return { index, day: this.day, price: this.cursor.close(instrument), isAtClose: true };
  }
}
