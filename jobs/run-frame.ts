/** The frame of all jobs that work for a run: it ends with its result or its failure, whatever computes it. */
import { randomUUID } from 'node:crypto';
import { isAccountGone } from '../db/errors.ts';
import { storedResult } from '../db/runs/run-results.ts';
import { failRun, type RunFailure, type StartedRun } from '../db/runs/runs.ts';
import { isOutOfSpace, isPermanent, type JobContext } from './contracts/job-context.ts';

const REPORT_EVERY_MS = 250;

/** The work is no longer wanted: it was canceled, deleted with its account, or begun again elsewhere. */
export class Unwanted extends Error {
  override readonly name = 'Unwanted';
}

/** Whether to write progress now: a few times a second, and always if `isLast`. */
export function reportPace(): (isLast?: boolean) => boolean {
  let reportedAt = -Infinity;
  return (isLast = false) => {
    if (performance.now() - reportedAt < REPORT_EVERY_MS && !isLast) return false;
    reportedAt = performance.now();
    return true;
  };
}

/** The failure that the caller of an impossible run gets. */
export function failureOf(error: unknown): RunFailure {
  return { code: isOutOfSpace(error) ? 'storage_full' : 'internal', details: {} };
}

/**
 * Runs `work`, which ends the run and returns null, or returns the reason for its failure. An error that it throws
 * fails the run if no attempt follows.
 */
export async function runFrame(
  context: JobContext,
  runId: string,
  work: (run: StartedRun) => Promise<RunFailure | null>,
): Promise<void> {
  const { pool, now, run, cost, isLastAttempt, log } = context;
  if (!run) return;
  const fail = (failure: RunFailure) => failRun(pool, runId, failure, new Date(now()), cost.seconds());
  try {
    const failure = await work(run);
    if (failure) await fail(failure);
  } catch (error) {
    if (error instanceof Unwanted) return;
    // The run was deleted with it.
    if (isAccountGone(error)) return log.debug({ runId }, 'the account of the run is gone');
    if (isLastAttempt || isPermanent(error)) await fail(failureOf(error));
    throw error;
  }
}

/** Ends a run with a result that belongs to it alone and is never used again. */
export function endAlone({ endRun, now }: JobContext, result: object): Promise<void> {
  const fingerprint = Buffer.from(randomUUID());
  return endRun({ fingerprint, result: storedResult(result, {}), selection: null, trials: null, at: new Date(now()) });
}
