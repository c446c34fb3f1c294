/**
 * The sliding windows of the limiter: a row for each key, which all API processes share. Time is the limiter's own
 * (`limiter_clock`); the clocks of processes do not matter.
 *
 * A window has 60 buckets, and a row remembers 62: 61 cover every moment of the last window, and one more covers the second that
 * may pass until a granted unit is used. So no window holds more calls than the limit, and a call may leave the count up to two
 * buckets (1/30 of the window) late. The row holds running totals, so that the units of a window are a difference.
 */

import type { Queryable } from '../pool.ts';
import type { Selected } from '../schema/columns.ts';
import { type Rows, selection } from '../schema/tables.ts';

export const BUCKETS_PER_WINDOW = 60;
/** Buckets whose units count. */
export const COUNTED_BUCKETS = BUCKETS_PER_WINDOW + 2;
/** A granted unit is used within so many seconds or not at all. No bucket is shorter. */
export const USE_WITHIN_SECONDS = 1;

/** The columns of a key's row that the limiter decides by. */
export interface StoredWindow {
  /** The newest bucket: limiter seconds divided by the length of a bucket. */
  readonly bucket: number;
  /** Units granted until the end of each bucket, the newest first. Those of a bucket are the difference to the next element. */
  readonly totals: readonly number[];
}

export interface Take {
  readonly key: string;
  /** Units per window, at least 1. */
  readonly limit: number;
  readonly windowSeconds: number;
  readonly units: number;
}

export interface Taken extends StoredWindow {
  readonly key: string;
  /** How many of the units were granted. */
  readonly granted: number;
}

/** Seconds for which the database's wall clock is trusted after a process has set the time. */
const TRUSTED_SECONDS = 2;
const WALL = `date_part('epoch', clock_timestamp())`;
/** SQL: the limiter's time now, from the row `c` of its clock. A step of the wall clock moves it by at most two seconds. */
const NOW = `(c.anchor + least(${TRUSTED_SECONDS}, greatest(0, ${WALL} - c.anchor_at)))`;

/** SQL: buckets that have begun since the row was written. */
const PASSED = `greatest(0, least(excluded.bucket - r.bucket, ${COUNTED_BUCKETS}))::int`;
const USED = `r.totals[1] - coalesce(r.totals[${COUNTED_BUCKETS + 1} - ${PASSED}], 0)`;
const GRANTED = `greatest(0, least(excluded.granted, excluded.call_limit - (${USED})))`;

/** SQL: takes units from the rows of distinct keys, as many as are left. Concurrent statements wait for the lock of the row. */
const take = (takes: string) => `
  insert into rate_limits as r (key, bucket_seconds, call_limit, bucket, granted, totals)
  select key, size, call_limit, floor(${NOW} / size), least(units, call_limit), array[least(units, call_limit)]
  from ${takes} t (key, size, call_limit, units), limiter_clock c
  on conflict (key) do update set
    bucket = greatest(r.bucket, excluded.bucket),
    call_limit = excluded.call_limit,
    granted = ${GRANTED},
    totals = (r.totals[1] + ${GRANTED}) || array_fill(r.totals[1], array[${PASSED}])
      || r.totals[2:${COUNTED_BUCKETS + 1} - ${PASSED}]
  returning key, granted, bucket, totals`;

/** Takes units for one key, without the cost of arrays. */
const TAKE_ONE = take('(values ($1::text, $2::float8, $3::int, $4::int))');
const TAKE_MANY = take('unnest($1::text[], $2::float8[], $3::int[], $4::int[])');

/**
 * Takes units in one statement, exactly for any number of processes, and returns the row of each key in any order. Keys are distinct;
 * they are locked in order, so that two processes with the same keys cannot deadlock.
 */
export async function takeFromWindows(db: Queryable, takes: readonly Take[]): Promise<Taken[]> {
  const sorted = takes.toSorted((a, b) => (a.key < b.key ? -1 : 1));
  const columns = [
    sorted.map(({ key }) => key),
    sorted.map(({ windowSeconds }) => windowSeconds / BUCKETS_PER_WINDOW),
    sorted.map(({ limit }) => limit),
    sorted.map(({ units }) => units),
  ];
  const { rows } = await db.query<Taken>(
    takes.length === 1
      ? { name: 'rate_limit_take_one', text: TAKE_ONE, values: columns.flat() }
      : { name: 'rate_limit_take_many', text: TAKE_MANY, values: columns },
  );
  return rows;
}

/** Units to be removed from the bucket that they were counted in; a negative number adds some. */
export interface Return {
  readonly key: string;
  readonly bucket: number;
  readonly units: number;
}

/**
 * Removes units that were not used, as many as the bucket has, and adds units that were granted elsewhere. Buckets that no
 * longer count are not changed.
 */
export async function returnToWindows(db: Queryable, returns: readonly Return[]): Promise<Map<string, StoredWindow>> {
  const { rows } = await db.query<StoredWindow & { readonly key: string }>({
    name: 'rate_limit_return',
    text: `with held as materialized (
        select r.key, r.totals, t.units, greatest(1, r.bucket - t.bucket + 1)::int as n
        from unnest($1::text[], $2::bigint[], $3::int[]) t (key, bucket, units)
        join rate_limits r using (key)
        where r.bucket - t.bucket < ${COUNTED_BUCKETS}
        order by r.key for update of r),
      returned as materialized (
        select key, max(n) as last, array_agg(n) as buckets,
          array_agg(least(units, coalesce(totals[n], 0) - coalesce(totals[n + 1], 0))) as units
        from held group by key)
      update rate_limits r set totals = array(
        select (coalesce(r.totals[n], 0) - (select sum(b.units) from unnest(t.buckets, t.units) b (n, units) where b.n >= i.n))::bigint
        from generate_series(1, t.last) i (n) order by n) || r.totals[t.last + 1:]
      from returned t
      where r.key = t.key
      returning r.key, r.bucket, r.totals`,
    values: [returns.map(({ key }) => key), returns.map(({ bucket }) => bucket), returns.map(({ units }) => units)],
  });
  return new Map(rows.map((row) => [row.key, row]));
}

const WINDOW = selection('rate_limits', { key: 'key', bucket: 'bucket', totals: 'totals' });

/** Reads windows without taking from them, by key. Keys without recent use have none. */
export async function selectWindows(db: Queryable, keys: readonly string[]): Promise<Map<string, StoredWindow>> {
  const { rows } = await db.query<Selected<typeof WINDOW>>(
    `select ${WINDOW.sql} from rate_limits where key = any($1)`,
    [keys],
  );
  return new Map(rows.map((row) => [row.key, row]));
}

/** Deletes all units of a key. */
export async function clearWindow(db: Queryable, key: string): Promise<void> {
  await db.query('delete from rate_limits where key = $1', [key]);
}

/**
 * Moves the limiter's clock forward to at least `seconds` and returns its time. Between two calls, the database's wall clock
 * moves it by at most two seconds, and never back.
 */
export async function advanceLimiterClock(db: Queryable, seconds: number): Promise<number> {
  const { rows } = await db.query<Pick<Rows['limiter_clock'], 'anchor'>>(
    `update limiter_clock c set seconds = greatest($1, c.seconds, ${NOW}), anchor = greatest($1, c.seconds, ${NOW}),
       anchor_at = ${WALL}
     returning anchor`,
    [seconds],
  );
  return rows[0].anchor;
}

/** Deletes keys whose units have all left their window. */
export async function deleteIdleWindows(db: Queryable): Promise<number> {
  const { rowCount } = await db.query(
    `delete from rate_limits
     where (bucket + ${COUNTED_BUCKETS}) * bucket_seconds < (select seconds from limiter_clock)`,
  );
  return rowCount ?? 0;
}
