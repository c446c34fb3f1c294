/** Queues the jobs of the impact of loads. */
import type { PgBoss } from 'pg-boss';
import type { Pool } from '../../db/pool.ts';
import { hasDueImpact, selectUnsentImpactMails } from '../../db/runs/impacts.ts';
import { CHECKED_VENUE_BASIS } from '../quality/check-sessions.ts';
import { sendUnlessWaiting } from '../queue/send.ts';

export async function enqueueDueImpacts(pool: Pool, boss: PgBoss): Promise<void> {
  if (await hasDueImpact(pool, CHECKED_VENUE_BASIS)) await sendUnlessWaiting(boss, 'impact', { requestId: null });
  const [unsent] = await selectUnsentImpactMails(pool, 1);
  if (unsent !== undefined) await sendUnlessWaiting(boss, 'impact.mail', { requestId: null });
}
