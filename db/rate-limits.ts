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

const KEPT = BUCKETS_PER_WINDOW + 1;
/** Buckets that have passed since the last call; a clock set back counts as none and keeps all counts. */
const PASSED = `greatest(0, least(excluded.bucket - r.bucket, ${KEPT}))::int`;
/** Calls of the last call's buckets that are still in the window. */
const STILL_USED = `case when excluded.bucket <= r.bucket then r.used
  else (select coalesce(sum(c), 0)::int from unnest(r.counts[1:${KEPT} - ${PASSED}]) c) end`;

/**
 * `counts[1]` is the newest bucket. `used` is limit + 1 after a refused call, which tells it from the last call that
 * passed. Everything is one expression per column: a sub-select for all of them costs more than the call itself.
 */
const TAKE = `
  insert into rate_limits as r (key, bucket_seconds, bucket, counts, used)
  values ($1, $3, floor(date_part('epoch', clock_timestamp()) / $3::float8)::bigint, array[1], 1)
  on conflict (key) do update set
    bucket = excluded.bucket,
    used = least(${STILL_USED}, $2::int) + 1,
    counts = case
      when excluded.bucket > r.bucket then
        array[case when (${STILL_USED}) < $2::int then 1 else 0 end]
        || array_fill(0, array[${PASSED} - 1]) || r.counts[1:${KEPT} - ${PASSED}]
      when r.used < $2::int then array[r.counts[1] + 1] || r.counts[2:]
      else r.counts end
  returning used, bucket, case when used > $2::int then counts end as counts`;

interface TakeRow {
  readonly used: number;
  readonly bucket: number;
  readonly counts: number[] | null;
}

/** Counts one call against `key`, or refuses it, in one round trip. Exact over any number of processes. */
export async function takeFromWindow(db: Queryable, key: string, window: WindowLimit): Promise<TakeResult> {
  const bucketSeconds = window.windowSeconds / BUCKETS_PER_WINDOW;
  const { rows } = await db.query<TakeRow>({
    name: 'rate_limit_take',
    text: TAKE,
    values: [key, window.limit, bucketSeconds],
  });
  const { used, bucket, counts } = rows[0];
  const isAllowed = used <= window.limit;
  // A bucket's calls leave the window when `KEPT` later ones have begun.
  const oldestAge = counts ? counts.findLastIndex((count) => count > 0) : 0;
  return {
    isAllowed,
    remaining: Math.max(0, window.limit - used),
    resetAt: Math.ceil((bucket + KEPT) * bucketSeconds),
    retryAfter: isAllowed ? 0 : Math.max(1, Math.ceil((KEPT - oldestAge) * bucketSeconds)),
  };
}

/** Forgets keys whose calls have all left their window. */
export async function deleteIdleWindows(db: Queryable): Promise<number> {
  const { rowCount } = await db.query(
    `delete from rate_limits
     where (bucket + ${KEPT}) * bucket_seconds < extract(epoch from clock_timestamp())`,
  );
  return rowCount ?? 0;
}
