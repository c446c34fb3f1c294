/** Writes the records of requests in batches: access records, visit counts, usage, and last uses of keys. */
import { namedStatement, type Pool } from '../pool.ts';
import type { AccessRecord } from './access-records.ts';
import { PAGE_VISITORS } from './visit-counts.ts';

/** Served requests of one UTC day that differ in their times only. */
export interface RequestGroup extends Omit<AccessRecord, 'at' | 'durationMs'> {
  /** Unix milliseconds of each request, in the order in which they were served; at least one. */
  readonly at: readonly number[];
  /** How long each took. */
  readonly durationMs: readonly number[];
  /** The API key that they came with. */
  readonly apiKeyId: number | null;
  /** Whether they count as a use of their account and key; false where a use in the same minute and day is known. */
  readonly isUse: boolean;
  /** Whether they only count in their day, without a record or a visitor. */
  readonly isOnlyCounted: boolean;
  /** Whether they count in the usage of their account. */
  readonly isUsage: boolean;
}

/**
 * Every part waits for `alive`, which locks the accounts in order, and rows are written in order: two batches never deadlock,
 * nor does a batch with the deletion of an account. Rows that stay as they are get no lock.
 */
const INSERT_BATCH = `
  with request as materialized (
    select to_timestamp(at_ms / 1000) as at, (to_timestamp(at_ms / 1000) at time zone 'UTC')::date as day, duration_ms,
      earlier_ms_ago::int[], earlier_duration_ms::real[], calls, total_ms, visitor, user_id, api_key_id, client_kind, method,
      path, is_page, referrer, status, country, is_only_counted, is_usage, is_use
    from unnest($1::float8[], $2::real[], $3::text[], $4::text[], $5::int[], $6::float8[], $7::text[], $8::bigint[],
      $9::bigint[], $10::text[], $11::text[], $12::text[], $13::bool[], $14::text[], $15::smallint[], $16::text[],
      $17::bool[], $18::bool[], $19::bool[])
      r (at_ms, duration_ms, earlier_ms_ago, earlier_duration_ms, calls, total_ms, visitor, user_id, api_key_id, client_kind,
        method, path, is_page, referrer, status, country, is_only_counted, is_usage, is_use)),
  alive as materialized (
    select id from users where id = any (array(select distinct user_id from request where user_id is not null))
    order by id for key share),
  kept as materialized (
    select * from request where user_id is null or user_id in (select id from alive)),
  recorded as (
    insert into access_records (at, visitor, user_id, client_kind, method, path, is_page, referrer, status, duration_ms,
      country, earlier_ms_ago, earlier_duration_ms)
    select at, visitor, user_id, client_kind, method, path, is_page, referrer, status, duration_ms, country, earlier_ms_ago,
      earlier_duration_ms
    from kept where not is_only_counted),
  added_access as (
    insert into daily_access as d (day, client_kind, method, path, is_page, calls, errors, timed_calls, timed_ms)
    select day, client_kind, method, path, is_page, sum(calls), coalesce(sum(calls) filter (where status >= 400), 0),
      coalesce(sum(calls) filter (where status = 200), 0), coalesce(sum(total_ms) filter (where status = 200), 0)
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
    select scope, visitor, day from (
      select scope, visitor, max(day) as day from (
        select client_kind as scope, visitor, day from kept where not is_only_counted
        union all select $20::text, visitor, day from kept where is_page and not is_only_counted) s
      group by 1, 2) s
    where not exists (select from visitors k where k.scope = s.scope and k.visitor = s.visitor and k.last_day >= s.day)
    order by 1, 2
    on conflict (scope, visitor) do update set last_day = excluded.last_day where excluded.last_day > v.last_day),
  seen_users as (
    insert into visiting_users as v (user_id, client_kind, last_day)
    select user_id, client_kind, day from (
      select user_id, client_kind, max(day) as day from kept where is_use and user_id is not null and not is_only_counted
      group by 1, 2) s
    where not exists (
      select from visiting_users k where k.user_id = s.user_id and k.client_kind = s.client_kind and k.last_day >= s.day)
    order by 1, 2
    on conflict (user_id, client_kind) do update set last_day = excluded.last_day where excluded.last_day > v.last_day),
  added_usage as (
    insert into daily_usage as d (user_id, day, endpoint, calls)
    select user_id, day, path, sum(calls) from kept where is_usage and user_id is not null group by 1, 2, 3 order by 1, 2, 3
    on conflict (user_id, day, endpoint) do update set calls = d.calls + excluded.calls)
  update api_keys k set last_used_at = greatest(k.last_used_at, u.at)
  from (select api_key_id, max(at) as at from kept where is_use and api_key_id is not null group by 1 order by 1) u
  where k.id = u.api_key_id`;

/** PostgreSQL's text of an array of numbers; null: there is none. */
const arrayText = (numbers: readonly number[]) => (numbers.length === 0 ? null : `{${numbers.join()}}`);

/** The times of equal requests as a row has them: those of the newest one, of the earlier ones, and of all. */
function timesOf({ at, durationMs }: RequestGroup) {
  const last = at.length - 1;
  const newest = at[last];
  const earlierMsAgo: number[] = [];
  const earlierDurationMs: number[] = [];
  for (let i = last - 1; i >= 0; i--) {
    earlierMsAgo.push(Math.round(newest - at[i]));
    earlierDurationMs.push(durationMs[i]);
  }
  return {
    at: newest,
    durationMs: durationMs[last],
    earlierMsAgo: arrayText(earlierMsAgo),
    earlierDurationMs: arrayText(earlierDurationMs),
    totalMs: durationMs.reduce((sum, ms) => sum + ms, 0),
  };
}

/**
 * Writes all of a batch or nothing, so that a failed batch can be written again. Drops what belongs to accounts that were deleted
 * meanwhile.
 */
export async function insertAccessBatch(pool: Pool, batch: readonly RequestGroup[]): Promise<void> {
  if (batch.length === 0) return;
  const times = batch.map(timesOf);
  const column = <K extends keyof RequestGroup>(name: K) => batch.map((requests) => requests[name]);
  await pool.query(
    namedStatement(INSERT_BATCH, [
      times.map(({ at }) => at),
      times.map(({ durationMs }) => durationMs),
      times.map(({ earlierMsAgo }) => earlierMsAgo),
      times.map(({ earlierDurationMs }) => earlierDurationMs),
      batch.map(({ at }) => at.length),
      times.map(({ totalMs }) => totalMs),
      column('visitor'),
      column('userId'),
      column('apiKeyId'),
      column('clientKind'),
      column('method'),
      column('path'),
      column('isPage'),
      column('referrer'),
      column('status'),
      column('country'),
      column('isOnlyCounted'),
      column('isUsage'),
      column('isUse'),
      PAGE_VISITORS,
    ]),
  );
}
