/**
 * The trading loop of a portfolio: many instruments, one cash balance. At session t it reads bars and signals up to t, and of the
 * next bar of an instrument nothing but the open at which an order is filled.
 */
import { Broker } from './broker.ts';
import { Cash, type Position } from './cash.ts';
import { Cursor, periodEnds } from './clock.ts';
import type { PortfolioInput, PortfolioRun } from './portfolio.ts';
import { byRank, EntrySignals, rebalancingOrders, targetValue, weights } from './selection.ts';

interface Trading {
  readonly input: PortfolioInput;
  readonly cursor: Cursor;
  readonly cash: Cash;
  readonly broker: Broker;
  readonly entries: EntrySignals;
}

export function simulatePortfolio(input: PortfolioInput): PortfolioRun {
  const { clock, instruments, allocation, execution } = input;
  const isAtOpen = execution.executeOn === 'next_open';
  const cursor = new Cursor(instruments);
  const cash = new Cash(input);
  const broker = new Broker(input, cash, cursor);
  const trading: Trading = { input, cursor, cash, broker, entries: new EntrySignals(instruments) };
  const isPeriodEnd = periodEnds(clock, allocation.rebalance);
  const equity = new Float64Array(clock.length);
  const positions = new Int32Array(clock.length);
  const invested = new Float64Array(clock.length);
  for (let t = 0; t < clock.length; t++) {
    const isLast = t === clock.length - 1;
    cursor.moveTo(clock[t]);
    broker.begin(clock[t]);
    if (isAtOpen) broker.fillAtOpen(isLast);
    if (!isLast || !isAtOpen) sellAtExits(trading);
    if (isLast) closeAll(trading);
    else {
      closeDelisted(trading);
      decide(trading, isPeriodEnd[t] === 1);
    }
    positions[t] = cash.held.length;
    invested[t] = investedIn(trading);
    equity[t] = cash.balance + invested[t];
  }
  return { trades: cash.trades, equity, positions, invested, purchases: cash.purchases, sales: cash.sales };
}

/** Money that the positions are worth at their last closes. */
function investedIn({ cash, cursor }: Trading): number {
  let value = 0;
  for (const position of cash.held) value += worthOf(cursor, position);
  return value;
}

function worthOf(cursor: Cursor, { shares, instrument }: Position): number {
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

/** Rebalances, then enters; both size positions by the current value of the portfolio. */
function decide(trading: Trading, isPeriodEnd: boolean): void {
  const value = trading.cash.balance + investedIn(trading);
  if (isPeriodEnd) rebalance(trading, value);
  enter(trading, value);
}

/** Instruments that money is shared between: those that stay held and those that are ordered. */
function committed(trading: Trading): number[] {
  const staying = trading.cash.held.filter(({ isExitOrdered }) => !isExitOrdered);
  return [...new Set([...staying.map(({ instrument }) => instrument), ...trading.broker.orders.purchased()])];
}

function volatilityOf({ input, cursor }: Trading): (instrument: number) => number {
  return (instrument) => input.instruments[instrument].volatility?.at(cursor.index[instrument]) ?? Number.NaN;
}

function rebalance(trading: Trading, equity: number): void {
  const { input, cursor, cash, broker } = trading;
  const { allocation } = input;
  const staying = trading.cash.held.filter(
    ({ instrument, isExitOrdered }) => cursor.isTraded[instrument] === 1 && !isExitOrdered,
  );
  const weightOf = weights(allocation, committed(trading), volatilityOf(trading));
  const { sales, purchases } = rebalancingOrders(
    staying.map((position) => ({
      instrument: position.instrument,
      value: worthOf(cursor, position),
      target: targetValue(weightOf(position.instrument), equity, allocation),
    })),
  );
  for (const { instrument, amount } of sales) {
    const position = cash.positionOf(instrument);
    if (position !== null) broker.reduce(position, amount);
  }
  for (const { instrument, amount } of purchases) broker.buy(instrument, amount);
}

/** Places without a position or an ordered purchase; a position that is being sold counts as free. */
function freePlaces(trading: Trading): number {
  const { input, cash, broker } = trading;
  const newcomers = broker.orders.purchased().filter((instrument) => cash.positionOf(instrument) === null);
  const leaving = trading.cash.held.filter(({ isExitOrdered }) => isExitOrdered);
  return input.allocation.maxPositions - cash.held.length - newcomers.length + leaving.length;
}

function enter(trading: Trading, equity: number): void {
  const { input, cursor, broker } = trading;
  const { allocation, instruments } = input;
  const free = freePlaces(trading);
  if (free <= 0) return;
  const candidates = candidatesOf(trading);
  if (candidates.length === 0) return;
  const figureOf = (instrument: number) =>
    instruments[instrument].rank?.roundedAt(cursor.index[instrument]) ?? Number.NaN;
  const chosen = byRank(candidates, allocation.rankBy, figureOf).slice(0, free);
  const counted = [...new Set([...committed(trading), ...chosen])];
  const weightOf = weights(allocation, counted, volatilityOf(trading));
  for (const instrument of chosen) broker.buy(instrument, targetValue(weightOf(instrument), equity, allocation));
}

/** Instruments with an entry signal at this close that may be bought, by symbol. */
function candidatesOf({ input, cursor, broker, entries }: Trading): number[] {
  const found: number[] = [];
  for (let i = 0; i < input.instruments.length; i++) {
    if (!cursor.isTraded[i] || !entries.isOn(i, cursor.index[i])) continue;
    if (broker.isFree(i) && !broker.isLastEver(i)) found.push(i);
  }
  return found;
}
