/** Searches of grids over runs of any kind: progress, the choice of the best, and the result. */
import type { Pool } from '../../db/pool.ts';
import { storedResult } from '../../db/runs/run-results.ts';
import { type StartedRun, updateRunProgress } from '../../db/runs/runs.ts';
import { bestOf, type Evaluated, heatMapOf } from '../../engine/backtest/optimize.ts';
import type { RunRates } from '../../engine/backtest/rates.ts';
import { formatDay } from '../../engine/market/dates.ts';
import type { HistoryGaps } from '../../engine/market/history-gaps.ts';
import { returnsOf } from '../../engine/statistics/moments.ts';
import { type SearchReturns, statisticsOfSearch } from '../../engine/statistics/search.ts';
import type { ParameterValues } from '../../engine/strategies/parameters.ts';
import { keysOf } from '../../engine/util/values.ts';
import type { RunSpec } from '../contracts/backtest.ts';
import type { JobContext } from '../contracts/job-context.ts';
import { OBJECTIVE_METRICS, type SearchFields } from '../contracts/optimize.ts';
import { type RunContext, RunSuperseded, runFrame } from './frame.ts';
import type { Failed, ReadContext } from './kind.ts';
import { bareBasis, basisOfSearch } from './measured-run.ts';
import { type DetailsByCode, type NoteCode, noteCodesOf } from './notes.ts';
import { rateNotes } from './rates.ts';
import { type DataRead, receiptOf, resultDigest, seedOf, specDigest } from './receipt.ts';
import { percent } from './report.ts';
import { reportSearchStatistics } from './statistics.ts';
import { dataRangeOf } from './summary.ts';
import { NO_SELECTION, type Selected, selectionOfRun, type Trials } from './trials.ts';

/** The part of a job's context that the evaluation of a grid needs. */
export type SearchContext = ReadContext & Pick<JobContext, 'now'>;

export interface SearchRun {
  readonly runId: string;
  readonly dataVersion: string;
}

export interface Searched {
  readonly summary: object;
  /** The trials that the search adds to the history of its account; absent: nothing. */
  readonly counted?: Selected;
  /** The tear sheet of the walk forward, as JSON text, if one was requested. */
  readonly tearSheet?: string;
}

export type SearchOutcome = Searched | Failed;

/** Runs the job of a search. `search` reads the specification of the run and evaluates its grid. */
export function runSearch(
  context: RunContext,
  runId: string,
  search: (run: StartedRun) => Promise<SearchOutcome>,
): Promise<void> {
  const { pool, now, endRun } = context;
  return runFrame(context, runId, async (run) => {
    const outcome = await search(run);
    if ('failure' in outcome) return outcome.failure;
    const { summary, counted, tearSheet = null } = outcome;
    // It depends on what the account has tried before.
    const selected = counted === undefined ? NO_SELECTION : await selectionOfRun(pool, run.userId, counted);
    const result = { ...storedResult(summary), tearSheet };
    await endRun({ fingerprint: run.fingerprint, result, backtestId: null, ...selected, at: new Date(now()) });
    return null;
  });
}

/** Records the progress. Throws `RunSuperseded` when the search was canceled. */
export async function reportProgress(pool: Pool, runId: string, progressPct: number): Promise<void> {
  if (!(await updateRunProgress(pool, runId, progressPct))) throw new RunSuperseded();
}

/** A grid whose combinations were all run. */
export interface EvaluatedGrid<Run extends Evaluated> {
  readonly spec: RunSpec;
  readonly grid: SearchFields;
  /** The complete specification of the search as it is digested. */
  readonly form: object;
  readonly combinations: readonly ParameterValues[];
  readonly evaluated: readonly Run[];
  /** Null: no statistics were requested. */
  readonly returns: SearchReturns | null;
  /** The equity of the best combination. */
  readonly equityOf: (params: ParameterValues) => Float64Array | Promise<Float64Array>;
  /** Sessions of the range. */
  readonly days: Int32Array;
  /** The name of the market that was held. */
  readonly market: string;
  readonly rates: RunRates;
  readonly metricsView: (metrics: Run['metrics']) => object;
  readonly walkForward: object | null;
  /** Fields of the summary that say what was searched. */
  readonly head: object;
  readonly gaps: HistoryGaps;
  readonly isMixed: boolean;
  readonly notes: readonly NoteCode[];
  /** Absent: the kind has none. */
  readonly survivors?: DetailsByCode;
  readonly read: DataRead;
  readonly trials: Trials;
}

export function seedOfSearch(form: object): string {
  return seedOf(specDigest(form));
}

/** The result of a search. */
export async function searchResult<Run extends Evaluated>(
  { now }: Pick<SearchContext, 'now'>,
  { dataVersion }: SearchRun,
  found: EvaluatedGrid<Run>,
): Promise<Searched> {
  const { spec, form, evaluated, days, survivors, rates } = found;
  const details = { ...survivors, ...rateNotes(spec, rates) };
  const { grid, objective, heatmap } = found.grid;
  const metric = OBJECTIVE_METRICS[objective];
  const best = bestOf(evaluated, metric);
  const { statistics, basis } = await evidenceOf(found, best[0].params);
  const map = heatmap && heatMapOf(evaluated, grid, heatmap, metric);
  const figures = {
    start_date: formatDay(days[0]),
    end_date: formatDay(days[days.length - 1]),
    bars: days.length,
    combinations: evaluated.length,
    best: best.map(({ params, metrics }) => ({ params, metrics: found.metricsView(metrics) })),
    heatmap: map && { ...map, cells: map.cells.map((row) => row.map(percent)) },
    walk_forward: found.walkForward,
    statistics,
  };
  const computation = { dataVersion, at: new Date(now()) };
  const summary = {
    ...found.head,
    strategy: spec.strategy,
    rules: spec.rules,
    saved: spec.saved,
    objective,
    ...figures,
    data_range: dataRangeOf(days, found.gaps),
    note_codes: [...noteCodesOf(spec, found.isMixed, found.gaps), ...found.notes, ...keysOf(details)],
    note_details: details,
    receipt: receiptOf(specDigest(form), found.read, resultDigest(figures), computation),
  };
  return { summary, counted: { form, basis, trials: found.trials, isWanted: statistics !== undefined } };
}

/** Statistics of the best combination and of the choice among all of them. */
async function evidenceOf<Run extends Evaluated>(
  { spec, form, combinations, returns, equityOf, days, market }: EvaluatedGrid<Run>,
  best: ParameterValues,
) {
  if (returns === null) return { basis: bareBasis(combinations.length, days.length) };
  const seed = seedOfSearch(form);
  const chosen = returnsOf(await equityOf(best), spec.execution.initialCapital);
  const found = statisticsOfSearch(returns, chosen, days[days.length - 1] - days[0], seed);
  return {
    statistics: reportSearchStatistics(found, seed, combinations, market),
    basis: basisOfSearch(returns, found),
  };
}
