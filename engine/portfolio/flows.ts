/** Money that goes in and out of a portfolio of target weights, and the returns that are left when it is taken off. */
import { salePrice } from '../backtest/execution.ts';
import { periodEnds } from './clock.ts';
import type { Trading } from './sessions.ts';

export const FLOW_PERIODS = ['month', 'quarter', 'year'] as const;

export interface Flow {
  /** Money, below 0 where it is taken out. */
  readonly amount: number;
  readonly every: (typeof FLOW_PERIODS)[number];
}

/** A flow as it was made. */
export interface MadeFlow {
  /** Index in the clock. */
  readonly session: number;
  /** Money; what was taken out is below 0. */
  readonly amount: number;
  /** Cash and positions after the flow and its trades, at the prices at which these were filled, before slippage. */
  readonly value: number;
}

/** The sum of the flows that are due at each session: the first one of each of their periods after the start. */
export function flowsDue(clock: Int32Array, flows: readonly Flow[]): Float64Array {
  const due = new Float64Array(clock.length);
  for (const { amount, every } of flows) {
    const ends = periodEnds(clock, every);
    for (let t = 1; t < clock.length; t++) if (ends[t - 1] === 1) due[t] += amount;
  }
  return due;
}

/** Makes the flow of a session; null where there is nothing to take out. `weights`: by instrument. */
export function makeFlow(
  trading: Trading,
  weights: readonly number[],
  due: number,
  session: number,
  isLast: boolean,
): MadeFlow | null {
  const { cash, broker } = trading;
  const amount = due > 0 ? due : -takeOut(trading, weights, -due);
  if (amount === 0) return null;
  cash.balance += amount;
  if (amount > 0 && !isLast) {
    const bought = weights.map((weight, instrument) => ({ instrument, amount: weight * amount }));
    broker.buyNow(bought.filter(({ instrument }) => mayBeBought(trading, instrument)));
  }
  const invested = cash.held.reduce(
    (sum, { instrument, shares }) => sum + shares * broker.fillNow(instrument).price,
    0,
  );
  return { session, amount, value: cash.balance + invested };
}

/** Whether an instrument has a bar today that is not its last one of all. */
export function mayBeBought({ cursor, broker }: Trading, instrument: number): boolean {
  return cursor.isTraded[instrument] === 1 && !broker.isLastEver(instrument);
}

/**
 * Sells for what is needed: the share of each position that its weight is, and where these and the cash lack something, the rest in
 * proportion to what it would bring. Returns what can be paid, which the cash still has.
 */
function takeOut({ cash, cursor, broker, input }: Trading, weights: readonly number[], need: number): number {
  const sales = cash.held
    .filter(({ instrument }) => cursor.isTraded[instrument] === 1)
    .map((position) => {
      const { instrument, shares } = position;
      const worth = shares * salePrice(broker.fillNow(instrument).price, input.execution);
      const amount = Math.min(weights[instrument] * need, worth);
      return { position, amount, rest: worth - amount };
    });
  const sumOf = (figure: 'amount' | 'rest') => sales.reduce((sum, sale) => sum + sale[figure], 0);
  const missing = Math.max(0, need - cash.balance - sumOf('amount'));
  const share = missing === 0 ? 0 : Math.min(1, missing / sumOf('rest'));
  for (const { position, amount, rest } of sales) broker.withdraw(position, amount + share * rest);
  return Math.min(need, cash.balance);
}

/**
 * The curve of the returns without flows: `initialCapital` and what it grows to by the return of each session. It is `equity` where
 * there is no flow. A return from nothing is 0.
 */
export function chainedCurve(
  equity: Float64Array,
  flows: readonly MadeFlow[],
  initialCapital: number,
  isAtOpen: boolean,
): Float64Array {
  const flowAt = new Map(flows.map((flow) => [flow.session, flow]));
  const curve = new Float64Array(equity.length);
  let level = initialCapital;
  let before = initialCapital;
  /** Curve ÷ money since the last flow. */
  let scale = 1;
  for (let t = 0; t < equity.length; t++) {
    const flow = flowAt.get(t);
    if (before !== 0)
      level = flow === undefined ? equity[t] * scale : level * growthOf(flow, before, equity[t], isAtOpen);
    if (flow !== undefined) scale = equity[t] === 0 ? 0 : level / equity[t];
    curve[t] = level;
    before = equity[t];
  }
  return curve;
}

/** 1 + the return of a session with a flow. */
function growthOf({ amount, value }: MadeFlow, before: number, after: number, isAtOpen: boolean): number {
  if (!isAtOpen) return (after - amount) / before;
  // Where nothing is left, only what was paid tells what there was.
  return value === 0 ? -amount / before : (((value - amount) / before) * after) / value;
}
