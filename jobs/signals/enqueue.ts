import type { PgBoss } from 'pg-boss';
import type { Pool } from '../../db/pool.ts';
import { selectUnsentDigests } from '../../db/research/signals.ts';
import { hasDueWatch } from '../../db/research/watches.ts';
import { sendUnlessWaiting } from '../queue/send.ts';
import { newestEvaluable } from './newest-session.ts';

/** Queues whatever is due: evaluations first, so that a digest has the signals of all watches. */
export async function enqueueDueSignals(pool: Pool, boss: PgBoss, now: number): Promise<void> {
  const newest = await newestEvaluable(pool, now);
  if (newest !== null && (await hasDueWatch(pool, newest.session, newest.dataVersion))) {
    await sendUnlessWaiting(boss, 'signals.evaluate', { requestId: null });
  } else if ((await selectUnsentDigests(pool, 1)).length > 0) {
    await sendUnlessWaiting(boss, 'signals.mail', { requestId: null });
  }
}
