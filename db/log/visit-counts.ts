/** Visits, added up by day as they are recorded, so that a year of them is read quickly. Days are UTC. */

import type { Queryable } from '../pool.ts';
import type { ClientKind } from './access-records.ts';

/** Scope of visitors who saw a page. The other scopes are client kinds. */
export const PAGE_VISITORS = 'page';

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
