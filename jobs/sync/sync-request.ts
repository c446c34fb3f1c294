/** What a sync job is asked to do, and how it is queued. */
import { randomUUID } from 'node:crypto';
import type { PgBoss } from 'pg-boss';
import { z } from 'zod';
import { type Pool, transaction } from '../../db/pool.ts';
import { insertSyncJob, reopenSyncJob, type SyncJobType, selectSyncJob } from '../../db/sync-jobs.ts';
import { BASES } from '../../engine/basis.ts';
import { send } from '../queue/boss.ts';
import type { QueueName } from '../queue/queues.ts';

export const syncRequestSchema = z.object({
  /** First and last day, both included (daily bars). */
  start: z.iso.date().optional(),
  end: z.iso.date().optional(),
  /** Only these served symbols, without market (daily bars). */
  symbols: z.array(z.string()).min(1).max(10_000).optional(),
  /** Only this basis (daily bars). */
  venue_mode: z.enum(BASES).optional(),
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

/** Records and queues a sync job in one transaction. Null when the scheduler already has one like it running. */
export async function enqueueSync(pool: Pool, boss: PgBoss, order: SyncOrder): Promise<number | null> {
  const queueJobId = randomUUID();
  const requestId = order.requestId ?? null;
  return transaction(pool, async (connection) => {
    const syncJobId = await insertSyncJob(connection, { ...order, queueJobId, requestId });
    if (syncJobId === null) return null;
    await send(boss, connection, QUEUE_OF[order.jobType], queueJobId, { syncJobId, requestId });
    return syncJobId;
  });
}

/** Queues a failed sync job again, from its beginning. False when it has not failed. */
export async function retrySync(pool: Pool, boss: PgBoss, syncJobId: number): Promise<boolean> {
  const queueJobId = randomUUID();
  return transaction(pool, async (connection) => {
    const job = await selectSyncJob(connection, syncJobId);
    if (!job || !(await reopenSyncJob(connection, syncJobId, queueJobId))) return false;
    await send(boss, connection, QUEUE_OF[job.job_type], queueJobId, { syncJobId, requestId: null });
    return true;
  });
}
