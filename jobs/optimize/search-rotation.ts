/** The search of a grid over the `$parameters` of a rotation. Between combinations it reports progress and notices a cancellation. */
import { bestOf, type Evaluated, heatMapOf } from '../../engine/backtest/optimize.ts';
import { formatDay } from '../../engine/market/dates.ts';
import { CONSOLIDATED_FROM } from '../../engine/market/venue-basis.ts';
import type { PortfolioMetrics } from '../../engine/portfolio/backtest.ts';
import { returnsOf } from '../../engine/statistics/moments.ts';
import { SearchReturns, statisticsOfSearch } from '../../engine/statistics/search.ts';
import type { ParameterValues } from '../../engine/strategies/parameters.ts';
import { keysOf, required } from '../../engine/util/values.ts';
import { bareBasis, basisOfSearch } from '../backtest/measured-run.ts';
import { noteCodesOf } from '../backtest/notes.ts';
import { receiptOf, resultDigest, seedOf, specDigest } from '../backtest/receipt.ts';
import { percent } from '../backtest/report.ts';
import { ledgers } from '../backtest/run.ts';
import { reportSearchStatistics } from '../backtest/statistics.ts';
import { dataRangeOf } from '../backtest/summary.ts';
import { OBJECTIVE_METRICS, type RotationSearch } from '../contracts/optimize.ts';
import { marketOf } from '../portfolio/evidence.ts';
import { portfolioMetricsView } from '../portfolio/report.ts';
import { noBarsInRotation } from '../rotation/job.ts';
import { rotationNotes, survivorsOf } from '../rotation/notes.ts';
import { benchmarkView, rotationView, universeView } from '../rotation/report.ts';
import { computeRotation, type RotationOutcome, readRotationAt } from '../rotation/run.ts';
import { gapsOfRotation, rotationDataRead, rotationForm, trialsOfRotation } from '../rotation/summary.ts';
import { reportProgress, type SearchContext, type SearchOutcome, type SearchRun } from './search.ts';

interface EvaluatedRotation extends Evaluated {
  readonly metrics: PortfolioMetrics;
}

export async function searchRotation(
  context: SearchContext,
  run: SearchRun,
  search: RotationSearch,
): Promise<SearchOutcome> {
  const { pool, now, signal } = context;
  const { rotation: spec, grid, objective, heatmap } = search;
  const ledger = await ledgers.get(pool, run.dataVersion);
  const data = await readRotationAt(context, spec, run.dataVersion);
  if (data === null) return noBarsInRotation(spec);
  const { clock } = data.universe;
  const combinations = combinationsOf(grid, spec.params);
  const { initialCapital } = spec.execution;
  let returns: SearchReturns | null = null;
  const evaluated: EvaluatedRotation[] = [];
  let last: RotationOutcome | null = null;
  for (const [i, params] of combinations.entries()) {
    signal.throwIfAborted();
    const outcome = await computeRotation(spec, data, params);
    if ('failure' in outcome) return outcome;
    if (spec.includeStatistics) returns ??= new SearchReturns(combinations.length, outcome.market, initialCapital);
    returns?.add(i, outcome.run.equity, outcome.run.trades);
    evaluated.push({ params, metrics: outcome.metrics });
    last = outcome;
    await reportProgress(pool, run.runId, (100 * evaluated.length) / combinations.length);
  }
  const outcome = required(last, 'a combination');
  const metric = OBJECTIVE_METRICS[objective];
  const best = bestOf(evaluated, metric);
  const form = { ...rotationForm(spec), kind: 'optimize', grid, objective, heatmap };
  const specSha256 = specDigest(form);
  const seed = seedOf(specSha256);
  const chosen = spec.includeStatistics ? await computeRotation(spec, data, best[0].params) : null;
  if (chosen && 'failure' in chosen) return chosen;
  const evidence =
    chosen &&
    evidenceOfSearch(chosen, required(returns, 'the returns'), seed, combinations, {
      initialCapital,
      market: marketOf(spec, chosen).name,
    });
  const { statistics, basis } = evidence ?? {
    statistics: undefined,
    basis: bareBasis(combinations.length, clock.length),
  };
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
  const gaps = gapsOfRotation(spec, outcome, ledger);
  const survivors = survivorsOf(data.universe);
  const computation = { dataVersion: run.dataVersion, at: new Date(now()) };
  const summary = {
    symbols: spec.universe.instruments?.map(({ symbol }) => symbol),
    strategy: spec.strategy,
    universe: universeView(spec),
    rotation: rotationView(spec),
    benchmark: benchmarkView(spec),
    objective,
    ...figures,
    data_range: dataRangeOf(clock, gaps),
    note_codes: [
      ...noteCodesOf(spec, clock[0] < CONSOLIDATED_FROM, gaps),
      ...rotationNotes(spec, outcome),
      ...keysOf(survivors),
    ],
    note_details: survivors,
    receipt: receiptOf(specSha256, rotationDataRead(spec, data), resultDigest(figures), computation),
  };
  return {
    summary,
    counted: { form, basis, trials: trialsOfRotation(spec, combinations), isWanted: statistics !== undefined },
  };
}

/** Statistics of the best combination and of the choice among all of them. */
function evidenceOfSearch(
  { run, universe: { clock } }: RotationOutcome,
  returns: SearchReturns,
  seed: string,
  combinations: readonly ParameterValues[],
  { initialCapital, market }: { readonly initialCapital: number; readonly market: string },
) {
  const best = returnsOf(run.equity, initialCapital);
  const found = statisticsOfSearch(returns, best, clock[clock.length - 1] - clock[0], seed);
  return {
    statistics: reportSearchStatistics(found, seed, combinations, market),
    basis: basisOfSearch(returns, found),
  };
}

/** Every combination of the grid with the parameters outside it, the last parameter fastest. */
function combinationsOf(grid: RotationSearch['grid'], fixed: ParameterValues): ParameterValues[] {
  return Object.entries(grid).reduce<ParameterValues[]>(
    (before, [name, values]) => before.flatMap((params) => values.map((value) => ({ ...params, [name]: value }))),
    [fixed],
  );
}
