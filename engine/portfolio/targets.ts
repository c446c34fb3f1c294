/** Portfolios that hold target weights, which money goes into and out of. */
import type { Execution } from '../backtest/execution.ts';
import { isAbove } from '../indicators/ties.ts';
import { type ComparedPortfolio, type PortfolioMetrics, type PreparedPortfolio, portfolioMetrics } from './backtest.ts';
import { periodEnds, type TargetPeriod } from './clock.ts';
import { chainedCurve, type Flow, flowsDue, type MadeFlow, makeFlow, mayBeBought } from './flows.ts';
import { moneyWeightedPct } from './money-weighted.ts';
import { NO_EXITS, type PortfolioRun, type TradedInstrument } from './portfolio.ts';
import { rebalancingOrders } from './selection.ts';
import { equityOf, openTrading, runSessions, type Trading, worthOf } from './sessions.ts';

/** A difference from a target by less than this share of it is rounding. */
const ROUNDING = 1e-9;

export interface TargetAllocation {
  /** Shares of the whole value, each above 0, at most 1 in all; the rest is cash. */
  readonly targets: readonly { readonly symbol: string; readonly weight: number }[];
  /** The end of each period, or every close at which a weight is more than so many points from its target. */
  readonly rebalance: TargetPeriod | { readonly bandPct: number };
  readonly flows: readonly Flow[];
}

/** Figures that are prepared of each instrument: its target tells all. */
export const NO_FIGURES = { rankBy: null, sizing: 'equal', volatilityPeriod: 0 } as const;

export interface TargetInput {
  /** By symbol. */
  readonly instruments: readonly (TradedInstrument & { readonly symbol: string })[];
  readonly clock: Int32Array;
  readonly allocation: TargetAllocation;
  readonly execution: Execution;
  readonly interest?: Float64Array | undefined;
}

/** `equity` is money. */
export interface TargetRun extends PortfolioRun {
  readonly curve: Float64Array;
  readonly flows: readonly MadeFlow[];
  /** The first session after whose withdrawal nothing is left; null: there is none. */
  readonly exhausted: number | null;
  /** Sessions at whose close all were brought back to their targets. */
  readonly rebalances: readonly number[];
}

interface TargetTrading extends Trading {
  /** By instrument. */
  readonly weights: readonly number[];
}

export function simulateTargets({ instruments, clock, allocation, execution, interest }: TargetInput): TargetRun {
  const weightOf = new Map(allocation.targets.map(({ symbol, weight }) => [symbol, weight]));
  const weights = instruments.map(({ symbol }) => weightOf.get(symbol) ?? 0);
  const input = { instruments, execution, interest, sharesCash: true, keepsOrders: true };
  const trading: TargetTrading = { ...openTrading(input), weights };
  const { rebalance } = allocation;
  const ends = periodEnds(clock, typeof rebalance === 'string' ? rebalance : 'none');
  const due = flowsDue(clock, allocation.flows);
  const rebalances: number[] = [];
  const flows: MadeFlow[] = [];
  const run = runSessions(
    trading,
    clock,
    (t) => {
      const isOut = (equity: number) => typeof rebalance !== 'string' && isOutside(trading, equity, rebalance.bandPct);
      const equity = equityOf(trading);
      if (!(equity > 0)) return;
      const isDue = t > 0 && (ends[t] === 1 || isOut(equity));
      if (isDue) rebalances.push(t);
      bringToTargets(trading, equity, isDue);
    },
    (t) => {
      const flow = due[t] === 0 ? null : makeFlow(trading, weights, due[t], t, t === clock.length - 1);
      if (flow !== null) flows.push(flow);
    },
  );
  const isAtOpen = execution.executeOn === 'next_open';
  return {
    ...run,
    flows,
    rebalances,
    curve: chainedCurve(run.equity, flows, execution.initialCapital, isAtOpen),
    exhausted: flows.find(({ value }) => value === 0)?.session ?? null,
  };
}

/** Whether the weight of any position with a bar today is more than `bandPct` points from its target. */
function isOutside({ cash, cursor, weights }: TargetTrading, equity: number, bandPct: number): boolean {
  return cash.held.some((position) => {
    const { instrument } = position;
    if (cursor.isTraded[instrument] === 0) return false;
    return isAbove(100 * Math.abs(worthOf(cursor, position) / equity - weights[instrument]), bandPct);
  });
}

/** Orders what brings those with a bar today to their weights; unless `isDue` only purchases of those whose first bar it is. */
function bringToTargets(trading: TargetTrading, equity: number, isDue: boolean): void {
  const { input, cash, cursor, broker, weights } = trading;
  if (isDue) broker.orders.void();
  const isBegun = (i: number) => cursor.index[i] > input.instruments[i].from;
  const chosen = [...weights.keys()].filter((i) => mayBeBought(trading, i) && (isDue || !isBegun(i)));
  const { sales, purchases } = rebalancingOrders(
    chosen.map((instrument) => {
      const position = cash.positionOf(instrument);
      return {
        instrument,
        value: position === null ? 0 : worthOf(cursor, position),
        target: weights[instrument] * equity,
      };
    }),
    ROUNDING,
  );
  for (const { instrument, amount } of isDue ? sales : []) {
    const position = cash.positionOf(instrument);
    if (position !== null) broker.reduce(position, amount);
  }
  broker.buyTogether(purchases);
}

/** The instruments of a prepared portfolio, which nothing but their targets trades. */
export function runTargets(prepared: PreparedPortfolio, allocation: TargetAllocation, execution: Execution): TargetRun {
  const instruments = prepared.instruments.map(({ symbol, range: { series, from, to, finalReason } }) => ({
    symbol,
    series,
    from,
    to,
    isDelisted: finalReason === 'delisted',
    ...NO_EXITS,
  }));
  const { clock, rates } = prepared;
  return simulateTargets({ instruments, clock, allocation, execution, interest: rates.cash?.returns });
}

export interface TargetMetrics extends PortfolioMetrics {
  /** Money: the initial capital and the flows that were made. */
  readonly contributed: number;
  /** In percent a year. */
  readonly moneyWeightedPct: number | null;
}

export function targetMetrics(prepared: ComparedPortfolio, run: TargetRun, initialCapital: number): TargetMetrics {
  const { clock } = prepared;
  const { flows } = run;
  const metrics = portfolioMetrics(prepared, run, initialCapital);
  return {
    ...metrics,
    contributed: flows.reduce((sum, { amount }) => sum + amount, initialCapital),
    moneyWeightedPct: moneyWeightedPct([
      { day: clock[0], amount: -initialCapital },
      ...flows.map(({ session, amount }) => ({ day: clock[session], amount: -amount })),
      { day: clock[clock.length - 1], amount: metrics.finalEquity },
    ]),
  };
}
