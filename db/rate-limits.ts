/**
 * The sliding-window counter behind the limiter: one row a key, one statement a call, on the database's clock.
 *
 * A window is cut into 60 buckets; the row keeps the calls of the newest 61, which cover every moment of the last
 * window, so no window ever holds more than the limit. The price is that a call is forgotten up to one bucket (1/60 of
 * the window) later than strictly needed.
 */
import type { Queryable } from './pool.ts';

const BUCKETS_PER_WINDOW = 60;

export interface WindowLimit {
  /** Calls per window, at least 1. */
  readonly limit: number;
  readonly windowSeconds: number;
}

export interface TakeResult {
  readonly isAllowed: boolean;
  /** Calls left in the window. */
  readonly remaining: number;
  /** Unix seconds at which all calls so far have left the window. */
  readonly resetAt: number;
  /** Seconds until a call passes again; 0 when this one did. */
  readonly retryAfter: number;
}

/** Prefixing the new count and cutting the old ones slides the window; a clock set back keeps all counts. */
const TAKE = `
  insert into rate_limits as r (key, bucket_seconds, bucket, counts, used, is_allowed)
  values ($1, $3, floor(extract(epoch from clock_timestamp()) / $3::float8)::bigint, array[1], 1, true)
  on conflict (key) do update set (bucket, counts, used, is_allowed) = (
    select excluded.bucket,
           case when w.used < $2 then array[w.counts[1] + 1] || w.counts[2:] else w.counts end,
           case when w.used < $2 then w.used + 1 else w.used end,
           w.used < $2
    from (select s.counts, (select sum(c)::int from unnest(s.counts) c) as used
          from (select case
                  when excluded.bucket <= r.bucket then r.counts
                  when excluded.bucket - r.bucket > ${BUCKETS_PER_WINDOW} then array[0]
                  else (array_fill(0, array[(excluded.bucket - r.bucket)::int]) || r.counts)[1:${BUCKETS_PER_WINDOW + 1}]
                end as counts) s) w)
  returning is_allowed, used, bucket, case when not is_allowed then counts end as counts,
    extract(epoch from clock_timestamp())::float8 as now`;

interface TakeRow {
  readonly is_allowed: boolean;
  readonly used: number;
  readonly bucket: number;
  readonly counts: number[] | null;
  readonly now: number;
}

/** Counts one call against `key`, or refuses it, in one round trip. Exact over any number of processes. */
export async function takeFromWindow(db: Queryable, key: string, window: WindowLimit): Promise<TakeResult> {
  const bucketSeconds = window.windowSeconds / BUCKETS_PER_WINDOW;
  const { rows } = await db.query<TakeRow>({
    name: 'rate_limit_take',
    text: TAKE,
    values: [key, window.limit, bucketSeconds],
  });
  const row = rows[0];
  const leavesAt = (ageInBuckets: number) => (row.bucket - ageInBuckets + BUCKETS_PER_WINDOW + 1) * bucketSeconds;
  const oldest = row.counts ? row.counts.findLastIndex((count) => count > 0) : 0;
  return {
    isAllowed: row.is_allowed,
    remaining: Math.max(0, window.limit - row.used),
    resetAt: Math.ceil(leavesAt(0)),
    retryAfter: row.is_allowed ? 0 : Math.max(1, Math.ceil(leavesAt(oldest) - row.now)),
  };
}

/** Forgets keys whose calls have all left their window. */
export async function deleteIdleWindows(db: Queryable): Promise<number> {
  const { rowCount } = await db.query(
    `delete from rate_limits
     where (bucket + ${BUCKETS_PER_WINDOW + 1}) * bucket_seconds < extract(epoch from clock_timestamp())`,
  );
  return rowCount ?? 0;
}
