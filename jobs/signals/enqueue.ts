/** Queues the jobs of signals. */
import type { PgBoss } from 'pg-boss';
import { selectDataVersion } from '../../db/market/data-versions.ts';
import { selectNewestSession } from '../../db/market/loaded-sessions.ts';
import type { Pool, Queryable } from '../../db/pool.ts';
import { hasDueRecord } from '../../db/research/forward.ts';
import { selectUnsentDigests } from '../../db/research/signals.ts';
import { hasDueWatch } from '../../db/research/watches.ts';
import { newestDistributableDay } from '../../engine/market/calendar.ts';
import { type Day, formatDay } from '../../engine/market/dates.ts';
import { selectReadableSnapshots } from '../contracts/snapshot.ts';
import { sendUnlessWaiting } from '../queue/send.ts';

/** Queues due evaluations, or else due digests, so that a digest has the signals of all watches. */
export async function enqueueDueSignals(pool: Pool, boss: PgBoss, now: number): Promise<void> {
  const newest = await newestEvaluable(pool, now);
  if (newest !== null && (await hasDueWatch(pool, newest.session, newest.dataVersion))) {
    await sendUnlessWaiting(boss, 'signals.evaluate', { requestId: null });
  } else if ((await selectUnsentDigests(pool, 1)).length > 0) {
    await sendUnlessWaiting(boss, 'signals.mail', { requestId: null });
  }
}

/** Queues the job that brings forward records up to the newest session, if one is behind. */
export async function enqueueDueRecords(pool: Pool, boss: PgBoss, now: number): Promise<void> {
  const newest = await newestEvaluable(pool, now);
  if (newest !== null && (await hasDueRecord(pool, newest)))
    await sendUnlessWaiting(boss, 'forward.append', { requestId: null });
}

export interface NewestSession {
  readonly day: Day;
  /** YYYY-MM-DD */
  readonly session: string;
  readonly dataVersion: string;
}

/**
 * The session at which watches are evaluated now. Null while the snapshot is of other data: it is built when no load runs
 * and the new sessions have passed their checks, and signals may be sent only then.
 */
export async function newestEvaluable(db: Queryable, now: number): Promise<NewestSession | null> {
  const through = newestDistributableDay(now);
  const dataVersion = await selectDataVersion(db);
  const [snapshot] = await selectReadableSnapshots(db);
  if (snapshot?.dataVersion !== dataVersion || snapshot.through !== formatDay(through)) return null;
  const day = await selectNewestSession(db, 'consolidated', through);
  return day === null ? null : { day, session: formatDay(day), dataVersion };
}
