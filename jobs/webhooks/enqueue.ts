import type { PgBoss } from 'pg-boss';
import type { Pool } from '../../db/pool.ts';
import { hasDueDelivery } from '../../db/webhooks/webhooks.ts';
import { sendUnlessWaiting } from '../queue/send.ts';

export async function enqueueDueDeliveries(pool: Pool, boss: PgBoss, now: number): Promise<void> {
  if (await hasDueDelivery(pool, new Date(now))) await sendUnlessWaiting(boss, 'webhooks.deliver', { requestId: null });
}
