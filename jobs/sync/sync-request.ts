/** What a sync job is asked to do, and how it is queued. */
import { randomUUID } from 'node:crypto';
import type { PgBoss } from 'pg-boss';
import { z } from 'zod';
import { isDuplicate } from '../../db/errors.ts';
import { type Connection, executorOn } from '../../db/pool.ts';
import {
  cancelSyncJob,
  insertSyncJob,
  reopenSyncJob,
  type SyncJob,
  type SyncJobType,
} from '../../db/queue/sync-jobs.ts';
import { ServiceError } from '../../engine/errors.ts';
import { VENUE_BASES } from '../../engine/market/venue-basis.ts';
import { send } from '../queue/boss.ts';
import type { QueueName } from '../queue/queues.ts';

export const syncRequestSchema = z.object({
  /** First and last day, both included (daily bars). */
  start: z.iso.date().optional(),
  end: z.iso.date().optional(),
  /** Only these served symbols, without market (daily bars). */
  symbols: z.array(z.string()).min(1).max(10_000).optional(),
  /** Only this basis (daily bars). */
  venue_mode: z.enum(VENUE_BASES).optional(),
  /** The session that makes the job necessary; recorded as done when it succeeds (symbols, adjustments). */
  through: z.iso.date().optional(),
});
export type SyncRequest = z.infer<typeof syncRequestSchema>;

const QUEUE_OF = {
  symbols: 'sync.symbols',
  adjustments: 'sync.adjustments',
  daily_bars: 'sync.daily_bars',
} as const satisfies Record<SyncJobType, QueueName>;

export interface SyncOrder {
  readonly jobType: SyncJobType;
  readonly request: SyncRequest;
  /** `scheduler`, or who asked for it. */
  readonly requestedBy: string;
  readonly requestId?: string;
}

/** Records and queues a sync job, both or neither. Null when the scheduler already has one like it running. */
export async function enqueueSync(connection: Connection, boss: PgBoss, order: SyncOrder): Promise<number | null> {
  const queueJobId = randomUUID();
  const requestId = order.requestId ?? null;
  const syncJobId = await insertSyncJob(connection, { ...order, queueJobId, requestId });
  if (syncJobId === null) return null;
  await send(boss, connection, QUEUE_OF[order.jobType], queueJobId, { syncJobId, requestId });
  return syncJobId;
}

/**
 * Queues a failed sync job again, for the units that failed or were never reached, and returns the id of its queue job.
 * Throws where it has not failed, or one like it runs already.
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

/**
 * Ends a running sync job as failed. Its worker hears of it within seconds; what it has loaded until then stays, and is
 * whole sessions.
 */
export async function cancelSync(
  connection: Connection,
  boss: PgBoss,
  { id, job_type, status }: SyncJob,
  canceller: string,
): Promise<void> {
  const queueJobId = await cancelSyncJob(connection, id, `cancelled by ${canceller}`);
  if (queueJobId === null) throw new ServiceError('wrong_state', { needed: 'running', status });
  await boss.cancel(QUEUE_OF[job_type], queueJobId, { db: executorOn(connection) });
}
