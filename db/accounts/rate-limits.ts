/**
 * The sliding-window counters behind the limiter: one row a key, one statement for any number of keys. Time is the
 * limiter's own (`limiter_clock`), read by the statement itself: no clock of a process takes part in counting.
 *
 * A window is cut into 60 buckets; the row keeps the calls of the newest 61, which cover every moment of the last
 * window, so no window ever holds more than the limit. The price is that a call is forgotten up to one bucket (1/60 of
 * the window) later than strictly needed.
 */
import type { Queryable } from '../pool.ts';

const BUCKETS_PER_WINDOW = 60;
const KEPT = BUCKETS_PER_WINDOW + 1;

export interface WindowTake {
  readonly key: string;
  /** Calls per window, at least 1. */
  readonly limit: number;
  readonly windowSeconds: number;
  /** Calls that ask to pass now. */
  readonly calls: number;
}

export interface TakeResult {
  /** How many of the calls pass. */
  readonly granted: number;
  /** Calls of the window that were left before these. */
  readonly available: number;
  /** Seconds until all calls so far have left the window. */
  readonly resetAfter: number;
  /** Seconds until a call passes again, when one was refused. */
  readonly retryAfter: number;
}

/** Seconds for which the database's wall clock is believed after a process has told the time. */
const TRUSTED_SECONDS = 2;
const WALL = 'extract(epoch from clock_timestamp())::float8';
/** The time of the limiter now, from the row `c` of its clock; a step of the wall clock moves it by two seconds at most. */
const NOW = `(c.anchor + least(${TRUSTED_SECONDS}, greatest(0, ${WALL} - c.anchor_at)))`;

/** Buckets that have passed since the last call. */
const PASSED = `greatest(0, least(excluded.bucket - r.bucket, ${KEPT}))::int`;
/** Calls that are still in the window. */
const STILL_USED = `least(excluded.call_limit, case when excluded.bucket <= r.bucket then r.used
  else calls_within(r.counts, ${KEPT} - ${PASSED}) end)`;
const GRANTED = `least(excluded.used, excluded.call_limit - ${STILL_USED})`;

/**
 * `counts[1]` is the newest bucket. `used` counts the calls that asked, so that it also tells how many were refused;
 * what counts is never more than the limit. One expression per column: a sub-select for all of them costs more than
 * the call itself.
 */
const take = (asked: string) => `
  insert into rate_limits as r (key, bucket_seconds, call_limit, bucket, counts, used)
  select key, size, call_limit, floor(${NOW} / size)::bigint, array[least(calls, call_limit)], calls
  from ${asked} t (key, size, call_limit, calls), limiter_clock c
  on conflict (key) do update set
    bucket = greatest(r.bucket, excluded.bucket),
    used = ${STILL_USED} + excluded.used,
    counts = case when excluded.bucket > r.bucket
      then array[${GRANTED}] || array_fill(0, array[${PASSED} - 1]) || r.counts[1:${KEPT} - ${PASSED}]
      else array[r.counts[1] + ${GRANTED}] || r.counts[2:] end
  returning used, bucket, case when used > call_limit then counts end as counts`;

const TAKE_ONE = take('(values ($1::text, $2::float8, $3::int, $4::int))');
const TAKE_MANY = take('unnest($1::text[], $2::float8[], $3::int[], $4::int[])');

interface TakeRow {
  readonly used: number;
  readonly bucket: number;
  readonly counts: number[] | null;
}

/**
 * Counts calls against their keys in one round trip; exact over any number of processes. Keys must be distinct; they are
 * locked in their order, so that two processes with the same keys never wait for each other in a circle. `at` is the
 * limiter's time in seconds as the process knows it, and only used to tell how long there is to wait.
 */
export async function takeFromWindows(db: Queryable, at: number, takes: readonly WindowTake[]): Promise<TakeResult[]> {
  if (takes.length === 1) return [await takeOne(db, at, takes[0])];
  const order = takes.map((_, i) => i).sort((a, b) => (takes[a].key < takes[b].key ? -1 : 1));
  const sorted = order.map((i) => takes[i]);
  const { rows } = await db.query<TakeRow>({
    name: 'rate_limit_take_many',
    text: TAKE_MANY,
    values: [
      sorted.map((take) => take.key),
      sorted.map((take) => take.windowSeconds / BUCKETS_PER_WINDOW),
      sorted.map((take) => take.limit),
      sorted.map((take) => take.calls),
    ],
  });
  const results: TakeResult[] = new Array(takes.length);
  for (const [row, i] of order.entries()) results[i] = toResult(at, takes[i], rows[row]);
  return results;
}

/** The same for one key, without the cost of lists. */
async function takeOne(db: Queryable, at: number, take: WindowTake): Promise<TakeResult> {
  const { rows } = await db.query<TakeRow>({
    name: 'rate_limit_take_one',
    text: TAKE_ONE,
    values: [take.key, take.windowSeconds / BUCKETS_PER_WINDOW, take.limit, take.calls],
  });
  return toResult(at, take, rows[0]);
}

function toResult(at: number, take: WindowTake, { used, bucket, counts }: TakeRow): TakeResult {
  const { limit, calls, windowSeconds } = take;
  const bucketSeconds = windowSeconds / BUCKETS_PER_WINDOW;
  const available = Math.max(0, limit - (used - calls));
  const now = timeInBucket(at, bucket, bucketSeconds);
  // A bucket's calls leave the window when `KEPT` later ones have begun.
  const oldestAge = counts ? counts.findLastIndex((count) => count > 0) : 0;
  return {
    granted: Math.min(calls, available),
    available,
    resetAfter: (bucket + KEPT) * bucketSeconds - now,
    retryAfter: Math.max(1, Math.ceil((bucket + KEPT - oldestAge) * bucketSeconds - now)),
  };
}

/** The calls have just been counted into `bucket`: a process that believes it to be earlier or later is wrong. */
function timeInBucket(at: number, bucket: number, bucketSeconds: number): number {
  return Math.min(Math.max(at, bucket * bucketSeconds), (bucket + 1) * bucketSeconds);
}

export interface WindowState {
  /** Calls in the window. */
  readonly used: number;
  /** Seconds until all of them have left it. */
  readonly resetAfter: number;
}

/** Reads windows without counting anything. A key without calls is absent. */
export async function peekAtWindows(
  db: Queryable,
  at: number,
  keys: readonly string[],
): Promise<Map<string, WindowState>> {
  const { rows } = await db.query<{ key: string; size: number; bucket: number; counts: number[] }>(
    'select key, bucket_seconds as size, bucket, counts from rate_limits where key = any($1)',
    [keys],
  );
  return new Map(
    rows.map(({ key, size, bucket, counts }) => {
      const passed = Math.min(KEPT, Math.max(0, Math.floor(at / size) - bucket));
      const used = counts.slice(0, KEPT - passed).reduce((sum, count) => sum + count, 0);
      return [key, { used, resetAfter: used === 0 ? 0 : (bucket + KEPT) * size - at }];
    }),
  );
}

/** Takes back the newest call that passed; returns the window after that, null when it holds no call. */
export async function giveBackToWindow(db: Queryable, at: number, key: string): Promise<WindowState | null> {
  const { rows } = await db.query<{ size: number; bucket: number; used: number }>(
    `with newest as materialized (
       select key, (select min(i) from unnest(counts) with ordinality t (calls, i) where calls > 0)::int as i
       from rate_limits where key = $1 for update)
     update rate_limits r set used = least(r.used, r.call_limit) - 1, counts[newest.i] = r.counts[newest.i] - 1
     from newest where r.key = newest.key and newest.i is not null
     returning r.bucket_seconds as size, r.bucket, r.used`,
    [key],
  );
  if (rows.length === 0) return null;
  const [{ size, bucket, used }] = rows;
  return { used, resetAfter: used === 0 ? 0 : Math.max(0, (bucket + KEPT) * size - at) };
}

/** Forgets all calls of a key. */
export async function clearWindow(db: Queryable, key: string): Promise<void> {
  await db.query('delete from rate_limits where key = $1', [key]);
}

/**
 * Tells the shared time how far it is at least (`seconds`), and returns how far it is. Whatever the database's wall clock
 * does between two calls moves it on by two seconds at most, and never back.
 */
export async function advanceLimiterClock(db: Queryable, seconds: number): Promise<number> {
  const { rows } = await db.query<{ anchor: number }>(
    `update limiter_clock c set seconds = greatest($1, c.seconds, ${NOW}), anchor = greatest($1, c.seconds, ${NOW}),
       anchor_at = ${WALL}
     returning anchor`,
    [seconds],
  );
  return rows[0].anchor;
}

/** Forgets keys whose calls have all left their window. */
export async function deleteIdleWindows(db: Queryable): Promise<number> {
  const { rowCount } = await db.query(
    `delete from rate_limits
     where (bucket + ${KEPT}) * bucket_seconds < (select seconds from limiter_clock)`,
  );
  return rowCount ?? 0;
}
