/** The end of access records, visitors and daily counts. Statistics are read from the daily counts, which stay longer. */
import type { Queryable } from '../pool.ts';

/** Rows of one statement, so that none holds locks for long. */
export const REMOVED_AT_ONCE = 5_000;

const OLD_RECORDS = `delete from access_records where ctid = any(array(
  select ctid from access_records where at < $1 limit ${REMOVED_AT_ONCE}))`;

/** Removes some of the access records from before a moment; returns how many. */
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

/** Removes some of the visitors last seen, and of the counts, before a day (YYYY-MM-DD, UTC); returns the most of one kind. */
export async function deleteOldCounts(db: Queryable, before: string): Promise<number> {
  let most = 0;
  for (const statement of OLD_COUNTS) most = Math.max(most, (await db.query(statement, [before])).rowCount ?? 0);
  return most;
}
