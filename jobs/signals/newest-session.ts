/** The session that signals are of: the newest that may be distributed, once its data has passed the checks. */
import { selectDataVersion } from '../../db/market/data-versions.ts';
import { selectNewestSession } from '../../db/market/loaded-sessions.ts';
import type { Queryable } from '../../db/pool.ts';
import { newestDistributableDay } from '../../engine/market/calendar.ts';
import { type Day, formatDay } from '../../engine/market/dates.ts';
import { selectReadableSnapshots } from '../contracts/snapshot.ts';

export interface NewestSession {
  readonly day: Day;
  /** YYYY-MM-DD */
  readonly session: string;
  readonly dataVersion: string;
}

/**
 * Null while the market snapshot is of other data: it is built when no load runs and the new sessions pass their
 * checks, and only then may signals be sent.
 */
export async function newestEvaluable(db: Queryable, now: number): Promise<NewestSession | null> {
  const through = newestDistributableDay(now);
  const dataVersion = await selectDataVersion(db);
  const [snapshot] = await selectReadableSnapshots(db);
  if (snapshot?.dataVersion !== dataVersion || snapshot.through !== formatDay(through)) return null;
  const day = await selectNewestSession(db, 'consolidated', through);
  return day === null ? null : { day, session: formatDay(day), dataVersion };
}
