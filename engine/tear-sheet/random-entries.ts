/**
 * Runs that enter at random: as many trades as the run, held as long, with the same costs and fills. They tell what its entries are
 * worth.
 */
import { affordableNotional, type Execution, purchasePrice, saleCommission, salePrice } from '../backtest/execution.ts';
import { type BarSeries, heldPrices } from '../market/series.ts';
import { UniformDraws } from '../statistics/draws.ts';
import { RESAMPLES } from '../statistics/single-run.ts';
import { type RandomRuns, randomRuns } from './random-sets.ts';
import { shuffle } from './shuffle.ts';
import type { SheetTrade } from './trades.ts';

interface RandomEntriesInput {
  /** The bars of the range. */
  readonly bars: BarSeries;
  readonly execution: Execution;
  readonly trades: readonly Pick<SheetTrade, 'barsHeld'>[];
  /** Total return of the run. */
  readonly total: number;
  readonly capital: number;
  readonly seed: string;
}

/** Money after buying with all of it at bar `entry` and selling at bar `exit`. */
function trade(cash: number, entry: number, exit: number, prices: Float64Array, execution: Execution): number {
  const notional = affordableNotional(cash, execution);
  if (notional <= 0) return cash;
  const shares = notional / purchasePrice(prices[entry], execution);
  const brought = shares * salePrice(prices[exit], execution);
  return brought - saleCommission(brought, execution);
}

/** Null where the run did not trade. */
export function randomEntries(input: RandomEntriesInput): RandomRuns | null {
  const { bars, execution, trades, total, capital, seed } = input;
  const count = trades.length;
  if (count === 0) return null;
  const isAtOpen = execution.executeOn === 'next_open';
  const prices = heldPrices(bars, isAtOpen ? bars.open : bars.close);
  const held = Int32Array.from(trades, ({ barsHeld }) => barsHeld);
  // The bar of a sale belongs to its trade: the next purchase is on a later one. No signal precedes the first open.
  const first = Number(isAtOpen);
  const free = bars.length - first - held.reduce((sum, sessions) => sum + sessions + 1, 0);
  const draws = UniformDraws.fromSeed(seed);
  const [order, gaps] = [new Int32Array(count), new Float64Array(count)];
  const totals = new Float64Array(RESAMPLES);
  for (let b = 0; b < RESAMPLES; b++) {
    order.set(held);
    shuffle(order, draws);
    for (let i = 0; i < count; i++) gaps[i] = draws.next();
    gaps.sort();
    let cash = capital;
    let taken = first;
    for (let i = 0; i < count; i++) {
      const entry = taken + Math.floor(gaps[i] * (free + 1));
      cash = trade(cash, entry, entry + order[i], prices, execution);
      taken += order[i] + 1;
    }
    totals[b] = 100 * (cash / capital - 1);
  }
  return randomRuns(totals, 100 * total);
}
