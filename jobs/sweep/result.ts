/** The result of a sweep as pieces of JSON text: a summary of the cells of each combination, and of all of them. */
import type { Queryable } from '../../db/pool.ts';
import { countTrials, insertTrials } from '../../db/runs/trials.ts';
import { runBacktest } from '../../engine/backtest/backtest.ts';
import { METRIC_NAMES } from '../../engine/backtest/metrics.ts';
import { TRADING_DAYS_PER_YEAR } from '../../engine/indicators/indicators.ts';
import { formatDay } from '../../engine/market/dates.ts';
import { heldPrices } from '../../engine/market/series.ts';
import { holdingReturns } from '../../engine/portfolio/benchmark.ts';
import { momentsOf, returnsOf } from '../../engine/statistics/moments.ts';
import { appraisalMoments } from '../../engine/statistics/skill.ts';
import { CELL_COLUMNS, CELL_METRICS, type CellBlock, type CellColumn } from '../../engine/sweep/cells.ts';
import {
  type CombinationSummary,
  type Histogram,
  joinColumns,
  type RankedCell,
  type Spread,
  SweepTotals,
  summarizeCombination,
} from '../../engine/sweep/summary.ts';
import { fromKeys, jsonMembers } from '../../engine/util/values.ts';
import { ENGINE_VERSION } from '../../engine/version.ts';
import type { JobContext } from '../contracts/job-context.ts';
import { lastReadDay, type SweepInstrument } from '../contracts/sweep.ts';
import { readHistories, readOthers } from '../runs/history.ts';
import { readingColumns } from '../runs/own-columns.ts';
import { percent } from '../runs/report.ts';
import { type ReportedSelection, reportSelection, type SelectionBasis, sharpeMoments } from '../runs/statistics.ts';
import { trialsIn } from '../runs/trials.ts';
import type { LocalChunks } from './local-chunks.ts';
import { combinationsOf, type NamedCombination, type StoredSweep } from './stored-sweep.ts';

/** Divides a yearly Sharpe ratio into one per bar. */
const PER_BAR = Math.sqrt(TRADING_DAYS_PER_YEAR);

/** A sweep whose cells are all computed. */
export interface ComputedSweep extends Pick<StoredSweep, 'id' | 'cells' | 'spec' | 'runs'> {
  /** Null: no account has asked for it. */
  readonly userId: number | null;
  /** In the order of the cells. */
  readonly members: readonly SweepInstrument[];
}

/** Some combinations of all instruments. */
type ReadCells = (from: number, count: number) => Promise<readonly CellBlock[]>;

async function selectionOfSweep(db: Queryable, sweep: ComputedSweep, totals: SweepTotals): Promise<ReportedSelection> {
  const best = totals.first;
  const returns = best && (await returnsOfCell(db, sweep, best));
  const spread = totals.sharpeDeviation;
  const basis: SelectionBasis = {
    bars: returns?.own.length ?? 0,
    moments: sharpeMoments(returns && momentsOf(returns.own)),
    spread: spread && spread / PER_BAR,
    appraisal: sharpeMoments(returns && appraisalMoments(returns.own, returns.market)),
    appraisalSpread: totals.appraisalDeviation,
    tally: totals.tally,
  };
  return selectionOfCells(db, sweep, basis);
}

/** The selection among the cells, which the history of the account counts, once for each specification. */
async function selectionOfCells(
  db: Queryable,
  { userId, spec, members }: ComputedSweep,
  basis: SelectionBasis,
): Promise<ReportedSelection> {
  const { runs: cells } = basis.tally;
  if (userId === null) return reportSelection(cells, basis, null);
  const { asOf: _asOf, dataAsOf: _dataAsOf, ...form } = spec;
  const search = trialsIn({ sweep: form, members: members.map(({ instrumentId }) => instrumentId) }, []);
  const account = { spec: search.search, ...basis.tally };
  await insertTrials(db, { userId, ...search, account });
  return reportSelection(cells, basis, (await countTrials(db, { userId, ...search })).account);
}

/** Returns of a cell and of holding its instrument: it is computed again, because cells have no returns. */
async function returnsOfCell(db: Queryable, { spec, runs, members }: ComputedSweep, cell: RankedCell) {
  const instrument = members[cell.instrument];
  const { instrumentId, listedOn, delistedOn } = instrument;
  const combined = runs.flatMap(({ combinations }, run) => combinations.map((params) => ({ params, run })));
  const { params, run } = combined[cell.combination];
  const { strategy, rules, others, columns } = spec.runs[run];
  const readBars = readingColumns(readHistories, columns);
  const [history] = await readBars(db, [instrumentId], lastReadDay(spec));
  const read = await readOthers(db, others, lastReadDay(spec), readBars);
  const input = { ...history, others: read, asOf: spec.asOf, lifetime: { listedOn, delistedOn } };
  const outcome = runBacktest({ ...spec, strategy, rules, columns, params }, input);
  if (outcome === null) return null;
  const own = returnsOf(outcome.run.equity, spec.execution.initialCapital);
  return { own, market: holdingReturns(heldPrices(outcome.bars)) };
}

/** Memory for figures. */
const GROUP_BYTES = 32 * 1024 * 1024;

/** The result of a sweep whose chunks are stored. */
export function resultPieces(
  { pool }: Pick<JobContext, 'pool'>,
  stored: StoredSweep,
  local: LocalChunks,
): AsyncGenerator<string> {
  const members = stored.chunks.flatMap((chunk) => chunk.members);
  return resultText(pool, { ...stored, members }, (from, count) => local.blocks(from, count));
}

export async function* resultText(db: Queryable, sweep: ComputedSweep, readCells: ReadCells): AsyncGenerator<string> {
  const { id, spec, members, cells } = sweep;
  const named = combinationsOf(sweep);
  const instruments = members.length;
  const totals = new SweepTotals();
  const head = {
    id,
    engine_version: ENGINE_VERSION,
    time_range: spec.start === null ? spec.timeRange : 'CUSTOM',
    start: spec.start === null ? null : formatDay(spec.start),
    end: spec.end === null ? null : formatDay(spec.end),
    adjust: spec.adjust,
    execute_on: spec.execution.executeOn,
    instruments,
    cells,
  };
  yield `{${jsonMembers(head)},"combinations":[`;
  const bytes = instruments * CELL_COLUMNS.length * Float64Array.BYTES_PER_ELEMENT;
  const size = Math.max(1, Math.floor(GROUP_BYTES / bytes));
  for (let from = 0; from < named.length; from += size) {
    const count = Math.min(size, named.length - from);
    const blocks = await readCells(from, count);
    for (let i = 0; i < count; i++) {
      const columns = fromKeys(CELL_COLUMNS, (column) => joinColumns(blocks, i, column));
      const columnOf = (column: CellColumn) => columns[column];
      totals.add(from + i, columnOf);
      const view = combinationView(named[from + i], summarizeCombination(columnOf));
      yield `${from + i === 0 ? '' : ','}${JSON.stringify(view)}`;
    }
  }
  const selection = await selectionOfSweep(db, sweep, totals);
  yield `],${jsonMembers({ selection, ...totalsView(sweep, named, totals) })}}`;
}

function combinationView({ strategy, params }: NamedCombination, summary: CombinationSummary) {
  const { spreads, pooled } = summary;
  return {
    strategy,
    params,
    instruments: summary.instruments,
    metrics: Object.fromEntries(CELL_METRICS.map((name) => [METRIC_NAMES[name], spreadView(spreads[name])])),
    beats_buy_hold_pct: percent(summary.beatsBuyHoldPct),
    positive_sharpe_pct: percent(summary.positiveSharpePct),
    trades: {
      count: pooled.trades,
      win_rate: percent(pooled.winRate),
      avg_trade_pct: percent(pooled.avgTradePct),
      profit_factor: percent(pooled.profitFactor),
    },
  };
}

function spreadView(spread: Spread | null) {
  return (
    spread && {
      mean: percent(spread.mean),
      median: percent(spread.median),
      lower_quartile: percent(spread.lowerQuartile),
      upper_quartile: percent(spread.upperQuartile),
    }
  );
}

function totalsView({ members }: ComputedSweep, named: readonly NamedCombination[], totals: SweepTotals) {
  const symbols = members.map(({ symbol }) => symbol);
  const cell = ({ instrument, combination, score, trades }: RankedCell) => ({
    symbol: symbols[instrument],
    ...named[combination],
    sharpe: percent(score),
    num_trades: trades,
  });
  return {
    cells_with_bars: totals.cells,
    best: totals.best.cells.map(cell),
    best_few_trades: totals.bestOfFewTrades.cells.map(cell),
    worst: totals.worst.cells.map(cell),
    sharpe_histogram: histogramView(totals.sharpe),
    excess_return_histogram: histogramView(totals.excess),
  };
}

const histogramView = ({ from, to, counts }: Histogram) => ({ from, to, counts });
