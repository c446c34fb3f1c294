/** Visits, added up by day as they are recorded, so that a year of them is read quickly. Days are UTC. */

import type { Connection, Queryable } from '../pool.ts';
import type { AccessRecord, ClientKind } from './access-records.ts';

/** Scope of visitors who saw a page. The other scopes are client kinds. */
export const PAGE_VISITORS = 'page';

const dayOf = ({ at }: AccessRecord) => at.toISOString().slice(0, 10);

/**
 * Adds a batch of records, and calls that are only counted, in the transaction of the batch. Rows are written in order, so that
 * two batches never deadlock.
 */
export async function addToVisitCounts(
  connection: Connection,
  records: readonly AccessRecord[],
  onlyCounted: readonly AccessRecord[],
): Promise<void> {
  const counted = [...records, ...onlyCounted];
  if (counted.length > 0) await addAccess(connection, counted);
  if (records.length === 0) return;
  await addPageVisitors(connection, records);
  await seeVisitors(connection, records);
  await seeUsers(connection, records);
}

async function addAccess(connection: Connection, records: readonly AccessRecord[]): Promise<void> {
  await connection.query(
    `insert into daily_access as d (day, client_kind, method, path, is_page, calls, errors, timed_calls, timed_ms)
     select day, kind, method, path, is_page, count(*), count(*) filter (where status >= 400),
       count(*) filter (where status = 200), coalesce(sum(ms) filter (where status = 200), 0)
     from unnest($1::date[], $2::text[], $3::text[], $4::text[], $5::bool[], $6::int[], $7::float8[])
       r (day, kind, method, path, is_page, status, ms)
     group by 1, 2, 3, 4, 5 order by 1, 2, 3, 4, 5
     on conflict (day, client_kind, method, path, is_page) do update set calls = d.calls + excluded.calls,
       errors = d.errors + excluded.errors, timed_calls = d.timed_calls + excluded.timed_calls,
       timed_ms = d.timed_ms + excluded.timed_ms`,
    [
      records.map(dayOf),
      records.map((r) => r.clientKind),
      records.map((r) => r.method),
      records.map((r) => r.path),
      records.map((r) => r.isPage),
      records.map((r) => r.status),
      records.map((r) => r.durationMs),
    ],
  );
}

async function addPageVisitors(connection: Connection, records: readonly AccessRecord[]): Promise<void> {
  const views = records.filter(({ isPage }) => isPage);
  if (views.length === 0) return;
  await connection.query(
    `with fresh as (
       insert into page_visitors
       select distinct day, visitor from unnest($1::date[], $2::text[]) v (day, visitor) order by 1, 2
       on conflict do nothing returning day)
     insert into daily_page_visitors as d select day, count(*) from fresh group by day order by day
     on conflict (day) do update set visitors = d.visitors + excluded.visitors`,
    [views.map(dayOf), views.map((r) => r.visitor)],
  );
}

async function seeVisitors(connection: Connection, records: readonly AccessRecord[]): Promise<void> {
  const seen = records.flatMap((record) => {
    const scopes: string[] = record.isPage ? [record.clientKind, PAGE_VISITORS] : [record.clientKind];
    return scopes.map((scope) => ({ scope, visitor: record.visitor, day: dayOf(record) }));
  });
  await connection.query(
    `insert into visitors as v (scope, visitor, last_day)
     select scope, visitor, max(day) from unnest($1::text[], $2::text[], $3::date[]) s (scope, visitor, day)
     group by 1, 2 order by 1, 2
     on conflict (scope, visitor) do update set last_day = excluded.last_day where excluded.last_day > v.last_day`,
    [seen.map((s) => s.scope), seen.map((s) => s.visitor), seen.map((s) => s.day)],
  );
}

async function seeUsers(connection: Connection, records: readonly AccessRecord[]): Promise<void> {
  const known = records.filter(({ userId }) => userId !== null);
  if (known.length === 0) return;
  await connection.query(
    `insert into visiting_users as v (user_id, client_kind, last_day)
     select id, kind, max(day) from unnest($1::bigint[], $2::text[], $3::date[]) s (id, kind, day)
     group by 1, 2 order by 1, 2
     on conflict (user_id, client_kind) do update set last_day = excluded.last_day
       where excluded.last_day > v.last_day`,
    [known.map((r) => r.userId), known.map((r) => r.clientKind), known.map(dayOf)],
  );
}

/** A record reaches the database within minutes, so visitors of a page on a day are needed for no longer than this. */
const KEPT_DAYS = 7;

export async function deleteOldPageVisitors(db: Queryable, at: Date): Promise<void> {
  await db.query(`delete from page_visitors where day < ($1::timestamptz at time zone 'UTC')::date - ${KEPT_DAYS}`, [
    at,
  ]);
}

export interface DayValue {
  readonly day: string;
  readonly value: number;
}

/** SQL: whether a path belongs to the data API. Other paths belong to the console and the web application. */
const IS_API = `path like '/v1/%'`;

export interface DayOfCalls {
  readonly day: string;
  readonly pageViews: number;
  readonly apiCalls: number;
}

/** Page views and calls of the data API (`/v1`) per day, since a day (YYYY-MM-DD). */
export async function selectCallsPerDay(db: Queryable, since: string): Promise<DayOfCalls[]> {
  const { rows } = await db.query<DayOfCalls>(
    `select day, coalesce(sum(calls) filter (where is_page), 0)::bigint as "pageViews",
       coalesce(sum(calls) filter (where not is_page and ${IS_API}), 0)::bigint as "apiCalls"
     from daily_access where day >= $1 group by day`,
    [since],
  );
  return rows;
}

/** Visitors who saw a page, per day. */
export async function selectPageVisitors(db: Queryable, since: string): Promise<DayValue[]> {
  const { rows } = await db.query<DayValue>('select day, visitors as value from daily_page_visitors where day >= $1', [
    since,
  ]);
  return rows;
}

export interface EndpointCalls {
  readonly method: string;
  readonly path: string;
  readonly isApi: boolean;
  readonly calls: number;
  readonly errors: number;
  /** Answers with status 200, and their total duration. */
  readonly timedCalls: number;
  readonly timedMs: number;
}

/** Calls of every endpoint, most called first. */
export async function selectEndpoints(db: Queryable, since: string): Promise<EndpointCalls[]> {
  const { rows } = await db.query<EndpointCalls>(
    `select method, path, ${IS_API} as "isApi", sum(calls)::bigint as calls,
       sum(errors)::bigint as errors, sum(timed_calls)::bigint as "timedCalls", sum(timed_ms) as "timedMs"
     from daily_access where not is_page and day >= $1 group by method, path order by calls desc, path, method`,
    [since],
  );
  return rows;
}

/** Visitors seen since a day: of pages, and of each client kind. */
export async function countVisitors(
  db: Queryable,
  since: string,
): Promise<Map<ClientKind | typeof PAGE_VISITORS, number>> {
  const { rows } = await db.query<{ scope: ClientKind | typeof PAGE_VISITORS; visitors: number }>(
    'select scope, count(*) as visitors from visitors where last_day >= $1 group by scope',
    [since],
  );
  return new Map(rows.map(({ scope, visitors }) => [scope, visitors]));
}

/** Accounts seen since a day, each once. */
export async function countActiveUsers(db: Queryable, since: string): Promise<number> {
  const { rows } = await db.query<{ users: number }>(
    'select count(distinct user_id) as users from visiting_users where last_day >= $1',
    [since],
  );
  return rows[0].users;
}

export interface ClientVisits {
  readonly kind: ClientKind;
  readonly visits: number;
  readonly users: number;
  /** Most visited first. */
  readonly topPaths: readonly { readonly path: string; readonly visits: number }[];
}

/** Visits of each client kind that has any, with its most visited paths. */
export async function selectClientVisits(db: Queryable, since: string, topPaths: number): Promise<ClientVisits[]> {
  const { rows } = await db.query<ClientVisits>(
    `with per_path as (
       select client_kind, path, sum(calls)::bigint as visits from daily_access where day >= $1 group by 1, 2),
     ranked as (
       select *, row_number() over (partition by client_kind order by visits desc, path) as place from per_path),
     users as (
       select client_kind, count(*) as users from visiting_users where last_day >= $1 group by 1)
     select client_kind as kind, sum(visits)::bigint as visits, coalesce(max(users), 0)::bigint as users,
       jsonb_agg(jsonb_build_object('path', path, 'visits', visits) order by place) filter (where place <= $2) as "topPaths"
     from ranked left join users using (client_kind) group by client_kind`,
    [since, topPaths],
  );
  return rows;
}
