import { deleteOldRuns } from '../db/backtest-runs.ts';
import { failAbandonedExports } from '../db/exports.ts';
import { deleteExpiredLoginCodes } from '../db/login-codes.ts';
import type { Pool } from '../db/pool.ts';
import { deleteIdleWindows } from '../db/rate-limits.ts';
import { deleteExpiredSessions } from '../db/sessions.ts';
import { deleteOldPageVisitors } from '../db/visit-counts.ts';

/** More than any export takes that is made while its caller waits. */
const INLINE_EXPORT_MS = 5 * 60_000;

/** Forgets what has had its time, and ends what nobody works on any more. Any number of processes may do it at once. */
export async function tidyUp(pool: Pool, now: number): Promise<void> {
  const at = new Date(now);
  await deleteIdleWindows(pool);
  await deleteExpiredLoginCodes(pool, at);
  await deleteExpiredSessions(pool, at);
  await deleteOldRuns(pool, at);
  await failAbandonedExports(pool, { at, startedBefore: new Date(now - INLINE_EXPORT_MS) });
  await deleteOldPageVisitors(pool, at);
}
