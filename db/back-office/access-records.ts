/** Access records, one a request, and the calls of each account by day and endpoint. */
import type { Connection, Queryable } from '../pool.ts';

export const CLIENT_KINDS = ['web', 'api', 'sdk', 'mcp', 'skill', 'bot'] as const;
export type ClientKind = (typeof CLIENT_KINDS)[number];

export interface AccessRecord {
  readonly at: Date;
  /** A browser's own id, or the keyed hash of a script's address and user agent. */
  readonly visitor: string;
  readonly userId: number | null;
  readonly clientKind: ClientKind;
  readonly method: string;
  /** Path template of the route; of a page view the page. */
  readonly path: string;
  readonly isPage: boolean;
  readonly referrer: string | null;
  readonly status: number;
  readonly durationMs: number;
  readonly country: string | null;
}

export async function insertAccessRecords(connection: Connection, records: readonly AccessRecord[]): Promise<void> {
  if (records.length === 0) return;
  const column = <K extends keyof AccessRecord>(name: K) => records.map((record) => record[name]);
  await connection.query(
    `insert into access_records
       (at, visitor, user_id, client_kind, method, path, is_page, referrer, status, duration_ms, country)
     select * from unnest($1::timestamptz[], $2::text[], $3::bigint[], $4::text[], $5::text[], $6::text[], $7::bool[],
       $8::text[], $9::smallint[], $10::real[], $11::text[])`,
    [
      column('at'),
      column('visitor'),
      column('userId'),
      column('clientKind'),
      column('method'),
      column('path'),
      column('isPage'),
      column('referrer'),
      column('status'),
      column('durationMs'),
      column('country'),
    ],
  );
}

export interface AccessSummary extends Pick<AccessRecord, 'at' | 'clientKind' | 'method' | 'path' | 'status'> {
  readonly durationMs: number;
  readonly country: string | null;
}

/** The latest access records of an account, newest first. */
export async function selectLatestAccess(db: Queryable, userId: number, limit: number): Promise<AccessSummary[]> {
  const { rows } = await db.query<AccessSummary>(
    `select at, client_kind as "clientKind", method, path, status, duration_ms as "durationMs", country
     from access_records where user_id = $1 order by id desc limit $2`,
    [userId, limit],
  );
  return rows;
}

/** An account's calls by day and endpoint since a day (YYYY-MM-DD, UTC). */
export async function selectUsage(
  db: Queryable,
  userId: number,
  since: string,
): Promise<{ day: string; endpoint: string; calls: number }[]> {
  const { rows } = await db.query(
    'select day, endpoint, calls from daily_usage where user_id = $1 and day >= $2 order by day, endpoint',
    [userId, since],
  );
  return rows;
}
