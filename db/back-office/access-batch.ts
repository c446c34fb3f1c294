/** Writes what requests leave behind, in batches: access records, visit counts, usage, and last uses of keys. */
import { type Pool, statementOf } from '../pool.ts';
import type { AccessRecord } from './access-records.ts';
import { PAGE_VISITORS } from './visit-counts.ts';

/** A served request. */
export interface ServedRequest extends Omit<AccessRecord, 'at'> {
  /** Unix milliseconds. */
  readonly at: number;
  /** The API key that the request came with. */
  readonly apiKeyId: number | null;
  /** Whether it only counts in its day, without a record or a visitor. */
  readonly isOnlyCounted: boolean;
  /** Whether it counts in the usage of its account. */
  readonly isUsage: boolean;
}

/**
 * Every part waits for `alive`, which locks the accounts in order, and rows are written in order: two batches never deadlock,
 * nor does a batch with the deletion of an account.
 */
const INSERT_BATCH = `
  with request as materialized (
    select to_timestamp(at_ms / 1000) as at, (to_timestamp(at_ms / 1000) at time zone 'UTC')::date as day, visitor, user_id,
      api_key_id, client_kind, method, path, is_page, referrer, status, duration_ms, country, is_only_counted, is_usage
    from unnest($1::float8[], $2::text[], $3::bigint[], $4::bigint[], $5::text[], $6::text[], $7::text[], $8::bool[],
      $9::text[], $10::smallint[], $11::float8[], $12::text[], $13::bool[], $14::bool[])
      r (at_ms, visitor, user_id, api_key_id, client_kind, method, path, is_page, referrer, status, duration_ms, country,
        is_only_counted, is_usage)),
  alive as materialized (
    select id from users where id = any (array(select distinct user_id from request where user_id is not null))
    order by id for key share),
  kept as materialized (
    select * from request where user_id is null or user_id in (select id from alive)),
  recorded as (
    insert into access_records
      (at, visitor, user_id, client_kind, method, path, is_page, referrer, status, duration_ms, country)
    select at, visitor, user_id, client_kind, method, path, is_page, referrer, status, duration_ms, country
    from kept where not is_only_counted),
  added_access as (
    insert into daily_access as d (day, client_kind, method, path, is_page, calls, errors, timed_calls, timed_ms)
    select day, client_kind, method, path, is_page, count(*), count(*) filter (where status >= 400),
      count(*) filter (where status = 200), coalesce(sum(duration_ms) filter (where status = 200), 0)
    from kept group by 1, 2, 3, 4, 5 order by 1, 2, 3, 4, 5
    on conflict (day, client_kind, method, path, is_page) do update set calls = d.calls + excluded.calls,
      errors = d.errors + excluded.errors, timed_calls = d.timed_calls + excluded.timed_calls,
      timed_ms = d.timed_ms + excluded.timed_ms),
  seen_on_page as (
    insert into page_visitors
    select distinct day, visitor from kept where is_page and not is_only_counted order by 1, 2
    on conflict do nothing returning day),
  added_page_visitors as (
    insert into daily_page_visitors as d select day, count(*) from seen_on_page group by day order by day
    on conflict (day) do update set visitors = d.visitors + excluded.visitors),
  seen_visitors as (
    insert into visitors as v (scope, visitor, last_day)
    select scope, visitor, max(day) from (
      select client_kind as scope, visitor, day from kept where not is_only_counted
      union all select $15::text, visitor, day from kept where is_page and not is_only_counted) s
    group by 1, 2 order by 1, 2
    on conflict (scope, visitor) do update set last_day = excluded.last_day where excluded.last_day > v.last_day),
  seen_users as (
    insert into visiting_users as v (user_id, client_kind, last_day)
    select user_id, client_kind, max(day) from kept where user_id is not null and not is_only_counted
    group by 1, 2 order by 1, 2
    on conflict (user_id, client_kind) do update set last_day = excluded.last_day where excluded.last_day > v.last_day),
  added_usage as (
    insert into daily_usage as d (user_id, day, endpoint, calls)
    select user_id, day, path, count(*) from kept where is_usage and user_id is not null group by 1, 2, 3 order by 1, 2, 3
    on conflict (user_id, day, endpoint) do update set calls = d.calls + excluded.calls)
  update api_keys k set last_used_at = greatest(k.last_used_at, u.at)
  from (select api_key_id, max(at) as at from kept where api_key_id is not null group by 1 order by 1) u
  where k.id = u.api_key_id`;

/**
 * Writes all of a batch or nothing, so that a failed batch can be written again. Drops what belongs to accounts that were deleted
 * meanwhile.
 */
export async function insertAccessBatch(pool: Pool, requests: readonly ServedRequest[]): Promise<void> {
  if (requests.length === 0) return;
  const column = <K extends keyof ServedRequest>(name: K) => requests.map((request) => request[name]);
  await pool.query(
    statementOf(INSERT_BATCH, [
      column('at'),
      column('visitor'),
      column('userId'),
      column('apiKeyId'),
      column('clientKind'),
      column('method'),
      column('path'),
      column('isPage'),
      column('referrer'),
      column('status'),
      column('durationMs'),
      column('country'),
      column('isOnlyCounted'),
      column('isUsage'),
      PAGE_VISITORS,
    ]),
  );
}
