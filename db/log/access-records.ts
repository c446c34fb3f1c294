/**
 * Access records, one for each request, and the calls of each account by day and endpoint. A row of `access_records` holds a
 * request with the earlier ones of its batch that differ in their times only; the view `access_calls` has a row for each request.
 */
import type { Queryable } from '../pool.ts';
import type { Selected } from '../schema/columns.ts';
import { type Rows, selection, TABLES } from '../schema/tables.ts';

export const CLIENT_KINDS = TABLES.access_records.client_kind.values;
export type ClientKind = (typeof CLIENT_KINDS)[number];

export interface AccessRecord {
  readonly at: Date;
  /** A browser's own id, or the keyed hash of a script's address and user agent. */
  readonly visitor: string;
  readonly userId: number | null;
  readonly clientKind: ClientKind;
  readonly method: string;
  /** Path template of the route; for a page view, the page. */
  readonly path: string;
  readonly isPage: boolean;
  readonly referrer: string | null;
  readonly status: number;
  readonly durationMs: number;
  readonly country: string | null;
}

const SUMMARY = selection(
  'access_records',
  { clientKind: 'client_kind', method: 'method', path: 'path', status: 'status', country: 'country' },
  'r',
);

export type AccessSummary = Selected<typeof SUMMARY> & Pick<AccessRecord, 'at' | 'durationMs'>;

/**
 * The newest access records of an account, newest first. Each is in one of the same number of rows whose newest requests are the
 * newest, so no other row is read.
 */
export async function selectLatestAccess(db: Queryable, userId: number, limit: number): Promise<AccessSummary[]> {
  const { rows } = await db.query<AccessSummary>(
    `select r.at - c.ms_ago * interval '1 millisecond' as at, c.duration_ms as "durationMs", ${SUMMARY.sql}
     from (select * from access_records where user_id = $1 order by at desc, id desc limit $2) r
     cross join lateral unnest(0 || r.earlier_ms_ago, r.duration_ms || r.earlier_duration_ms)
       with ordinality c (ms_ago, duration_ms, place)
     order by 1 desc, r.id desc, c.place limit $2`,
    [userId, limit],
  );
  return rows;
}

/** Accounts of which more than `most` calls since a moment were beyond a limit, most first. */
export async function selectRefusedAccounts(
  db: Queryable,
  since: Date,
  most: number,
): Promise<{ readonly email: string; readonly calls: number }[]> {
  const { rows } = await db.query<{ email: string; calls: number }>(
    `select u.email, sum(1 + coalesce(cardinality(r.earlier_ms_ago), 0))::int as calls
     from access_records r join users u on u.id = r.user_id
     where r.at >= $1 and r.status = 429 group by 1 having sum(1 + coalesce(cardinality(r.earlier_ms_ago), 0)) > $2
     order by 2 desc limit 5`,
    [since, most],
  );
  return rows;
}

/** An account's calls by day and endpoint since a day (YYYY-MM-DD, UTC). */
export async function selectUsage(
  db: Queryable,
  userId: number,
  since: string,
): Promise<Pick<Rows['daily_usage'], 'day' | 'endpoint' | 'calls'>[]> {
  const { rows } = await db.query<Pick<Rows['daily_usage'], 'day' | 'endpoint' | 'calls'>>(
    'select day, endpoint, calls from daily_usage where user_id = $1 and day >= $2 order by day, endpoint',
    [userId, since],
  );
  return rows;
}

// Deletes old access records, visitors, and daily counts. Daily counts stay longer, because statistics are read from them.

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
