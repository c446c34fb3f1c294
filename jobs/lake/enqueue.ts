import type { PgBoss } from 'pg-boss';
import { sendUnlessWaiting } from '../queue/send.ts';

/** Queues a write of the lake and returns the id of its job; null when one waits already. */
export function enqueueLake(boss: PgBoss): Promise<string | null> {
  return sendUnlessWaiting(boss, 'lake.write', { requestId: null });
}
