import type { PgBoss } from 'pg-boss';
import { sendUnlessWaiting } from '../queue/send.ts';

/** Queues a build of the snapshot and returns the id of its job; null when a build waits already. */
export function enqueueSnapshot(boss: PgBoss): Promise<string | null> {
  return sendUnlessWaiting(boss, 'snapshot.build', { requestId: null });
}
