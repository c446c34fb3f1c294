/** The search of a grid on a portfolio. Between combinations it reports progress and notices a cancellation. */
import { isUnpriced } from '../../engine/backtest/backtest.ts';
import { type Evaluated, expandGrid } from '../../engine/backtest/optimize.ts';
import { formatDay } from '../../engine/market/dates.ts';
import {
  isMixedSource,
  type PreparedPortfolio,
  portfolioMetrics,
  runPrepared,
  withFreshIndicators,
} from '../../engine/portfolio/backtest.ts';
import { strategyOf } from '../../engine/rules/strategy.ts';
import { SearchReturns } from '../../engine/statistics/search.ts';
import type { ParameterValues } from '../../engine/strategies/parameters.ts';
import { withDefaults } from '../../engine/strategies/strategy.ts';
import type { PortfolioSearch } from '../contracts/optimize.ts';
import { ledgers } from '../runs/history.ts';
import { chosenNotes, delistingNotes } from '../runs/notes.ts';
import {
  reportProgress,
  type SearchContext,
  type SearchOutcome,
  type SearchRun,
  searchResult,
} from '../runs/search.ts';
import { gapsOfPortfolio, survivorsOf, unpaidNotes } from './facts.ts';
import { PORTFOLIO } from './kind.ts';
import { noBarsInPortfolio, portfolioDataRead, prepareData, readData } from './prepare.ts';
import { allocationView, benchmarkView, marketOf, portfolioMetricsView } from './report.ts';

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
  const { pool } = context;
  const { portfolio: spec, ...grid } = search;
  const ledger = await ledgers.get(pool, run.dataVersion);
  const read = prepareData(spec, await readData(pool, spec));
  if (!read) return noBarsInPortfolio(spec);
  const { prepared } = read;
  const expanded = expandGrid(withDefaults(strategyOf(spec), spec.params), grid.grid);
  if ('refused' in expanded) throw new Error(`the grid has refused values: ${JSON.stringify(expanded.refused)}`);
  const { combinations } = expanded;
  const { params: _defaults, ...common } = PORTFOLIO.canonical(spec);
  return searchResult(context, run, {
    spec,
    grid,
    form: { ...common, kind: 'optimize', ...grid, walk_forward: null },
    combinations,
    ...(await evaluateAll(context, run.runId, { prepared, spec, combinations })),
    equityOf: (params) => runPrepared(prepared, spec, params).equity,
    days: prepared.clock,
    market: marketOf(spec, prepared).name,
    rates: prepared.rates,
    metricsView: portfolioMetricsView,
    walkForward: null,
    head: {
      symbols: spec.instruments.map(({ symbol }) => symbol),
      skipped_symbols: spec.skipped ?? undefined,
      screened_on: spec.screenedOn === null ? undefined : formatDay(spec.screenedOn),
      allocation: allocationView(spec),
      benchmark: benchmarkView(spec),
    },
    gaps: gapsOfPortfolio(spec, prepared, ledger),
    isMixed: isMixedSource(prepared),
    notes: [
      ...unpaidNotes(spec, read),
      ...delistingNotes(prepared.instruments.some(({ range }) => isUnpriced(range))),
      ...chosenNotes(spec.isPointInTime),
    ],
    survivors: survivorsOf(spec, read),
    read: portfolioDataRead(spec, read),
    trials: PORTFOLIO.trials(spec, combinations),
  });
}

interface SearchTask {
  readonly prepared: PreparedPortfolio;
  readonly spec: PortfolioSearch['portfolio'];
  readonly combinations: readonly ParameterValues[];
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
  const { market, rates } = prepared;
  const returns = spec.includeStatistics
    ? new SearchReturns(combinations.length, market, initialCapital, rates.riskFree)
    : null;
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
