/** Records and queues sync jobs, retries them, and cancels them. */
import { randomUUID } from 'node:crypto';
import type { PgBoss } from 'pg-boss';
import { type Actor, describeActor } from '../../db/actors.ts';
import { isDuplicate } from '../../db/errors.ts';
import { type Connection, executorOn } from '../../db/pool.ts';
import {
  cancelSyncJob,
  insertSyncJob,
  reopenSyncJob,
  type SyncJob,
  type SyncJobType,
} from '../../db/queue/sync-jobs.ts';
import { ServiceError } from '../../engine/util/errors.ts';
import type { QueueName } from '../contracts/queues.ts';
import { SYNC_ADJUSTMENTS_QUEUE, SYNC_DAILY_BARS_QUEUE, SYNC_SYMBOLS_QUEUE, type SyncSpec } from '../contracts/sync.ts';
import { send } from '../queue/send.ts';

const QUEUE_OF = {
  symbols: SYNC_SYMBOLS_QUEUE.name,
  adjustments: SYNC_ADJUSTMENTS_QUEUE.name,
  daily_bars: SYNC_DAILY_BARS_QUEUE.name,
} as const satisfies Record<SyncJobType, QueueName>;

export interface WantedSync {
  readonly jobType: SyncJobType;
  readonly spec: SyncSpec;
  readonly requestedBy: Actor;
  readonly requestId?: string;
}

/** Records and queues a sync job. Null when an equal one of the scheduler is running already. */
export async function enqueueSync(connection: Connection, boss: PgBoss, wanted: WantedSync): Promise<number | null> {
  const queueJobId = randomUUID();
  const requestId = wanted.requestId ?? null;
  const syncJobId = await insertSyncJob(connection, {
    jobType: wanted.jobType,
    request: wanted.spec,
    requestedBy: wanted.requestedBy,
    queueJobId,
    requestId,
  });
  if (syncJobId === null) return null;
  await send(boss, connection, QUEUE_OF[wanted.jobType], queueJobId, { syncJobId, requestId });
  return syncJobId;
}

/**
 * Queues a failed sync job again, for the units that were not loaded, and returns the id of its queue job. Throws when it
 * has not failed, or an equal one is running.
 */
export async function retrySync(
  connection: Connection,
  boss: PgBoss,
  { id, job_type, status }: SyncJob,
  requestId: string | null,
): Promise<string> {
  const queueJobId = randomUUID();
  const isOpen = await reopenSyncJob(connection, id, queueJobId).catch((error) => {
    if (isDuplicate(error)) throw new ServiceError('already_running');
    throw error;
  });
  if (!isOpen) throw new ServiceError('wrong_state', { needed: 'failed', status });
  await send(boss, connection, QUEUE_OF[job_type], queueJobId, { syncJobId: id, requestId });
  return queueJobId;
}

/** Ends a running sync job as failed. Its worker stops within seconds. The sessions loaded until then stay. */
export async function cancelSync(
  connection: Connection,
  boss: PgBoss,
  { id, job_type, status }: SyncJob,
  canceller: Actor,
): Promise<void> {
  const queueJobId = await cancelSyncJob(connection, id, `cancelled by ${describeActor(canceller)}`);
  if (queueJobId === null) throw new ServiceError('wrong_state', { needed: 'running', status });
  await boss.cancel(QUEUE_OF[job_type], queueJobId, { db: executorOn(connection) });
}
