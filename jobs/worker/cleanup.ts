/** Deletes what has expired: records at every tick of the scheduler, files and access records once an hour. */
import { deleteExpiredOAuthRecords } from '../../db/accounts/assistant-grants.ts';
import { ANSWERS_KEPT_BYTES, ANSWERS_KEPT_MS, deleteOldAnswers } from '../../db/accounts/idempotency.ts';
import { deleteExpiredLoginRequests, deleteExpiredLoginSessions } from '../../db/accounts/logins.ts';
import { deleteIdleWindows } from '../../db/accounts/rate-limits.ts';
import { deleteOldAccessRecords, deleteOldCounts, REMOVED_AT_ONCE } from '../../db/log/access-records.ts';
import { logAuditRefusals } from '../../db/log/audit-log.ts';
import { deleteOldPageVisitors } from '../../db/log/visit-counts.ts';
import type { Pool } from '../../db/pool.ts';
import { failAbandonedExports } from '../../db/queue/exports.ts';
import { deleteOldAttempts } from '../../db/queue/queue-jobs.ts';
import { deleteDeadWorkers } from '../../db/runs/job-claims.ts';
import { deleteOldRuns, selectKnownRuns } from '../../db/runs/runs.ts';
import { deleteOldEvents } from '../../db/webhooks/account-events.ts';
import { deleteOldDeliveries } from '../../db/webhooks/webhooks.ts';
import { MS_PER_DAY } from '../../engine/market/dates.ts';
import { runOfSqlResult, SQL_RESULTS_PREFIX } from '../../storage/keys.ts';
import { DELIVERIES_KEPT_DAYS } from '../contracts/webhooks.ts';
import { expireExports } from '../export/expire.ts';
import type { CleanupContext } from '../storage/remove-objects.ts';

/** Longer than any export takes whose caller waits for it. */
const INLINE_EXPORT_MS = 5 * 60_000;

/** Deletes expired records and fails abandoned exports. Any number of processes may run it at once. */
export async function deleteExpired(pool: Pool, now: number): Promise<void> {
  const at = new Date(now);
  await deleteOldAnswers(pool, { keptSince: new Date(now - ANSWERS_KEPT_MS), maxBytes: ANSWERS_KEPT_BYTES });
  await deleteIdleWindows(pool);
  await deleteExpiredLoginRequests(pool, at);
  await deleteExpiredLoginSessions(pool, at);
  await deleteExpiredOAuthRecords(pool, at);
  await deleteOldRuns(pool, at);
  await deleteOldAttempts(pool);
  await deleteDeadWorkers(pool, new Date(now - MS_PER_DAY));
  await deleteOldDeliveries(pool, new Date(now - DELIVERIES_KEPT_DAYS * MS_PER_DAY));
  await deleteOldEvents(pool, new Date(now - MS_PER_DAY));
  await failAbandonedExports(pool, { at, startedBefore: new Date(now - INLINE_EXPORT_MS) });
  await deleteOldPageVisitors(pool, at);
  await logAuditRefusals(pool, at);
}

/** Days for which visitors and daily counts are stored: the longest window of the statistics is a year. */
const COUNT_DAYS = 400;

export interface AccessRetention {
  /** Days for which access records are stored. */
  readonly accessRecordDays: number;
  /** Stops the removal between two statements. */
  readonly signal: AbortSignal;
}

/** Deletes expired access records, visitors, and daily counts, a bounded number per statement. */
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

/** The hourly job that removes the files of expired exports and queries. */
export async function removeExpired(context: CleanupContext): Promise<void> {
  await expireExports(context);
  await removeSqlResults(context);
}

export async function removeSqlResults({ pool, storage, signal, log }: CleanupContext): Promise<void> {
  const keys: string[] = [];
  for await (const { key } of storage.list(SQL_RESULTS_PREFIX)) keys.push(key);
  // Rows are read after objects: a run is recorded before its result is stored.
  const known = await selectKnownRuns(pool, [...new Set(keys.map(runOfSqlResult))]);
  const expired = keys.filter((key) => !known.has(runOfSqlResult(key)));
  for (const key of expired) {
    signal.throwIfAborted();
    await storage.remove(key);
  }
  if (expired.length > 0) log.debug({ objects: expired.length }, 'expired results of queries were removed');
}
