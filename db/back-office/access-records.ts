/** Access records, one for each request, and the calls of each account by day and endpoint. */
import type { Selected } from '../columns.ts';
import type { Queryable } from '../pool.ts';
import { type Rows, selection, TABLES } from '../tables.ts';

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

const SUMMARY = selection('access_records', {
  at: 'at',
  clientKind: 'client_kind',
  method: 'method',
  path: 'path',
  status: 'status',
  durationMs: 'duration_ms',
  country: 'country',
});

export type AccessSummary = Selected<typeof SUMMARY>;

/** The newest access records of an account, newest first. */
export async function selectLatestAccess(db: Queryable, userId: number, limit: number): Promise<AccessSummary[]> {
  const { rows } = await db.query<AccessSummary>(
    `select ${SUMMARY.sql} from access_records where user_id = $1 order by id desc limit $2`,
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
