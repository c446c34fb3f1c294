/** Runs as their callers see them: state, failure, and why they do not start. */
import { z } from 'zod';
import type { Queryable } from '../../db/pool.ts';
import { isQueuePaused } from '../../db/queue/queues.ts';
import type { ServedResult } from '../../db/runs/run-results.ts';
import { isUnderWay, type Run, type RunKind, type RunStatus, selectRun, selectRunStates } from '../../db/runs/runs.ts';
import { found, isErrorCode, ServiceError } from '../../engine/util/errors.ts';
import { RUN_KINDS } from '../../jobs/contracts/run-kinds.ts';
import { type Caller, ownerOf } from '../access/caller.ts';
import { Accepted } from '../http/answer/reply.ts';
import { type ErrorView, errorView } from '../http/errors/catalogue.ts';
import { labelText } from '../http/language/labels.ts';
import type { Locale } from '../http/language/locale.ts';
import type { RunCall } from './services.ts';

const detailsSchema = z.record(z.string(), z.union([z.string(), z.number()]));

/** The fields of every run, in whichever table it is recorded. */
export interface Recorded {
  readonly id: string;
  readonly status: RunStatus;
  readonly workerSeconds: number | null;
  readonly errorCode: string | null;
}

/** Where the runs of a kind are recorded, and under which address a caller finds one. */
export interface RunRecord<R extends Recorded> {
  /** Path of the state of a run, before its id. */
  readonly path: string;
  /** Name of the id in paths. */
  readonly idName: string;
  /** Null where the caller has no such run. */
  readonly select: (db: Queryable, caller: Caller, id: string) => Promise<R | null>;
}

/** The record of the kinds that share the table `runs`. */
export function recordOf(kind: RunKind): RunRecord<Run> {
  return {
    path: RUN_KINDS[kind].jobsPath,
    idName: 'job_id',
    select: async (db, caller, id) => {
      const run = await selectRun(db, id);
      return run?.kind === kind && run.owner === ownerOf(caller) ? run : null;
    },
  };
}

/** Null for a run that waits, runs, or is done. */
export function runFailure({
  status,
  errorCode,
  errorDetails,
}: Pick<Recorded, 'status' | 'errorCode'> & { readonly errorDetails: object | null }): ServiceError | null {
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
    worker_seconds: workerSeconds === null ? null : secondsView(workerSeconds),
    notice: await noticeOf(db, run, locale),
  };
}

/** To the millisecond. */
export const secondsView = (seconds: number) => Math.round(seconds * 1_000) / 1_000;

/** The 202 of a run, with the location of its state. `path`: of the states of its kind. */
export function acceptedAt(path: string, { id, status }: Pick<Recorded, 'id' | 'status'>, more?: object): Accepted {
  const location = `${path}/${id}`;
  return new Accepted(location, { job_id: id, status, location, ...more });
}

export async function acceptedRun(db: Queryable, run: Run, locale: Locale): Promise<Accepted> {
  return acceptedAt(RUN_KINDS[run.kind].jobsPath, run, { notice: await noticeOf(db, run, locale) });
}

/** Why a queued run does not start, in the caller's language. */
async function noticeOf(db: Queryable, { kind, status }: Run, locale: Locale): Promise<string | null> {
  return status === 'queued' ? pauseNotice(db, kind, locale) : null;
}

/** The notice about a paused queue for the owner of a waiting job; null if the queue is not paused. */
export async function pauseNotice(db: Queryable, queue: string, locale: Locale): Promise<string | null> {
  return (await isQueuePaused(db, queue)) ? labelText('run.queue_paused', locale) : null;
}

export function runError(run: Parameters<typeof runFailure>[0], locale: Locale): ErrorView | null {
  const failure = runFailure(run);
  return failure && errorView(failure.code, failure.details, locale);
}

export type DoneRun = Run & { readonly result: ServedResult };

export function isDone(run: Run): run is DoneRun {
  return run.status === 'done' && run.result !== null;
}

/** A run of the caller. While it is in progress, waits until its state changes or `waitSeconds` are over. */
export async function ownRun<R extends Recorded>(
  { services, context, caller }: RunCall,
  { select }: RunRecord<R>,
  id: string,
  waitSeconds = 0,
): Promise<R> {
  const { pool, runs } = services;
  const own = async () => found(await select(pool, caller, id));
  // Read first: what changes after it ends the wait.
  const [known] = waitSeconds === 0 ? [] : await selectRunStates(pool, [id]);
  const run = await own();
  if (known === undefined || !isUnderWay(run)) return run;
  await runs.changed(ownerOf(caller), known, waitSeconds * 1000, context.abortSignal());
  // Not found if its account was deleted during the wait.
  return own();
}
