/** What operators do with jobs and queues: try again, cancel, pause. */
import type { PgBoss } from 'pg-boss';
import { selectExportByQueueJob } from '../../db/back-office/exports.ts';
import { type Connection, executorOn, withSavepoint } from '../../db/pool.ts';
import { deletePause, insertPause, type QueueJob, selectFailedJobIds, selectJob } from '../../db/queue/queue-jobs.ts';
import { selectSyncJobByQueueJob } from '../../db/queue/sync-jobs.ts';
import { ServiceError } from '../../engine/errors.ts';
import { abortExport, retryExport } from '../export/enqueue.ts';
import { cancelSync, retrySync } from '../sync/enqueue.ts';
import { isQueueName, QUEUES, type QueueName } from './queues.ts';

/** Who acts, and when. */
export interface Operator {
  readonly name: string;
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

/**
 * Tries a failed job again; returns the id of the job that does it, which is a new one where the job has a record of its
 * own. Nobody waits any more for a run that has failed: those are ordered anew.
 */
export async function retryJob(
  connection: Connection,
  boss: PgBoss,
  queue: QueueName,
  id: string,
  operator: Operator,
): Promise<string> {
  const { state } = await existingJob(connection, queue, id);
  if (state !== 'failed') throw new ServiceError('wrong_state', { needed: 'failed', status: state });
  const { record } = QUEUES[queue];
  if (record === 'sync') {
    const sync = await selectSyncJobByQueueJob(connection, id);
    if (sync) return retrySync(connection, boss, sync, operator.requestId);
  } else if (record === 'export') {
    const exported = await selectExportByQueueJob(connection, id);
    if (exported) return retryExport(connection, boss, exported, operator);
  } else if (record === null) {
    await boss.retry(queue, id, { db: executorOn(connection) });
    return id;
  }
  throw new ServiceError('job_is_over');
}

const CANCELLABLE = ['waiting', 'retry', 'active'];

/** Cancels a job that waits or runs, and with it the record that it works for. */
export async function cancelJob(
  connection: Connection,
  boss: PgBoss,
  queue: QueueName,
  id: string,
  { name, at }: Operator,
): Promise<void> {
  const { state } = await existingJob(connection, queue, id);
  if (!CANCELLABLE.includes(state)) {
    throw new ServiceError('wrong_state', { needed: CANCELLABLE.join(', '), status: state });
  }
  const { record } = QUEUES[queue];
  const sync = record === 'sync' ? await selectSyncJobByQueueJob(connection, id) : null;
  if (sync) return cancelSync(connection, boss, sync, name);
  const exported = record === 'export' ? await selectExportByQueueJob(connection, id) : null;
  if (exported) return abortExport(connection, boss, exported, { canceller: name, at });
  await boss.cancel(queue, id, { db: executorOn(connection) });
}

/** More are tried again by asking once more. */
const MAX_BULK = 1_000;

export interface BulkRetry {
  /** Makes the set fixed: only what had failed by then is meant, however many fail meanwhile. */
  readonly failedBefore: Date;
  /** Only failures of this cause. */
  readonly cause: string | null;
  /** Only says what would be tried again. */
  readonly isDryRun: boolean;
}

export interface BulkResult {
  /** As asked for: the same set is meant with it once more. */
  readonly failedBefore: Date;
  readonly jobIds: readonly string[];
  readonly retried: number;
  /** Of those that could not be: of no use any more, or running already. */
  readonly skipped: number;
}

/** Tries the failed jobs of a queue again, those that can be. */
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
    try {
      await withSavepoint(connection, () => retryJob(connection, boss, queue, id, operator));
      retried++;
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
    }
  }
  return { failedBefore, jobIds, retried, skipped: jobIds.length - retried };
}

export async function pauseQueue(connection: Connection, queue: QueueName, { name, at }: Operator): Promise<void> {
  if (await insertPause(connection, queue, name, at)) return;
  throw new ServiceError('wrong_state', { needed: 'running', status: 'paused' });
}

export async function resumeQueue(connection: Connection, queue: QueueName): Promise<void> {
  if (await deletePause(connection, queue)) return;
  throw new ServiceError('wrong_state', { needed: 'paused', status: 'running' });
}

/** Where the runbook says what to do about failures of a queue. */
export function runbookOf(queue: string): string {
  return `ops/RUNBOOK.md#${QUEUES[queueOf(queue)].runbook}`;
}
