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
