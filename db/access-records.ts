/** Access records: one a request, written in batches; and the calls of each account by day and endpoint. */
import { saveLastUses } from './api-keys.ts';
import { type Connection, type Pool, type Queryable, transaction } from './pool.ts';
import { addToVisitCounts } from './visit-counts.ts';

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

/** Calls of one account to one endpoint on one day (UTC). */
export interface UsageCount {
  readonly userId: number;
  readonly day: string;
  readonly endpoint: string;
  readonly calls: number;
}

export interface AccessBatch {
  readonly records: readonly AccessRecord[];
  /** Calls that are added up by day and leave no record and no visitor. */
  readonly onlyCounted: readonly AccessRecord[];
  readonly usage: readonly UsageCount[];
  /** When each key (by id) was last used. */
  readonly lastUses: ReadonlyMap<number, Date>;
}

/** Writes a batch whole or not at all, so that one that failed can be written again. What belongs to an account that was deleted meanwhile is dropped. */
export async function insertAccessBatch(
  pool: Pool,
  { records, onlyCounted, usage, lastUses }: AccessBatch,
): Promise<void> {
  await transaction(pool, async (connection) => {
    const ids = new Set([...records.map((r) => r.userId), ...usage.map((u) => u.userId)]);
    const alive = await lockExistingUsers(
      connection,
      [...ids].filter((id) => id !== null),
    );
    const kept = records.filter(({ userId }) => userId === null || alive.has(userId));
    await insertRecords(connection, kept);
    await addToVisitCounts(connection, kept, onlyCounted);
    await addUsage(
      connection,
      usage.filter(({ userId }) => alive.has(userId)),
    );
    await saveLastUses(connection, lastUses);
  });
}

async function lockExistingUsers(connection: Connection, ids: readonly number[]): Promise<ReadonlySet<number>> {
  if (ids.length === 0) return new Set();
  const { rows } = await connection.query<{ id: number }>(
    'select id from users where id = any($1::bigint[]) order by id for key share',
    [ids],
  );
  return new Set(rows.map(({ id }) => id));
}

async function insertRecords(connection: Connection, records: readonly AccessRecord[]): Promise<void> {
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

async function addUsage(connection: Connection, usage: readonly UsageCount[]): Promise<void> {
  if (usage.length === 0) return;
  await connection.query(
    `insert into daily_usage as d (user_id, day, endpoint, calls)
     select * from unnest($1::bigint[], $2::date[], $3::text[], $4::bigint[]) order by 1, 2, 3
     on conflict (user_id, day, endpoint) do update set calls = d.calls + excluded.calls`,
    [usage.map((u) => u.userId), usage.map((u) => u.day), usage.map((u) => u.endpoint), usage.map((u) => u.calls)],
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
