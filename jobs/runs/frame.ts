/** The frame of every job that works for a run: the run ends with its result or with a failure. */
import { randomUUID } from 'node:crypto';
import { isAccountGone } from '../../db/errors.ts';
import { storedResult } from '../../db/runs/run-results.ts';
import { failRun, type RunFailure, type StartedRun } from '../../db/runs/runs.ts';
import { FiguresOverflow } from '../../engine/market/figures.ts';
import { isOutOfSpace, isPermanent, type JobContext } from '../contracts/job-context.ts';

/** The part of a job's context that every run needs. */
export type RunContext = Pick<JobContext, 'pool' | 'run' | 'endRun' | 'cost' | 'now' | 'isLastAttempt' | 'log'>;

const REPORT_EVERY_MS = 250;

/** The work is no longer wanted: it was canceled, deleted with its account, or started again by another worker. */
export class RunSuperseded extends Error {
  override readonly name = 'RunSuperseded';
}

/** Whether to write progress now: a few times a second, and always if `isLast`. */
export function progressThrottle(): (isLast?: boolean) => boolean {
  let reportedAt = -Infinity;
  return (isLast = false) => {
    if (performance.now() - reportedAt < REPORT_EVERY_MS && !isLast) return false;
    reportedAt = performance.now();
    return true;
  };
}

/** The failure that a caller gets for an error of the job. */
export function failureOf(error: unknown): RunFailure {
  return { code: isOutOfSpace(error) ? 'storage_full' : 'internal', details: {} };
}

/**
 * Runs `work`, which ends the run and returns null, or returns why the run fails. An error that it throws fails the
 * run if no attempt follows.
 */
export async function runFrame(
  context: RunContext,
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
    if (error instanceof RunSuperseded) return;
    // Data and request alone make it: no fault of the job, and another attempt would end in the same way.
    if (error instanceof FiguresOverflow) return fail({ code: 'figures_overflow', details: {} });
    // The run was deleted with its account.
    if (isAccountGone(error)) return log.debug({ runId }, 'the account of the run is gone');
    if (isLastAttempt || isPermanent(error)) await fail(failureOf(error));
    throw error;
  }
}

/** Ends a run with a result that no other run shares. */
export function finishUncached(
  { endRun, now }: Pick<JobContext, 'endRun' | 'now'>,
  ...result: Parameters<typeof storedResult>
): Promise<void> {
  const fingerprint = Buffer.from(randomUUID());
  const end = { fingerprint, result: storedResult(...result), backtestId: null, selection: null, trials: null };
  return endRun({ ...end, at: new Date(now()) });
}
