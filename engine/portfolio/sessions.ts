/**
 * The trading loop of a portfolio. At session t it reads bars and decisions up to t, and of the next bar of an instrument nothing
 * but the open at which an order is filled.
 */
import { endPart } from '../util/parts.ts';
import { Broker } from './broker.ts';
import { Cash, type Position } from './cash.ts';
import { Cursor } from './clock.ts';
import type { OpenBook, PortfolioRun, TradingInput } from './portfolio.ts';

export interface Trading {
  readonly input: TradingInput;
  readonly cursor: Cursor;
  readonly cash: Cash;
  readonly broker: Broker;
}

/** `isIdle`: no instrument is followed until one is held. */
export function openTrading(input: TradingInput, isIdle = false): Trading {
  const cursor = new Cursor(input.instruments, isIdle);
  const cash = new Cash(input);
  return { input, cursor, cash, broker: new Broker(input, cash, cursor) };
}

/**
 * Visits every session. `decide` sells and buys at the close, after the exits; it is not called at the last session, at which
 * everything is sold. `begin` is called at every session, before all that happens at it but the interest of the night.
 */
export function runSessions(
  trading: Trading,
  clock: Int32Array,
  decide: (t: number) => void,
  begin?: (t: number) => void,
): PortfolioRun {
  const { input, cursor, cash, broker } = trading;
  const isAtOpen = input.execution.executeOn === 'next_open';
  const equity = new Float64Array(clock.length);
  const positions = new Int32Array(clock.length);
  const invested = new Float64Array(clock.length);
  const largest = new Float64Array(clock.length);
  const squares = new Float64Array(clock.length);
  let open: OpenBook | null = null;
  for (let t = 0; t < clock.length; t++) {
    endPart();
    const isLast = t === clock.length - 1;
    cursor.moveTo(clock[t]);
    broker.begin(clock[t]);
    cash.earn(t);
    begin?.(t);
    if (isAtOpen) broker.fillAtOpen(isLast);
    if (!isLast || !isAtOpen) sellAtExits(trading);
    if (isLast) closeAll(trading);
    else {
      closeDelisted(trading);
      decide(t);
    }
    positions[t] = cash.held.length;
    for (const position of cash.held) {
      const worth = worthOf(cursor, position);
      invested[t] += worth;
      largest[t] = Math.max(largest[t], worth);
      squares[t] += worth * worth;
    }
    equity[t] = cash.balance + invested[t];
    if (t === clock.length - 2) open = openBook(trading);
  }
  const { trades, orders, purchases, sales, earned } = cash;
  return { trades, orders, equity, positions, invested, largest, squares, purchases, sales, interest: earned, open };
}

function openBook({ cash, broker }: Trading): OpenBook {
  return {
    positions: cash.held.map(({ instrument, shares }) => ({ instrument, shares })),
    orders: broker.orders.list().map((order) => {
      const { instrument, side } = order;
      return { instrument, side, reason: order.side === 'sell' ? order.reason : 'entry' };
    }),
  };
}

/** Cash, and what the positions are worth at their last closes. */
export function equityOf(trading: Trading): number {
  return trading.cash.balance + investedIn(trading);
}

/** Money that the positions are worth at their last closes. */
function investedIn({ cash, cursor }: Trading): number {
  let value = 0;
  for (const position of cash.held) value += worthOf(cursor, position);
  return value;
}

export function worthOf(cursor: Cursor, { shares, instrument }: Position): number {
  return shares * cursor.close(instrument);
}

function sellAtExits({ input, cursor, cash, broker }: Trading): void {
  const isAtOpen = input.execution.executeOn === 'next_open';
  // A copy, because sales remove items from the list.
  for (const position of [...cash.held]) {
    const { instrument, exit, isExitOrdered } = position;
    if (!cursor.isTraded[instrument] || isExitOrdered || exit.index !== cursor.index[instrument]) continue;
    // It is closed today, and there is no later open at which an order could be filled.
    if (isAtOpen && broker.isLastEver(instrument)) continue;
    broker.exit(position, exit.reason);
  }
}

function closeDelisted({ cursor, cash, broker }: Trading): void {
  // A copy, because sales remove items from the list.
  for (const position of [...cash.held]) {
    if (cursor.isTraded[position.instrument] && broker.isLastEver(position.instrument))
      broker.close(position, 'delisted');
  }
}

/** At the end of the range the remaining positions are sold at their last closes. */
function closeAll({ cursor, cash, broker }: Trading): void {
  // A copy, because sales remove items from the list.
  for (const position of [...cash.held]) {
    const isDelisted = cursor.isTraded[position.instrument] === 1 && broker.isLastEver(position.instrument);
    broker.close(position, isDelisted ? 'delisted' : 'end_of_data');
  }
}
