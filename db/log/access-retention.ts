/** Deletes old access records, visitors, and daily counts. Daily counts stay longer, because statistics are read from them. */
import type { Queryable } from '../pool.ts';

/** Rows that one statement deletes, so that none holds locks for long. */
export const REMOVED_AT_ONCE = 5_000;

const OLD_RECORDS = `delete from access_records where ctid = any(array(
  select ctid from access_records where at < $1 limit ${REMOVED_AT_ONCE}))`;

/** Deletes some of the access records before a moment. Returns how many. */
export async function deleteOldAccessRecords(db: Queryable, before: Date): Promise<number> {
  const { rowCount } = await db.query(OLD_RECORDS, [before]);
  return rowCount ?? 0;
}

const OLD_COUNTS = [
  `delete from visitors where ctid = any(array(
     select ctid from visitors where last_day < $1 limit ${REMOVED_AT_ONCE}))`,
  `delete from visiting_users where ctid = any(array(
     select ctid from visiting_users where last_day < $1 limit ${REMOVED_AT_ONCE}))`,
  `delete from daily_access where ctid = any(array(
     select ctid from daily_access where day < $1 limit ${REMOVED_AT_ONCE}))`,
  `delete from daily_page_visitors where ctid = any(array(
     select ctid from daily_page_visitors where day < $1 limit ${REMOVED_AT_ONCE}))`,
  `delete from daily_usage where ctid = any(array(
     select ctid from daily_usage where day < $1 limit ${REMOVED_AT_ONCE}))`,
] as const;

/** Deletes some of the visitors and counts before a day (YYYY-MM-DD, UTC). Returns the largest number that one statement deleted. */
export async function deleteOldCounts(db: Queryable, before: string): Promise<number> {
  let most = 0;
  for (const statement of OLD_COUNTS) most = Math.max(most, (await db.query(statement, [before])).rowCount ?? 0);
  return most;
}
