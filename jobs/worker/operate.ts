/** Actions of operators on jobs and queues: retry, cancel, pause, resume. */
import type { PgBoss } from 'pg-boss';
import type { Actor } from '../../db/actors.ts';
import { type Connection, executorOn, withSavepoint } from '../../db/pool.ts';
import { selectExportByQueueJob } from '../../db/queue/exports.ts';
import {
  type JobBatch,
  type JobFilter,
  type JobState,
  type QueueJob,
  selectFailedJobIds,
  selectJob,
  selectJobBatch,
  selectPriorities,
} from '../../db/queue/queue-jobs.ts';
import { deletePause, insertPause, selectQueueTime } from '../../db/queue/queues.ts';
import { selectSyncJobByQueueJob } from '../../db/queue/sync-jobs.ts';
import { selectSweep } from '../../db/sweeps/sweeps.ts';
import { ServiceError, stringProperty } from '../../engine/util/errors.ts';
import { isQueueName, QUEUES, type QueueName } from '../contracts/queues.ts';
import { abortExport, retryExport } from '../export/enqueue.ts';
import { retrySweep } from '../sweep/enqueue.ts';
import { cancelSync, retrySync } from '../sync/enqueue.ts';

/** Who acts, and when. */
export interface Operator {
  readonly actor: Actor;
  readonly requestId: string | null;
  readonly at: Date;
}

export function queueOf(name: string): QueueName {
  if (!isQueueName(name)) throw new ServiceError('not_found');
  return name;
}

async function existingJob(connection: Connection, queue: QueueName, id: string): Promise<QueueJob> {
  const job = await selectJob(connection, queue, id);
  if (!job) throw new ServiceError('not_found');
  return job;
}

export interface JobReference {
  readonly queue: QueueName;
  readonly jobId: string;
}

/**
 * Retries a failed job and returns the job that continues its work: a new one if the job works for a record. A sweep that waits for
 * another of its account has no new job yet. Failed runs are not retried, because their callers no longer wait.
 */
export async function retryJob(
  connection: Connection,
  boss: PgBoss,
  queue: QueueName,
  id: string,
  operator: Operator,
): Promise<JobReference> {
  const { state, input } = await existingJob(connection, queue, id);
  if (state !== 'failed') throw new ServiceError('wrong_state', { needed: 'failed', status: state });
  const { record } = QUEUES[queue];
  if (record === 'sync') {
    const sync = await selectSyncJobByQueueJob(connection, id);
    if (sync) return { queue, jobId: await retrySync(connection, boss, sync, operator.requestId) };
  } else if (record === 'export') {
    const exported = await selectExportByQueueJob(connection, id);
    if (exported) return { queue, jobId: await retryExport(connection, boss, exported, operator) };
  } else if (record === 'sweep') {
    const sweepId = stringProperty(input, 'sweepId');
    const sweep = sweepId === undefined ? null : await selectSweep(connection, sweepId);
    if (sweep) return (await retrySweep(connection, boss, sweep, operator.at)) ?? { queue, jobId: id };
  } else if (record === null) {
    await boss.retry(queue, id, { db: executorOn(connection) });
    return { queue, jobId: id };
  }
  throw new ServiceError('job_is_over');
}

const CANCELLABLE = ['waiting', 'retry', 'active'];

/** Cancels a waiting or running job, together with the record that it works for. */
export async function cancelJob(
  connection: Connection,
  boss: PgBoss,
  queue: QueueName,
  id: string,
  { actor, at }: Operator,
): Promise<void> {
  const { state } = await existingJob(connection, queue, id);
  if (!CANCELLABLE.includes(state)) {
    throw new ServiceError('wrong_state', { needed: CANCELLABLE.join(', '), status: state });
  }
  const { record } = QUEUES[queue];
  const sync = record === 'sync' ? await selectSyncJobByQueueJob(connection, id) : null;
  if (sync) return cancelSync(connection, boss, sync, actor);
  const exported = record === 'export' ? await selectExportByQueueJob(connection, id) : null;
  if (exported) return abortExport(connection, boss, exported, { canceller: actor, at });
  await boss.cancel(queue, id, { db: executorOn(connection) });
}

export const JOB_ACTIONS = ['retry', 'cancel', 'move_first', 'move_last'] as const;
export type JobAction = (typeof JOB_ACTIONS)[number];

/** The states of the jobs that an action changes. */
const ACTS_ON = {
  retry: ['failed'],
  cancel: ['waiting', 'retry', 'active'],
  move_first: ['waiting', 'retry'],
  move_last: ['waiting', 'retry'],
} as const satisfies Record<JobAction, readonly JobState[]>;

export interface WantedAction {
  readonly action: JobAction;
  readonly filter: JobFilter;
  /** The last job of the call before; null: begins. */
  readonly after: string | null;
  readonly limit: number;
  /** Only lists the jobs that would be changed. */
  readonly isDryRun: boolean;
}

export interface DoneAction {
  /** The last moment at which they were queued: for the next calls. */
  readonly to: Date;
  /** Jobs that matched, before the call. */
  readonly total: number;
  readonly jobIds: readonly string[];
  readonly done: number;
  /** Jobs that could not be changed, because they have changed meanwhile or nobody waits for them. */
  readonly skipped: number;
  /** For the next call; null: these were the last. */
  readonly next: string | null;
}

/** Retries, cancels, or moves jobs of any queue, in the order of their ids. */
export async function actOnJobs(
  connection: Connection,
  boss: PgBoss,
  { action, filter, after, limit, isDryRun }: WantedAction,
  operator: Operator,
): Promise<DoneAction> {
  const to = filter.to ?? (await selectQueueTime(connection));
  const matching = { ...filter, to, states: ACTS_ON[action] };
  const { total, jobs } = await selectJobBatch(connection, matching, { after, limit });
  const jobIds = jobs.map(({ id }) => id);
  const next = jobs.length < limit ? null : jobIds[jobIds.length - 1];
  if (isDryRun) return { to, total, jobIds, done: 0, skipped: 0, next };
  const priorities = await targetPriorities(connection, action, jobs);
  let done = 0;
  for (const { queue, id } of jobs) {
    const change = async () => {
      const name = queueOf(queue);
      if (action === 'retry') await retryJob(connection, boss, name, id, operator);
      else if (action === 'cancel') await cancelJob(connection, boss, name, id, operator);
      else await boss.update({ name, options: { id, priority: priorities.get(queue), db: executorOn(connection) } });
    };
    if (await tryChange(connection, change)) done++;
  }
  return { to, total, jobIds, done, skipped: jobs.length - done, next };
}

/** The priority that moves jobs before or behind all that wait in their queue. */
async function targetPriorities(
  connection: Connection,
  action: JobAction,
  jobs: JobBatch['jobs'],
): Promise<ReadonlyMap<string, number>> {
  const priorities = new Map<string, number>();
  if (action !== 'move_first' && action !== 'move_last') return priorities;
  for (const queue of new Set(jobs.map((job) => job.queue))) {
    const { first, last } = await selectPriorities(connection, queue);
    priorities.set(queue, action === 'move_first' ? (first ?? 0) + 1 : (last ?? 0) - 1);
  }
  return priorities;
}

/** False when the service refuses the change; the transaction goes on. */
async function tryChange(connection: Connection, change: () => Promise<unknown>): Promise<boolean> {
  try {
    await withSavepoint(connection, change);
    return true;
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return false;
  }
}

/** Jobs of one call; a repeated call retries the next ones. */
const MAX_BULK = 1_000;

export interface BulkRetry {
  /** Only jobs that had failed by this time; fixes the set for repeated calls. */
  readonly failedBefore: Date;
  /** Only failures with this cause. */
  readonly cause: string | null;
  /** Only lists the jobs that would be retried. */
  readonly isDryRun: boolean;
}

export interface BulkResult {
  /** As requested; a repeated call with it selects the same set. */
  readonly failedBefore: Date;
  readonly jobIds: readonly string[];
  readonly retried: number;
  /** Jobs that could not be retried: their result is no longer needed, or they are running already. */
  readonly skipped: number;
}

/** Retries the failed jobs of a queue that can be retried. */
export async function retryFailedJobs(
  connection: Connection,
  boss: PgBoss,
  queue: QueueName,
  { failedBefore, cause, isDryRun }: BulkRetry,
  operator: Operator,
): Promise<BulkResult> {
  const jobIds = await selectFailedJobIds(connection, queue, { failedBefore, cause, limit: MAX_BULK });
  if (isDryRun) return { failedBefore, jobIds, retried: 0, skipped: 0 };
  let retried = 0;
  for (const id of jobIds) {
    if (await tryChange(connection, () => retryJob(connection, boss, queue, id, operator))) retried++;
  }
  return { failedBefore, jobIds, retried, skipped: jobIds.length - retried };
}

export async function pauseQueue(connection: Connection, queue: QueueName, { actor, at }: Operator): Promise<void> {
  if (await insertPause(connection, queue, actor, at)) return;
  throw new ServiceError('wrong_state', { needed: 'running', status: 'paused' });
}

export async function resumeQueue(connection: Connection, queue: QueueName): Promise<void> {
  if (await deletePause(connection, queue)) return;
  throw new ServiceError('wrong_state', { needed: 'paused', status: 'running' });
}

/** The section of the runbook for failures of a queue. The queue of an old job may no longer exist. */
export function runbookOf(queue: string): string {
  return isQueueName(queue) ? `ops/docs/RUNBOOK.md#${QUEUES[queue].runbook}` : 'ops/docs/RUNBOOK.md#jobs';
}
