import { deleteOldRuns } from '../db/backtest-runs.ts';
import { deleteExpiredLoginCodes } from '../db/login-codes.ts';
import type { Pool } from '../db/pool.ts';
import { deleteIdleWindows } from '../db/rate-limits.ts';
import { deleteExpiredSessions } from '../db/sessions.ts';

/** Forgets what has had its time. Any number of processes may do it at once. */
export async function tidyUp(pool: Pool, now: number): Promise<void> {
  const at = new Date(now);
  await deleteIdleWindows(pool);
  await deleteExpiredLoginCodes(pool, at);
  await deleteExpiredSessions(pool, at);
  await deleteOldRuns(pool, at);
}
