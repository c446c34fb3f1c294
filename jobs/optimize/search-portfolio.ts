/** The search of a grid on a portfolio. Between combinations it reports progress and notices a cancellation. */
import { bestOf, type Evaluated, expandGrid, heatMapOf } from '../../engine/backtest/optimize.ts';
import { formatDay } from '../../engine/market/dates.ts';
import {
  isMixedSource,
  type PreparedPortfolio,
  portfolioMetrics,
  runPrepared,
  withFreshIndicators,
} from '../../engine/portfolio/backtest.ts';
import { strategyOf } from '../../engine/rules/strategy.ts';
import { returnsOf } from '../../engine/statistics/moments.ts';
import { SearchReturns, statisticsOfSearch } from '../../engine/statistics/search.ts';
import type { ParameterValues } from '../../engine/strategies/parameters.ts';
import { withDefaults } from '../../engine/strategies/strategy.ts';
import { keysOf } from '../../engine/util/values.ts';
import { bareBasis, basisOfSearch } from '../backtest/measured-run.ts';
import { chosenNotes, noteCodesOf } from '../backtest/notes.ts';
import { receiptOf, resultDigest, seedOf, specDigest } from '../backtest/receipt.ts';
import { percent } from '../backtest/report.ts';
import { ledgers } from '../backtest/run.ts';
import { reportSearchStatistics } from '../backtest/statistics.ts';
import { dataRangeOf } from '../backtest/summary.ts';
import { OBJECTIVE_METRICS, type PortfolioSearch } from '../contracts/optimize.ts';
import {
  calendarDaysOf,
  marketOf,
  portfolioDataRead,
  portfolioForm,
  trialsOfPortfolio,
} from '../portfolio/evidence.ts';
import { noBarsInPortfolio, readPortfolio } from '../portfolio/prepare.ts';
import { allocationView, benchmarkView, portfolioMetricsView } from '../portfolio/report.ts';
import { gapsOfPortfolio, survivorsOf, unpaidNotes } from '../portfolio/summary.ts';
import { reportProgress, type SearchContext, type SearchOutcome, type SearchRun } from './search.ts';

/** Memory for columns of indicators that combinations share. */
const INDICATOR_BYTES = 128 * 1024 * 1024;
/** Columns that a combination may add on each instrument. */
const COLUMNS = 6;
const REPORT_MS = 500;

export async function searchPortfolio(
  context: SearchContext,
  run: SearchRun,
  search: PortfolioSearch,
): Promise<SearchOutcome> {
  const { pool, now } = context;
  const { portfolio: spec, grid, objective, heatmap } = search;
  const ledger = await ledgers.get(pool, run.dataVersion);
  const read = await readPortfolio(pool, spec);
  if (!read) return { failure: noBarsInPortfolio(spec) };
  const { prepared } = read;
  const { clock } = prepared;
  const expanded = expandGrid(withDefaults(strategyOf(spec), spec.params), grid);
  if ('refused' in expanded) throw new Error(`the grid has refused values: ${JSON.stringify(expanded.refused)}`);
  const { combinations } = expanded;
  const form = searchForm(search);
  const specSha256 = specDigest(form);
  const task = { prepared, spec, combinations, seed: seedOf(specSha256) };
  const { evaluated, returns } = await evaluateAll(context, run.runId, task);
  const metric = OBJECTIVE_METRICS[objective];
  const best = bestOf(evaluated, metric);
  const { statistics, basis } = evidenceOfSearch(task, best[0].params, returns);
  const map = heatmap && heatMapOf(evaluated, grid, heatmap, metric);
  const figures = {
    start_date: formatDay(clock[0]),
    end_date: formatDay(clock[clock.length - 1]),
    bars: clock.length,
    combinations: evaluated.length,
    best: best.map(({ params, metrics }) => ({ params, metrics: portfolioMetricsView(metrics) })),
    heatmap: map && { ...map, cells: map.cells.map((row) => row.map(percent)) },
    walk_forward: null,
    statistics,
  };
  const gaps = gapsOfPortfolio(spec, prepared, ledger);
  const survivors = survivorsOf(spec, read);
  const data = portfolioDataRead(spec, read);
  const computation = { dataVersion: run.dataVersion, at: new Date(now()) };
  const summary = {
    symbols: spec.instruments.map(({ symbol }) => symbol),
    skipped_symbols: spec.skipped ?? undefined,
    screened_on: spec.screenedOn === null ? undefined : formatDay(spec.screenedOn),
    allocation: allocationView(spec),
    benchmark: benchmarkView(spec),
    strategy: spec.strategy,
    rules: spec.rules,
    saved: spec.saved,
    objective,
    ...figures,
    data_range: dataRangeOf(clock, gaps),
    note_codes: [
      ...noteCodesOf(spec, isMixedSource(prepared), gaps),
      ...unpaidNotes(spec, read),
      ...chosenNotes(spec.isPointInTime),
      ...keysOf(survivors),
    ],
    note_details: survivors,
    receipt: receiptOf(specSha256, data, resultDigest(figures), computation),
  };
  return {
    summary,
    counted: { form, basis, trials: trialsOfPortfolio(spec, combinations), isWanted: statistics !== undefined },
  };
}

function searchForm({ portfolio, grid, objective, heatmap }: PortfolioSearch) {
  const { params: _defaults, ...common } = portfolioForm(portfolio);
  return { ...common, kind: 'optimize', grid, objective, heatmap, walk_forward: null };
}

interface SearchTask {
  readonly prepared: PreparedPortfolio;
  readonly spec: PortfolioSearch['portfolio'];
  readonly combinations: readonly ParameterValues[];
  readonly seed: string;
}

interface EvaluatedPortfolio extends Evaluated {
  readonly metrics: ReturnType<typeof portfolioMetrics>;
}

async function evaluateAll(
  { pool, signal }: SearchContext,
  runId: string,
  { prepared, spec, combinations }: SearchTask,
) {
  const { initialCapital } = spec.execution;
  const { market } = prepared;
  const returns = spec.includeStatistics ? new SearchReturns(combinations.length, market, initialCapital) : null;
  const evaluated: EvaluatedPortfolio[] = [];
  const bars = prepared.instruments.reduce((sum, { range }) => sum + range.to, 0);
  const piece = Math.max(1, Math.floor(INDICATOR_BYTES / (bars * COLUMNS * Float64Array.BYTES_PER_ELEMENT)));
  let current = prepared;
  let reported = performance.now();
  for (const [i, params] of combinations.entries()) {
    signal.throwIfAborted();
    if (i > 0 && i % piece === 0) current = withFreshIndicators(prepared);
    const run = runPrepared(current, spec, params);
    returns?.add(i, run.equity, run.trades);
    evaluated.push({ params, metrics: portfolioMetrics(current, run, initialCapital) });
    if (performance.now() - reported < REPORT_MS) continue;
    await reportProgress(pool, runId, (100 * evaluated.length) / combinations.length);
    reported = performance.now();
  }
  return { evaluated, returns };
}

/** Statistics of the best combination and of the choice among all of them. */
function evidenceOfSearch(
  { prepared, spec, combinations, seed }: SearchTask,
  params: ParameterValues,
  returns: SearchReturns | null,
) {
  if (returns === null) return { basis: bareBasis(combinations.length, prepared.clock.length) };
  const { equity } = runPrepared(prepared, spec, params);
  const best = returnsOf(equity, spec.execution.initialCapital);
  const found = statisticsOfSearch(returns, best, calendarDaysOf(prepared), seed);
  return {
    statistics: reportSearchStatistics(found, seed, combinations, marketOf(spec, prepared).name),
    basis: basisOfSearch(returns, found),
  };
}
