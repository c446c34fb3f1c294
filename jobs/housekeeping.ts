import { deleteOldAccessRecords, deleteOldCounts, REMOVED_AT_ONCE } from '../db/access-retention.ts';
import { logAuditRefusals } from '../db/audit-refusals.ts';
import { deleteOldRuns } from '../db/backtest-runs.ts';
import { failAbandonedExports } from '../db/exports.ts';
import { deleteOldAnswers } from '../db/idempotency.ts';
import { deleteExpiredLoginCodes } from '../db/login-codes.ts';
import type { Pool } from '../db/pool.ts';
import { deleteIdleWindows } from '../db/rate-limits.ts';
import { deleteExpiredSessions } from '../db/sessions.ts';
import { deleteOldPageVisitors } from '../db/visit-counts.ts';
import { MS_PER_DAY } from '../engine/dates.ts';
import { ANSWERS_KEPT_BYTES, ANSWERS_KEPT_MS } from './idempotency.ts';

/** More than any export takes that is made while its caller waits. */
const INLINE_EXPORT_MS = 5 * 60_000;

/** Forgets what has had its time, and ends what nobody works on any more. Any number of processes may do it at once. */
export async function tidyUp(pool: Pool, now: number): Promise<void> {
  const at = new Date(now);
  await deleteOldAnswers(pool, { keptSince: new Date(now - ANSWERS_KEPT_MS), maxBytes: ANSWERS_KEPT_BYTES });
  await deleteIdleWindows(pool);
  await deleteExpiredLoginCodes(pool, at);
  await deleteExpiredSessions(pool, at);
  await deleteOldRuns(pool, at);
  await failAbandonedExports(pool, { at, startedBefore: new Date(now - INLINE_EXPORT_MS) });
  await deleteOldPageVisitors(pool, at);
  await logAuditRefusals(pool, at);
}

/** Visitors and daily counts: the longest window of the statistics is a year. */
const COUNT_DAYS = 400;

export interface AccessRetention {
  /** Days that access records are kept. */
  readonly accessRecordDays: number;
  /** Ends a long removal between two statements. */
  readonly signal: AbortSignal;
}

/** Removes access records, visitors and daily counts that have had their time, a bounded number at once. */
export async function removeOldAccess(
  pool: Pool,
  now: number,
  { accessRecordDays, signal }: AccessRetention,
): Promise<void> {
  const recordsBefore = new Date(now - accessRecordDays * MS_PER_DAY);
  const countsBefore = new Date(now - COUNT_DAYS * MS_PER_DAY).toISOString().slice(0, 10);
  await repeat(() => deleteOldAccessRecords(pool, recordsBefore), signal);
  await repeat(() => deleteOldCounts(pool, countsBefore), signal);
}

async function repeat(remove: () => Promise<number>, signal: AbortSignal): Promise<void> {
  let removed = REMOVED_AT_ONCE;
  while (removed === REMOVED_AT_ONCE && !signal.aborted) removed = await remove();
}
