/**
 * The cells of a sweep: every instrument with every combination of every strategy. A cell holds the figures of the
 * backtest of that instrument with those parameters; they are kept in columns, a block at a time.
 */
import { type BacktestInput, type BacktestSettings, pricedRangeOf } from '../backtest/backtest.ts';
import { isWin, METRIC_NAMES, type Metrics, metricsOf } from '../backtest/metrics.ts';
import { excessOf, ratesOn } from '../backtest/rates.ts';
import { runStrategy, type Simulation } from '../backtest/simulate.ts';
import { IndicatorSet } from '../indicators/indicator-set.ts';
import { finiteOrNull } from '../market/figures.ts';
import { heldPrices, sliceSeries } from '../market/series.ts';
import { holdingReturns } from '../portfolio/benchmark.ts';
import { returnsOf } from '../statistics/moments.ts';
import { appraisalMoments } from '../statistics/skill.ts';
import type { ParameterValues } from '../strategies/parameters.ts';
import type { Strategy } from '../strategies/strategy.ts';
import { keysOf } from '../util/values.ts';

/** A strategy with all its combinations. */
export interface SweepRun {
  readonly strategy: Strategy;
  readonly combinations: readonly ParameterValues[];
}

/** Figures of a cell that results report, in the order of the columns. */
export const CELL_METRICS = keysOf(METRIC_NAMES);

/** Sums of money over the trades of a cell, from which trades of many cells are pooled. */
const POOLED_SUMS = ['wins', 'gains', 'losses'] as const;
type PooledSums = Readonly<Record<(typeof POOLED_SUMS)[number], number>>;

/** The appraisal ratio per bar of what a cell earned beyond holding its instrument, and × √bars. */
const APPRAISALS = ['appraisal', 'appraisalT'] as const;

export const CELL_COLUMNS = [...CELL_METRICS, ...POOLED_SUMS, ...APPRAISALS] as const;
export type CellColumn = (typeof CELL_COLUMNS)[number];

/** Data that all cells of an instrument share. */
export const RANGE_COLUMNS = ['bars', 'startDay', 'endDay'] as const;
type RangeColumn = (typeof RANGE_COLUMNS)[number];

/**
 * Cells of some instruments. Figures lie combination by combination, each column by column, each instrument by instrument;
 * NaN is undefined, or overflows. An instrument without a bar in the range has 0 bars and no figures.
 */
export class CellBlock {
  readonly instruments: number;
  readonly combinations: number;
  readonly ranges: Int32Array;
  readonly figures: Float64Array;

  constructor(instruments: number, combinations: number, ranges?: Int32Array, figures?: Float64Array) {
    this.instruments = instruments;
    this.combinations = combinations;
    this.ranges = ranges ?? new Int32Array(RANGE_COLUMNS.length * instruments);
    this.figures = figures ?? new Float64Array(combinations * CELL_COLUMNS.length * instruments).fill(Number.NaN);
  }

  range(column: RangeColumn, instrument: number): number {
    return this.ranges[RANGE_COLUMNS.indexOf(column) * this.instruments + instrument];
  }

  setRange(instrument: number, bars: number, startDay: number, endDay: number): void {
    for (const [k, value] of [bars, startDay, endDay].entries()) this.ranges[k * this.instruments + instrument] = value;
  }

  /** One figure of one combination, of all instruments. */
  column(combination: number, column: CellColumn): Float64Array {
    const at = (combination * CELL_COLUMNS.length + CELL_COLUMNS.indexOf(column)) * this.instruments;
    return this.figures.subarray(at, at + this.instruments);
  }

  setCell(instrument: number, combination: number, metrics: Metrics, pooled: PooledSums, appraisal: number): void {
    let at = combination * CELL_COLUMNS.length * this.instruments + instrument;
    for (const name of CELL_METRICS) {
      this.figures[at] = finiteOrNull(metrics[name]) ?? Number.NaN;
      at += this.instruments;
    }
    for (const name of POOLED_SUMS) {
      this.figures[at] = finiteOrNull(pooled[name]) ?? Number.NaN;
      at += this.instruments;
    }
    this.figures[at] = appraisal;
    this.figures[at + this.instruments] = appraisal * Math.sqrt(this.range('bars', instrument));
  }
}

/** Everything that all cells of a sweep have in common. */
export type SweepSettings = Omit<BacktestSettings, 'strategy' | 'params'>;

/** Runs every combination on one instrument and writes its cells. */
export function fillInstrument(
  block: CellBlock,
  instrument: number,
  settings: SweepSettings,
  input: BacktestInput,
  runs: readonly SweepRun[],
): void {
  const range = pricedRangeOf(settings, input);
  if (range === null) return;
  const { series, from, to, finalReason } = range;
  const { execution } = settings;
  const bars = sliceSeries(series, from, to);
  block.setRange(instrument, bars.length, bars.day[0], bars.day[bars.length - 1]);
  const indicators = new IndicatorSet(series);
  const { cash, riskFree } = ratesOn(bars.day, settings, input.columns);
  const common = { series, from, to, execution, finalReason, interest: cash?.returns };
  const market = excessOf(holdingReturns(heldPrices(bars)), riskFree);
  let combination = 0;
  for (const { strategy, combinations } of runs) {
    for (const params of combinations) {
      const run = runStrategy(strategy, params, common, indicators);
      const metrics = metricsOf(bars, run, execution.initialCapital);
      const returns = excessOf(returnsOf(run.equity, execution.initialCapital), riskFree);
      const appraisal = appraisalMoments(returns, market);
      block.setCell(instrument, combination++, metrics, pooledSums(run), appraisal?.sharpe ?? Number.NaN);
    }
  }
}

function pooledSums({ trades }: Simulation): PooledSums {
  let wins = 0;
  let gains = 0;
  let losses = 0;
  for (const trade of trades) {
    const { pnl } = trade;
    if (isWin(trade)) wins++;
    if (pnl > 0) gains += pnl;
    else losses -= pnl;
  }
  return { wins, gains, losses };
}

// Splits a sweep into chunks of whole instruments, so that each history is read once.

/** Most work of one chunk, in milliseconds. */
const LARGEST_MS = 1_000;
/** Least work of one, except the last: starting and storing a chunk takes some tens of milliseconds. */
const SMALLEST_MS = 200;
/** Share of the work left that a chunk may have. The last chunks are small, so that all workers finish at about the same time. */
const LARGEST_SHARE = 1 / 4;
/** Cells that a worker holds: about 180 bytes each, and as much again while they are encoded. */
const MAX_CHUNK_CELLS = 50_000;
/** Reading a history, and one bar of one backtest with its figures, as measured on a small machine. */
const READ_MS = 0.4;
const BAR_MS = 4e-5;

/** Consecutive parts, at least one. `bars`: about how many the range holds. */
export function cutIntoChunks<T>(instruments: readonly T[], combinations: number, bars: number): T[][] {
  const instrumentMs = READ_MS + combinations * bars * BAR_MS;
  const most = Math.min(LARGEST_MS / instrumentMs, MAX_CHUNK_CELLS / combinations);
  const least = Math.min(SMALLEST_MS / instrumentMs, most);
  const chunks: T[][] = [];
  for (let from = 0; from < instruments.length; ) {
    const wanted = Math.min(most, Math.max(least, (instruments.length - from) * LARGEST_SHARE));
    const end = from + Math.max(1, Math.floor(wanted));
    chunks.push(instruments.slice(from, end));
    from = end;
  }
  return chunks;
}
