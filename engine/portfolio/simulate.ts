/** A portfolio whose instruments are bought on the signals of a strategy: many instruments, one cash balance. */
import { periodEnds } from './clock.ts';
import type { PortfolioInput, PortfolioRun } from './portfolio.ts';
import { byRank, EntrySignals, rebalancingOrders, targetValue, weights } from './selection.ts';
import { equityOf, openTrading, runSessions, type Trading, worthOf } from './sessions.ts';

interface PortfolioTrading extends Trading {
  readonly input: PortfolioInput;
  readonly entries: EntrySignals;
}

export function simulatePortfolio(input: PortfolioInput): PortfolioRun {
  const { clock, instruments, allocation } = input;
  const trading: PortfolioTrading = { ...openTrading(input), input, entries: new EntrySignals(instruments) };
  const isPeriodEnd = periodEnds(clock, allocation.rebalance);
  return runSessions(trading, clock, (t) => decide(trading, isPeriodEnd[t] === 1));
}

/** Rebalances, then enters; both size positions by the current value of the portfolio. */
function decide(trading: PortfolioTrading, isPeriodEnd: boolean): void {
  const value = equityOf(trading);
  if (isPeriodEnd) rebalance(trading, value);
  enter(trading, value);
}

/** Instruments that money is shared between: those that stay held and those that are ordered. */
function committed(trading: Trading): number[] {
  const staying = trading.cash.held.filter(({ isExitOrdered }) => !isExitOrdered);
  return [...new Set([...staying.map(({ instrument }) => instrument), ...trading.broker.orders.purchased()])];
}

function volatilityOf({ input, cursor }: PortfolioTrading): (instrument: number) => number {
  return (instrument) => input.instruments[instrument].volatility?.at(cursor.index[instrument]) ?? Number.NaN;
}

function rebalance(trading: PortfolioTrading, equity: number): void {
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
function freePlaces(trading: PortfolioTrading): number {
  const { input, cash, broker } = trading;
  const newcomers = broker.orders.purchased().filter((instrument) => cash.positionOf(instrument) === null);
  const leaving = trading.cash.held.filter(({ isExitOrdered }) => isExitOrdered);
  return input.allocation.maxPositions - cash.held.length - newcomers.length + leaving.length;
}

function enter(trading: PortfolioTrading, equity: number): void {
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
function candidatesOf({ input, cursor, broker, entries }: PortfolioTrading): number[] {
  const found: number[] = [];
  for (let i = 0; i < input.instruments.length; i++) {
    if (!cursor.isTraded[i] || !entries.isOn(i, cursor.index[i])) continue;
    if (broker.isFree(i) && !broker.isLastEver(i)) found.push(i);
  }
  return found;
}
