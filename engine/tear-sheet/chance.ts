/** Section 5 of a tear sheet: what chance could have made of the same returns, trades, and holding times. */
import { affordableNotional, type Execution, purchasePrice, saleCommission, salePrice } from '../backtest/execution.ts';
import { formatDayCached } from '../market/dates.ts';
import { type BarSeries, heldPrices } from '../market/series.ts';
import { compareFigures, meanBlockLength, UniformDraws } from '../statistics/draws.ts';
import { Resampler } from '../statistics/resampler.ts';
import { MIN_RESAMPLED, RESAMPLES, type ResampleTaker } from '../statistics/single-run.ts';
import { type Worst, worstOf } from './drawdowns.ts';
import { deviationOf, finiteSection, type Percentiles, percentilesOf, withoutNoise } from './figures.ts';
import { type RandomRuns, randomRuns } from './random-sets.ts';
import type { SheetTrade } from './trades.ts';

/** Brings figures into a random order, in place, and returns them (Fisher & Yates). */
function shuffle<T extends Float64Array | Int32Array>(figures: T, draws: UniformDraws): T {
  for (let i = figures.length - 1; i >= 1; i--) {
    const j = Math.floor(draws.next() * (i + 1));
    const figure = figures[i];
    figures[i] = figures[j];
    figures[j] = figure;
  }
  return figures;
}

/** Points of the fan of resampled equity. */
const BANDS = 60;
/** Percent. */
const DRAWDOWNS = [20, 30, 50] as const;

interface Bootstrap {
  readonly samples: number;
  readonly block_length: number;
  readonly seed: string;
  readonly bands: readonly ({ readonly ts: string } & Percentiles)[];
  readonly final_equity: Percentiles;
  readonly max_drawdown_pct: Percentiles;
  readonly under_water_bars: Percentiles;
  readonly p_loss: number;
  readonly p_drawdown_above: Readonly<Record<`${(typeof DRAWDOWNS)[number]}`, number>>;
}

interface TradeOrder {
  readonly shuffles: number;
  readonly trades: number;
  readonly max_drawdown_pct: Percentiles;
  readonly under_water_trades: Percentiles;
  /** The figures of the run: its trades in the order in which they ended. */
  readonly run: { readonly max_drawdown_pct: number; readonly under_water_trades: number };
}

export interface ChanceFigures {
  readonly bootstrap: Bootstrap | null;
  readonly trade_order: TradeOrder | null;
  readonly random_entries: RandomRuns | null;
  /** Null but for rotations. */
  readonly random_sets: RandomRuns | null;
}

export interface ChanceInput {
  readonly days: Int32Array;
  /** Without noise. */
  readonly returns: Float64Array;
  /** The curve of the returns, and money; both with the initial capital as their first point. */
  readonly equity: Float64Array;
  readonly money: Float64Array;
  readonly trades: readonly SheetTrade[];
  /** 16 hex digits. */
  readonly seed: string;
  /** The bars of the range and how orders are filled; null: the run has many instruments. */
  readonly single: { readonly bars: BarSeries; readonly execution: Execution } | null;
  /** Interest on cash of the night before each session, as fractions; absent: none. */
  readonly interest?: Float64Array | undefined;
  /** The runs of a rotation that choose at random; absent: there are none. */
  readonly randomSets?: () => RandomRuns | null;
  /** The paths of the resamples that the statistics of the run have drawn; absent, or empty: none were. */
  readonly paths?: ResampledPaths;
}

/** The equity of each resample of the returns. */
export class ResampledPaths implements ResampleTaker {
  /** Bars of a block of the resamples, of which `count` were taken. */
  blockLength = 0;
  count = 0;
  readonly ends: readonly number[];
  /** Equity after so many returns as `ends` says, by resample. */
  readonly bands: readonly Float64Array[];
  readonly drawdowns = new Float64Array(RESAMPLES);
  readonly underWater = new Float64Array(RESAMPLES);
  private readonly growth: Float64Array;
  private readonly path: Float64Array;

  constructor(returns: Float64Array, capital: number) {
    const bars = returns.length;
    this.growth = returns.map((r) => 1 + withoutNoise(r));
    this.ends = Array.from({ length: BANDS }, (_, j) => Math.floor(((j + 1) * bars) / BANDS));
    this.bands = this.ends.map(() => new Float64Array(RESAMPLES));
    this.path = new Float64Array(bars + 1).fill(capital);
  }

  add(resampler: Resampler, blockLength: number): void {
    const { path, growth, ends, count } = this;
    const { indices } = resampler;
    resampler.list();
    let [money] = path;
    for (let t = 0; t < indices.length; t++) {
      money *= growth[indices[t]];
      path[t + 1] = money;
    }
    for (let j = 0; j < BANDS; j++) this.bands[j][count] = path[ends[j]];
    const { drawdown, underWater } = worstOf(path);
    this.drawdowns[count] = 100 * drawdown;
    this.underWater[count] = underWater;
    this.blockLength = blockLength;
    this.count++;
  }
}

function bootstrapOf({ days, returns, equity, seed, paths: taken }: ChanceInput): Bootstrap {
  const [capital] = equity;
  const blockLength = meanBlockLength(returns);
  const paths = taken?.blockLength === blockLength ? taken : new ResampledPaths(returns, capital);
  const [draws, resampler] = [UniformDraws.fromSeed(seed), new Resampler(returns.length)];
  while (paths.count < RESAMPLES) {
    draws.drawBlocks(blockLength, resampler);
    paths.add(resampler, blockLength);
  }
  const { ends, bands, drawdowns, underWater } = paths;
  const share = (figures: Float64Array, isCounted: (figure: number) => boolean) =>
    figures.filter(isCounted).length / RESAMPLES;
  const finals = bands[BANDS - 1];
  const [p20, p30, p50] = DRAWDOWNS.map((limit) => share(drawdowns, (drawdown) => compareFigures(drawdown, limit) > 0));
  const pLoss = share(finals, (final) => compareFigures(final, capital) < 0);
  return {
    samples: RESAMPLES,
    block_length: blockLength,
    seed,
    bands: bands.map((figures, j) => ({ ts: formatDayCached(days[ends[j] - 1]), ...percentilesOf(figures) })),
    final_equity: percentilesOf(finals),
    max_drawdown_pct: percentilesOf(drawdowns),
    under_water_bars: percentilesOf(underWater),
    p_loss: pLoss,
    p_drawdown_above: { '20': p20, '30': p30, '50': p50 },
  };
}

/** The worst of the curve that gains fractions of the equity one after the other. `path`: memory for the curve. */
function worstInOrder(fractions: Float64Array, path = new Float64Array(fractions.length + 1)): Worst {
  path[0] = 1;
  for (let i = 0; i < fractions.length; i++) path[i + 1] = path[i] * (1 + fractions[i]);
  return worstOf(path);
}

/** The same trades in other orders: each gains the same fraction of the money before its entry. */
function tradeOrderOf({ trades, money, seed }: ChanceInput): TradeOrder | null {
  if (trades.length < 2) return null;
  const fractions = Float64Array.from(trades, ({ pnl, entrySession }) => {
    const before = money[entrySession];
    return before === 0 ? 0 : pnl / before;
  });
  const draws = UniformDraws.fromSeed(seed);
  const [drawdowns, underWater] = [new Float64Array(RESAMPLES), new Float64Array(RESAMPLES)];
  const [order, path] = [new Float64Array(fractions.length), new Float64Array(fractions.length + 1)];
  for (let b = 0; b < RESAMPLES; b++) {
    order.set(fractions);
    const worst = worstInOrder(shuffle(order, draws), path);
    drawdowns[b] = 100 * worst.drawdown;
    underWater[b] = worst.underWater;
  }
  const own = worstInOrder(fractions);
  return {
    shuffles: RESAMPLES,
    trades: trades.length,
    max_drawdown_pct: percentilesOf(drawdowns),
    under_water_trades: percentilesOf(underWater),
    run: { max_drawdown_pct: 100 * own.drawdown, under_water_trades: own.underWater },
  };
}

export function chanceFigures(input: ChanceInput): ChanceFigures {
  const { returns, single, interest, randomSets, trades, equity, seed } = input;
  if (returns.length < MIN_RESAMPLED || deviationOf(returns) === 0)
    return { bootstrap: null, trade_order: null, random_entries: null, random_sets: null };
  const total = equity[equity.length - 1] / equity[0] - 1;
  return {
    bootstrap: finiteSection(bootstrapOf(input)),
    trade_order: finiteSection(tradeOrderOf(input)),
    random_entries: finiteSection(
      single && randomEntries({ ...single, interest, trades, total, seed, capital: equity[0] }),
    ),
    random_sets: finiteSection(randomSets?.() ?? null),
  };
}

interface RandomEntriesInput {
  /** The bars of the range. */
  readonly bars: BarSeries;
  readonly execution: Execution;
  readonly interest?: Float64Array | undefined;
  readonly trades: readonly Pick<SheetTrade, 'barsHeld'>[];
  /** Total return of the run. */
  readonly total: number;
  readonly capital: number;
  readonly seed: string;
}

/** Money after buying with all of it at bar `entry` and selling at bar `exit`; null where it does not pay the commission. */
function trade(cash: number, entry: number, exit: number, prices: Float64Array, execution: Execution): number | null {
  const notional = affordableNotional(cash, execution);
  if (notional <= 0) return null;
  const shares = notional / purchasePrice(prices[entry], execution);
  const brought = shares * salePrice(prices[exit], execution);
  return brought - saleCommission(brought, execution);
}

/** Growth of cash since the first bar, through the night before each bar. */
function growthOf(bars: number, interest: Float64Array | undefined): Float64Array {
  const growth = new Float64Array(bars).fill(1);
  if (interest !== undefined) for (let t = 1; t < bars; t++) growth[t] = growth[t - 1] * (1 + interest[t]);
  return growth;
}

/**
 * Runs that enter at random: as many trades as the run, held as long, with the same costs and fills. They tell what its entries are
 * worth. Null where the run did not trade.
 */
export function randomEntries(input: RandomEntriesInput): RandomRuns | null {
  const { bars, execution, interest, trades, total, capital, seed } = input;
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
  const growth = growthOf(bars.length, interest);
  for (let b = 0; b < RESAMPLES; b++) {
    order.set(held);
    shuffle(order, draws);
    for (let i = 0; i < count; i++) gaps[i] = draws.next();
    gaps.sort();
    let cash = capital;
    let [taken, since] = [first, 0];
    for (let i = 0; i < count; i++) {
      const entry = taken + Math.floor(gaps[i] * (free + 1));
      cash *= growth[entry] / growth[since];
      const sold = trade(cash, entry, entry + order[i], prices, execution);
      since = sold === null ? entry : entry + order[i];
      cash = sold ?? cash;
      taken += order[i] + 1;
    }
    cash *= growth[bars.length - 1] / growth[since];
    totals[b] = 100 * (cash / capital - 1);
  }
  return randomRuns(totals, 100 * total);
}
