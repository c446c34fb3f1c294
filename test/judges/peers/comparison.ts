/** Trades and returns of a peer beside ours. */
import type { Exception } from './peer.ts';
import type { Result, Run, Trade } from './runs.ts';

/** Prices are equal that differ by no more than this share, and returns by no more than this share of the return (of 1 where it is smaller). */
const TOLERANCE = 1e-9;

/** A run on all instruments. */
export interface Comparison {
  readonly strategy: string;
  readonly fill: Run['fill'];
  readonly costs: 'none' | 'commission';
  /** Trades of all instruments, of each those of the side that has more. */
  readonly trades: number;
  /** With the same bars and prices of entry and exit on both sides. */
  readonly equalTrades: number;
  /** A share of the total return (of 1 where it is smaller). */
  readonly largestReturnDifference: number;
  /** Why something differs; null where nothing does. */
  readonly why: string | null;
}

const differenceOf = (theirs: number, ours: number) => Math.abs(theirs - ours) / Math.max(1, Math.abs(ours));
const isSamePrice = (theirs: number, ours: number) => Math.abs(theirs - ours) <= TOLERANCE * ours;

function isSameTrade(theirs: Trade | undefined, ours: Trade): boolean {
  if (theirs === undefined) return false;
  const [entry, exit, entryPrice, exitPrice] = ours;
  return (
    theirs[0] === entry && theirs[1] === exit && isSamePrice(theirs[2], entryPrice) && isSamePrice(theirs[3], exitPrice)
  );
}

function countEqual(theirs: readonly Trade[], ours: readonly Trade[]): number {
  const byEntry = new Map(theirs.map((trade) => [trade[0], trade]));
  return ours.filter((trade) => isSameTrade(byEntry.get(trade[0]), trade)).length;
}

/** Compares the results of a run, an instrument each. `isExplained`: whether nothing differs, or a reason is given for what does. */
export function compareResults(
  { strategy, fill, commission }: Run,
  theirs: readonly Result[],
  ours: readonly Result[],
  exceptions: readonly Exception[] = [],
): { readonly comparison: Comparison; readonly isExplained: boolean } {
  let trades = 0;
  let equalTrades = 0;
  let largestReturnDifference = 0;
  for (const [i, one] of ours.entries()) {
    const other = theirs[i];
    trades += Math.max(one.trades.length, other.trades.length);
    equalTrades += countEqual(other.trades, one.trades);
    const difference = differenceOf(other.totalReturn, one.totalReturn);
    // Not Math.max: a return that is no number is the largest difference of all.
    if (!(difference <= largestReturnDifference)) largestReturnDifference = difference;
  }
  const isEqual = equalTrades === trades && largestReturnDifference <= TOLERANCE;
  const exception = exceptions.find(
    ({ strategies, within, unequalTrades = 0 }) =>
      (strategies === undefined || strategies.includes(strategy)) &&
      trades - equalTrades <= unequalTrades * trades &&
      largestReturnDifference <= within,
  );
  const why = isEqual ? null : (exception?.reason ?? null);
  const costs = commission === 0 ? 'none' : 'commission';
  return {
    comparison: { strategy, fill, costs, trades, equalTrades, largestReturnDifference, why },
    isExplained: isEqual || why !== null,
  };
}
