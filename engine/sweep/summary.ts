/** Summary of all cells of a sweep: spreads per combination, the best and the worst cells, histograms. */
import { FEW_TRADES, type Metrics } from '../backtest/metrics.ts';
import { finiteOrNull } from '../market/figures.ts';
import type { RunTally } from '../statistics/selection.ts';
import { CELL_METRICS, type CellBlock, type CellColumn } from './cells.ts';

/** How a figure is spread over the instruments on which it is defined; null: on none, or its sum overflows. */
export interface Spread {
  readonly mean: number;
  readonly median: number;
  readonly lowerQuartile: number;
  readonly upperQuartile: number;
}

export interface CombinationSummary {
  /** Instruments with a bar in the range. */
  readonly instruments: number;
  readonly spreads: Readonly<Record<keyof Metrics, Spread | null>>;
  /** Share of the instruments, in percent; null without instruments. */
  readonly beatsBuyHoldPct: number | null;
  readonly positiveSharpePct: number | null;
  /** Figures over the trades of all instruments together. */
  readonly pooled: {
    readonly trades: number;
    readonly winRate: number | null;
    readonly avgTradePct: number | null;
    readonly profitFactor: number | null;
  };
}

function spreadOf(column: Float64Array): Spread | null {
  const defined = definedOf(column);
  if (defined.length === 0) return null;
  const mean = sumOf(defined) / defined.length;
  if (!Number.isFinite(mean)) return null;
  const lowerQuartile = percentileFrom(defined, 0.25, 0);
  const median = percentileFrom(defined, 0.5, placeOf(defined, 0.25));
  const upperQuartile = percentileFrom(defined, 0.75, placeOf(defined, 0.5));
  return { mean, median, lowerQuartile, upperQuartile };
}

const placeOf = (values: Float64Array, share: number) => Math.floor((values.length - 1) * share);

/**
 * Value at `share` (0 to 1), interpolated between neighbors. Orders `values` about it; those before `from` are ordered about `from`
 * already. At least one value.
 */
function percentileFrom(values: Float64Array, share: number, from: number): number {
  const place = (values.length - 1) * share;
  const below = Math.floor(place);
  const value = selectRank(values, below, from);
  if (place === below) return value;
  return value + (place - below) * (leastFrom(values, below + 1) - value);
}

function leastFrom(values: Float64Array, from: number): number {
  let least = values[from];
  for (let i = from + 1; i < values.length; i++) if (values[i] < least) least = values[i];
  return least;
}

function definedOf(column: Float64Array): Float64Array {
  const defined = new Float64Array(column.length);
  let count = 0;
  for (let i = 0; i < column.length; i++) if (isDefined(column[i])) defined[count++] = column[i];
  return defined.subarray(0, count);
}

const isDefined = (value: number) => !Number.isNaN(value);

/** Sum of the defined values. */
function sumOf(values: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < values.length; i++) if (isDefined(values[i])) sum += values[i];
  return sum;
}

function countOf(values: Float64Array, counts: (value: number) => boolean): number {
  let count = 0;
  for (let i = 0; i < values.length; i++) if (counts(values[i])) count++;
  return count;
}

/** `columnOf` returns one figure of the combination over all instruments, NaN where it is undefined. */
export function summarizeCombination(columnOf: (column: CellColumn) => Float64Array): CombinationSummary {
  const spreads = CELL_METRICS.map((name) => [name, spreadOf(columnOf(name))]);
  const trades = columnOf('numTrades');
  const averages = columnOf('avgTradePct');
  const instruments = countOf(trades, isDefined);
  const shareOf = (column: CellColumn) =>
    instruments === 0 ? null : (100 * countOf(columnOf(column), (value) => value > 0)) / instruments;
  const count = sumOf(columnOf('numTrades'));
  const losses = sumOf(columnOf('losses'));
  const returns = averages.reduce((sum, average, i) => (isDefined(average) ? sum + average * trades[i] : sum), 0);
  return {
    instruments,
    spreads: Object.fromEntries(spreads),
    beatsBuyHoldPct: shareOf('excessReturnPct'),
    positiveSharpePct: shareOf('sharpe'),
    pooled: {
      trades: count,
      winRate: count === 0 ? null : (100 * sumOf(columnOf('wins'))) / count,
      avgTradePct: count === 0 ? null : finiteOrNull(returns / count),
      profitFactor: losses === 0 ? null : finiteOrNull(sumOf(columnOf('gains')) / losses),
    },
  };
}

/** A cell by its place: instruments in the order of the sweep, combinations in the order of runs and grids. */
export interface RankedCell {
  readonly instrument: number;
  readonly combination: number;
  readonly score: number;
  readonly trades: number;
}

/** Keeps the first `size` cells of a ranking; equal cells stay in the order of the sweep. */
class Ranking {
  private readonly size: number;
  /** 1: highest scores first; -1: lowest. */
  private readonly sign: 1 | -1;
  private readonly kept: RankedCell[] = [];

  constructor(size: number, sign: 1 | -1) {
    this.size = size;
    this.sign = sign;
  }

  add(cell: RankedCell): void {
    const { kept, size } = this;
    if (kept.length === size && !this.isBefore(cell, kept[size - 1])) return;
    let at = kept.length;
    while (at > 0 && this.isBefore(cell, kept[at - 1])) at--;
    kept.splice(at, 0, cell);
    if (kept.length > size) kept.pop();
  }

  private isBefore(a: RankedCell, b: RankedCell): boolean {
    if (a.score !== b.score) return this.sign * (a.score - b.score) > 0;
    return a.instrument === b.instrument ? a.combination < b.combination : a.instrument < b.instrument;
  }

  get cells(): readonly RankedCell[] {
    return this.kept;
  }
}

/** Counts of values between equally wide steps; what lies outside is counted in the first and the last bin. */
export class Histogram {
  readonly from: number;
  readonly to: number;
  readonly counts: number[];

  constructor(from: number, to: number, bins: number) {
    this.from = from;
    this.to = to;
    this.counts = new Array<number>(bins).fill(0);
  }

  add(value: number): void {
    const { from, to, counts } = this;
    const bin = Math.floor(((value - from) / (to - from)) * counts.length);
    counts[Math.min(counts.length - 1, Math.max(0, bin))]++;
  }
}

const BEST = 50;

/** Collects what is reported over all cells, combination after combination. */
export class SweepTotals {
  /** Cells of enough trades, and the others. */
  readonly best = new Ranking(BEST, 1);
  readonly bestOfFewTrades = new Ranking(BEST, 1);
  readonly worst = new Ranking(BEST, -1);
  /** Annualized Sharpe ratios, and returns in excess of holding in percent. */
  readonly sharpe = new Histogram(-4, 4, 40);
  readonly excess = new Histogram(-200, 200, 40);
  /** Cells with bars. */
  cells = 0;
  /** Sharpe ratios and appraisal ratios per bar of all cells with bars, 0 where there is none. */
  private readonly sharpes = new RunningSpread();
  private readonly appraisals = new RunningSpread();
  /** Sums for the history of the account. */
  private readonly sums = { measured: 0, sum: 0, squares: 0 };

  /** The best cell of all, one of few trades only where there is no other. */
  get first(): RankedCell | null {
    return this.best.cells[0] ?? this.bestOfFewTrades.cells[0] ?? null;
  }

  /** Cells of one combination, by instrument. */
  add(combination: number, columnOf: (column: CellColumn) => Float64Array): void {
    const [sharpe, excess, trades] = [columnOf('sharpe'), columnOf('excessReturnPct'), columnOf('numTrades')];
    const [appraisal, appraisalT] = [columnOf('appraisal'), columnOf('appraisalT')];
    for (let i = 0; i < sharpe.length; i++) {
      if (isDefined(excess[i])) {
        this.cells++;
        this.excess.add(excess[i]);
        this.sharpes.add(isDefined(sharpe[i]) ? sharpe[i] : 0);
        this.measure(appraisal[i], appraisalT[i]);
      }
      if (!isDefined(sharpe[i])) continue;
      this.sharpe.add(sharpe[i]);
      const cell = { combination, instrument: i, score: sharpe[i], trades: trades[i] };
      (trades[i] < FEW_TRADES ? this.bestOfFewTrades : this.best).add(cell);
      this.worst.add(cell);
    }
  }

  private measure(appraisal: number, t: number): void {
    this.appraisals.add(isDefined(appraisal) ? appraisal : 0);
    if (!isDefined(appraisal)) return;
    this.sums.measured++;
    this.sums.sum += t;
    this.sums.squares += t * t;
  }

  /** The sums that the account's history keeps of the sweep. */
  get tally(): RunTally {
    return { runs: this.cells, ...this.sums };
  }

  /** Sample deviation of the annualized Sharpe ratios; null for fewer than two. */
  get sharpeDeviation(): number | null {
    return this.sharpes.deviation;
  }

  /** The deviation of the appraisal ratios per bar. */
  get appraisalDeviation(): number | null {
    return this.appraisals.deviation;
  }
}

/** A running mean, and the sum of squares about it (Welford 1962). */
class RunningSpread {
  private count = 0;
  private mean = 0;
  private squares = 0;

  add(figure: number): void {
    this.count++;
    const distance = figure - this.mean;
    this.mean += distance / this.count;
    this.squares += distance * (figure - this.mean);
  }

  /** The sample deviation; null for fewer than two. */
  get deviation(): number | null {
    return this.count < 2 ? null : finiteOrNull(Math.sqrt(this.squares / (this.count - 1)));
  }
}

/** One figure of a combination over the instruments of several blocks. */
export function joinColumns(blocks: readonly CellBlock[], combination: number, column: CellColumn): Float64Array {
  const parts = blocks.map((block) => block.column(combination, column));
  const joined = new Float64Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    joined.set(part, at);
    at += part.length;
  }
  return joined;
}

/**
 * Moves the values from `from` on so that the one at `rank` is there where a sort would put it, with none above it before and none below
 * it behind, and returns it (Hoare's FIND, 1961). It takes linear time, a sort of ten thousand values five times as long. No value is NaN.
 */
function selectRank(values: Float64Array, rank: number, from = 0): number {
  let left = from;
  let right = values.length - 1;
  while (left < right) {
    const pivot = medianOf(values[left], values[(left + right) >> 1], values[right]);
    let [low, high] = [left, right];
    while (low <= high) {
      while (values[low] < pivot) low++;
      while (values[high] > pivot) high--;
      if (low > high) break;
      const value = values[low];
      values[low++] = values[high];
      values[high--] = value;
    }
    if (rank <= high) right = high;
    else if (rank >= low) left = low;
    else break;
  }
  return values[rank];
}

function medianOf(a: number, b: number, c: number): number {
  return Math.max(Math.min(a, b), Math.min(Math.max(a, b), c));
}
