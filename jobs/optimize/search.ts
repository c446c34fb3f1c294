/** The parts that searches of an instrument and of a portfolio share: progress, the stored result, and the end. */
import type { Pool } from '../../db/pool.ts';
import { storedResult } from '../../db/runs/run-results.ts';
import { type RunFailure, type StartedRun, updateRunProgress } from '../../db/runs/runs.ts';
import { NO_SELECTION, type Selected, selectionOfRun } from '../backtest/trials.ts';
import type { JobContext } from '../contracts/job-context.ts';
import { type RunContext, RunSuperseded, runFrame } from '../run-frame.ts';

/** The part of a job's context that the evaluation of a grid needs. */
export type SearchContext = Pick<JobContext, 'pool' | 'now' | 'signal'>;

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

export type SearchOutcome = Searched | { readonly failure: RunFailure };

/** Runs the job of a search. `search` reads the specification of the run and evaluates its grid. */
export function runSearch(
  context: RunContext,
  runId: string,
  search: (run: StartedRun) => Promise<SearchOutcome>,
): Promise<void> {
  return runFrame(context, runId, async (run) => {
    const outcome = await search(run);
    if ('failure' in outcome) return outcome.failure;
    await finish(context, run, outcome);
    return null;
  });
}

/** Ends the run with its result, and with the selection, which depends on what the account has tried before. */
async function finish(
  { pool, now, endRun }: RunContext,
  { userId, fingerprint }: StartedRun,
  { summary, counted, tearSheet }: Searched,
): Promise<void> {
  const selected = counted === undefined ? NO_SELECTION : await selectionOfRun(pool, userId, counted);
  const result = { ...storedResult(summary), tearSheet: tearSheet ?? null };
  await endRun({ fingerprint, result, backtestId: null, ...selected, at: new Date(now()) });
}

/** Records the progress. Throws `RunSuperseded` when the search was canceled. */
export async function reportProgress(pool: Pool, runId: string, progressPct: number): Promise<void> {
  if (!(await updateRunProgress(pool, runId, progressPct))) throw new RunSuperseded();
}
