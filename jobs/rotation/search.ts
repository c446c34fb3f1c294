/** The search of a grid over the `$parameters` of a rotation. Between combinations it reports progress and notices a cancellation. */
import type { Evaluated } from '../../engine/backtest/optimize.ts';
import { CONSOLIDATED_FROM } from '../../engine/market/venue-basis.ts';
import type { PortfolioMetrics } from '../../engine/portfolio/backtest.ts';
import { SearchReturns } from '../../engine/statistics/search.ts';
import type { ParameterValues } from '../../engine/strategies/parameters.ts';
import { required } from '../../engine/util/values.ts';
import type { RotationSearch } from '../contracts/optimize.ts';
import { universeView } from '../contracts/rotation.ts';
import { marketOf, portfolioMetricsView } from '../portfolio/report.ts';
import { ledgers } from '../runs/history.ts';
import { delistingNotes } from '../runs/notes.ts';
import {
  reportProgress,
  type SearchContext,
  type SearchOutcome,
  type SearchRun,
  searchResult,
} from '../runs/search.ts';
import { gapsOfRotation, ROTATION, rotationDataRead } from './kind.ts';
import { benchmarkView, rotationNotes, rotationView, survivorsOf } from './report.ts';
import { computeRotation, type RotationOutcome } from './run.ts';
import type { Universe } from './universe.ts';

interface EvaluatedRotation extends Evaluated {
  readonly metrics: PortfolioMetrics;
}

export async function searchRotation(
  context: SearchContext,
  run: SearchRun,
  search: RotationSearch,
): Promise<SearchOutcome> {
  const { pool, signal } = context;
  const { rotation: spec, ...grid } = search;
  const ledger = await ledgers.get(pool, run.dataVersion);
  const data = await ROTATION.read(context, spec, run.dataVersion);
  if ('failure' in data) return data;
  const combinations = combinationsOf(grid.grid, spec.params);
  let returns: SearchReturns | null = null;
  const evaluated: EvaluatedRotation[] = [];
  let last: RotationOutcome | null = null;
  for (const [i, params] of combinations.entries()) {
    signal.throwIfAborted();
    const outcome = await computeRotation(spec, data, params);
    if ('failure' in outcome) return outcome;
    if (spec.includeStatistics)
      returns ??= new SearchReturns(
        combinations.length,
        outcome.market,
        spec.execution.initialCapital,
        outcome.rates.riskFree,
      );
    returns?.add(i, outcome.run.equity, outcome.run.trades);
    evaluated.push({ params, metrics: outcome.metrics });
    last = outcome;
    await reportProgress(pool, run.runId, (100 * evaluated.length) / combinations.length);
  }
  const outcome = required(last, 'a combination');
  return searchResult(context, run, {
    spec,
    grid,
    form: { ...ROTATION.canonical(spec), kind: 'optimize', ...grid },
    combinations,
    evaluated,
    returns,
    equityOf: async (params) => {
      const chosen = await computeRotation(spec, data, params);
      if ('failure' in chosen) throw new Error('the best combination fails when it is run again');
      return chosen.run.equity;
    },
    days: data.universe.clock,
    market: marketOf(spec, outcome).name,
    rates: outcome.rates,
    metricsView: portfolioMetricsView,
    walkForward: null,
    head: {
      symbols: spec.universe.instruments?.map(({ symbol }) => symbol),
      universe: universeView(spec),
      rotation: rotationView(spec),
      benchmark: benchmarkView(spec),
    },
    gaps: gapsOfRotation(spec, outcome, ledger),
    isMixed: data.universe.clock[0] < CONSOLIDATED_FROM,
    notes: [...rotationNotes(spec, outcome), ...delistingNotes(data.universe.members.some(isUnpriced))],
    survivors: survivorsOf(data.universe),
    read: rotationDataRead(spec, data),
    trials: ROTATION.trials(spec, combinations),
  });
}

export const isUnpriced = ({ isDelisted, instrument }: Universe['members'][number]) =>
  isDelisted && instrument.delistingReturnPct === null;

/** Every combination of the grid with the parameters outside it, the last parameter fastest. */
function combinationsOf(grid: RotationSearch['grid'], fixed: ParameterValues): ParameterValues[] {
  return Object.entries(grid).reduce<ParameterValues[]>(
    (before, [name, values]) => before.flatMap((params) => values.map((value) => ({ ...params, [name]: value }))),
    [fixed],
  );
}
