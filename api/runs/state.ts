/** Runs as their callers see them: state, failure, and why they do not start. */
import { z } from 'zod';
import type { Queryable } from '../../db/pool.ts';
import { isQueuePaused } from '../../db/queue/queue-pauses.ts';
import type { ServedResult } from '../../db/runs/run-results.ts';
import { isUnderWay, type Run, type RunKind, selectRun } from '../../db/runs/runs.ts';
import { found, isErrorCode, ServiceError } from '../../engine/util/errors.ts';
import { RUN_KINDS } from '../../jobs/contracts/run-kinds.ts';
import { ownerOf } from '../access/caller.ts';
import { Accepted } from '../http/answer/reply.ts';
import { type ErrorView, errorView } from '../http/errors/catalogue.ts';
import { labelText } from '../http/language/labels.ts';
import type { Locale } from '../http/language/locale.ts';
import type { RunCall } from './services.ts';

const detailsSchema = z.record(z.string(), z.union([z.string(), z.number()]));

/** Null for a run that waits, runs, or is done. */
export function runFailure({ status, errorCode, errorDetails }: Run): ServiceError | null {
  if (status === 'cancelled') return new ServiceError('backtest_cancelled');
  if (status !== 'failed') return null;
  const code = isErrorCode(errorCode) ? errorCode : 'internal';
  return new ServiceError(code, detailsSchema.safeParse(errorDetails).data);
}

/** The fields that the state of every kind of run has. */
export async function runState(db: Queryable, run: Run, locale: Locale) {
  const { id, status, workerSeconds } = run;
  return {
    job_id: id,
    status,
    error: runError(run, locale),
    worker_seconds: workerSeconds === null ? null : Math.round(workerSeconds * 1_000) / 1_000,
    notice: await noticeOf(db, run, locale),
  };
}

/** The 202 of a run, with the location of its state. */
export async function acceptedRun(db: Queryable, run: Run, locale: Locale): Promise<Accepted> {
  const location = `${RUN_KINDS[run.kind].jobsPath}/${run.id}`;
  const notice = await noticeOf(db, run, locale);
  return new Accepted(location, { job_id: run.id, status: run.status, location, notice });
}

/** Why a queued run does not start, in the caller's language. */
async function noticeOf(db: Queryable, { kind, status }: Run, locale: Locale): Promise<string | null> {
  return status === 'queued' ? pauseNotice(db, kind, locale) : null;
}

/** The notice about a paused queue for the owner of a waiting job; null if the queue is not paused. */
export async function pauseNotice(db: Queryable, queue: string, locale: Locale): Promise<string | null> {
  return (await isQueuePaused(db, queue)) ? labelText('run.queue_paused', locale) : null;
}

function runError(run: Run, locale: Locale): ErrorView | null {
  const failure = runFailure(run);
  return failure && errorView(failure.code, failure.details, locale);
}

export type DoneRun = Run & { readonly result: ServedResult };

export function isDone(run: Run): run is DoneRun {
  return run.status === 'done' && run.result !== null;
}

/** A run of the caller. While it is in progress, waits until its state changes or `waitSeconds` are over. */
export async function ownRun(call: RunCall, kind: RunKind, jobId: string, waitSeconds: number): Promise<Run> {
  const { services, context, caller } = call;
  const owner = ownerOf(caller);
  const run = await selectRun(services.pool, jobId);
  if (run?.kind !== kind || run.owner !== owner) throw new ServiceError('not_found');
  if (waitSeconds === 0 || !isUnderWay(run)) return run;
  await services.runs.changed(owner, run, waitSeconds * 1000, context.abortSignal());
  // Not found if its account was deleted during the wait.
  return found(await selectRun(services.pool, jobId));
}
