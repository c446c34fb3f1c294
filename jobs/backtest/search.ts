/** Searches of a grid, whatever they run: their progress, their ends, and the result that they store. */
import { storedResult } from '../../db/runs/run-results.ts';
import { type RunFailure, type StartedRun, updateRunProgress } from '../../db/runs/runs.ts';
import type { JobContext } from '../contracts/job-context.ts';
import { runFrame, Unwanted } from '../run-frame.ts';
import type { SelectionBasis } from './statistics.ts';
import { selectionOfRun, type Trials } from './trials.ts';

/** A run that has begun. */
export interface SearchedRun {
  readonly runId: string;
  readonly dataVersion: string;
}

export interface Searched {
  readonly trials: Trials;
  readonly summary: object & { readonly selection_basis?: SelectionBasis };
}

export type SearchOutcome = Searched | { readonly failure: RunFailure };

/** The job of a search: `search` reads the specification of the run and evaluates it. */
export function runSearch(
  context: JobContext,
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

/** The result, and the selection that depends on the account's history, become true with the end of the run. */
async function finish(
  { pool, now, endRun }: JobContext,
  { userId, fingerprint }: StartedRun,
  { trials, summary }: Searched,
): Promise<void> {
  const selected = await selectionOfRun(pool, userId, { trials, basis: summary.selection_basis });
  await endRun({ fingerprint, result: storedResult(summary, {}), ...selected, at: new Date(now()) });
}

/** Ends the search when it was canceled. */
export async function reportProgress(pool: JobContext['pool'], runId: string, progressPct: number): Promise<void> {
  if (!(await updateRunProgress(pool, runId, progressPct))) throw new Unwanted();
}
