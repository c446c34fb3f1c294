/**
 * The sliding-window counters of the limiter: a row for each key, and one statement for any number of keys. The statement
 * reads the limiter's own clock (`limiter_clock`). No process clock takes part in counting.
 *
 * A window is divided into 60 buckets. A row counts the calls of the newest 62 buckets: 61 cover every moment of the last window,
 * and one more covers the second that may pass between taking a unit and the call that uses it. So no window has more calls than
 * the limit, by the times of the calls. In return, a call leaves the count up to two buckets (1/30 of the window) late.
 */
import type { Selected } from '../columns.ts';
import type { Queryable } from '../pool.ts';
import { type Rows, selection } from '../tables.ts';

const BUCKETS_PER_WINDOW = 60;
const KEPT = BUCKETS_PER_WINDOW + 2;
/** Within so many seconds a unit that was taken ahead is used or given back. No bucket is shorter. */
export const LEASE_SECONDS = 1;

export interface WindowTake {
  readonly key: string;
  /** Calls per window, at least 1. */
  readonly limit: number;
  readonly windowSeconds: number;
  /** Calls that ask to pass. */
  readonly calls: number;
  /**
   * The bucket in which the process last counted the key, if it expects all calls to pass. While that bucket lasts, a lone key is counted by
   * a cheaper statement. A wrong expectation costs that statement and changes no result.
   */
  readonly lastBucket?: number;
}

export interface TakeResult {
  /** How many of the calls pass. */
  readonly granted: number;
  /** Calls that were left in the window before these. */
  readonly available: number;
  /** Seconds until all calls so far have left the window. */
  readonly resetAfter: number;
  /** Seconds until the next call passes, if one was refused. */
  readonly retryAfter: number;
  /** The bucket that the calls were counted in. */
  readonly bucket: number;
}

/** Seconds for which the database's wall clock is trusted after a process has set the time. */
const TRUSTED_SECONDS = 2;
const WALL = `date_part('epoch', clock_timestamp())`;
/** SQL: the limiter's time now, from the row `c` of its clock. A step of the wall clock moves it by at most two seconds. */
const NOW = `(c.anchor + least(${TRUSTED_SECONDS}, greatest(0, ${WALL} - c.anchor_at)))`;

/** SQL: buckets since the last call. */
const PASSED = `least(excluded.bucket - r.bucket, ${KEPT})::int`;
/**
 * SQL: calls that are still in the window. `used` is the sum of `counts` unless it is above `call_limit`, so a caller who calls
 * every second or two needs no sum: only the buckets that leave are subtracted.
 */
const STILL_USED = `least(excluded.call_limit, case
  when excluded.bucket <= r.bucket then r.used
  when r.used > r.call_limit or excluded.bucket - r.bucket > 2 then calls_within(r.counts, ${KEPT} - ${PASSED})
  else r.used - coalesce(r.counts[${KEPT}], 0)
    - case excluded.bucket - r.bucket when 2 then coalesce(r.counts[${KEPT - 1}], 0) else 0 end end)`;
const GRANTED = `least(excluded.used, excluded.call_limit - ${STILL_USED})`;

/**
 * SQL. `counts[1]` is the newest bucket. `used` counts all calls that asked, which also tells how many were refused; `counts`
 * never exceed the limit. Each column has its own expression, because a subselect for all of them costs more than the call.
 * `call_limit` is the lowest limit since the last sum, so that `used` above it means that the two differ.
 */
const take = (asked: string) => `
  insert into rate_limits as r (key, bucket_seconds, call_limit, bucket, counts, used)
  select key, size, call_limit, floor(${NOW} / size)::bigint, array[least(calls, call_limit)], calls
  from ${asked} t (key, size, call_limit, calls), limiter_clock c
  on conflict (key) do update set
    bucket = greatest(r.bucket, excluded.bucket),
    call_limit = case when excluded.bucket > r.bucket then excluded.call_limit
      else least(r.call_limit, excluded.call_limit) end,
    used = ${STILL_USED} + excluded.used,
    counts = array[${GRANTED} + case when excluded.bucket > r.bucket then 0 else r.counts[1] end]
      || case when excluded.bucket > r.bucket
        then array_fill(0, array[${PASSED} - 1]) || r.counts[1:${KEPT} - ${PASSED}] else r.counts[2:] end
  returning used, bucket, case when used > call_limit then counts end as counts`;

const TAKE_ONE = take('(values ($1::text, $2::float8, $3::int, $4::int))');
const TAKE_MANY = take('unnest($1::text[], $2::float8[], $3::int[], $4::int[])');

/**
 * SQL: adds all calls to a row whose newest bucket is the present one and that has room for them. Otherwise it changes nothing, and `take`
 * decides: most of what that costs is starting the expressions for calls that leave the window or do not pass.
 */
const ADD = `
  update rate_limits r set used = r.used + $4, counts[1] = r.counts[1] + $4
  from limiter_clock c
  where r.key = $1 and r.bucket >= floor(${NOW} / $2::float8) and r.used + $4 <= $3::int
  returning r.used, r.bucket`;

interface TakeRow {
  readonly used: number;
  readonly bucket: number;
  /** Only if there may be refused calls. */
  readonly counts?: number[] | null;
}

/**
 * Counts calls against their keys in one round trip (two if `lastBucket` is wrong), exactly for any number of processes. Keys must be distinct. They are
 * locked in order, so that two processes with the same keys cannot deadlock. `at` is the limiter's time in seconds as the
 * process knows it; it only serves to compute the waiting times.
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

/** The same for one key, without the cost of arrays. */
async function takeOne(db: Queryable, at: number, take: WindowTake): Promise<TakeResult> {
  const { key, limit, windowSeconds, calls, lastBucket } = take;
  const size = windowSeconds / BUCKETS_PER_WINDOW;
  const values = [key, size, limit, calls];
  if (lastBucket !== undefined && lastBucket >= Math.floor(at / size)) {
    const { rows } = await db.query<TakeRow>({ name: 'rate_limit_add', text: ADD, values });
    if (rows.length > 0) return toResult(at, take, rows[0]);
  }
  const { rows } = await db.query<TakeRow>({ name: 'rate_limit_take_one', text: TAKE_ONE, values });
  return toResult(at, take, rows[0]);
}

function toResult(at: number, take: WindowTake, { used, bucket, counts }: TakeRow): TakeResult {
  const { limit, calls, windowSeconds } = take;
  const bucketSeconds = windowSeconds / BUCKETS_PER_WINDOW;
  const available = Math.max(0, limit - (used - calls));
  const now = timeInBucket(at, bucket, bucketSeconds);
  // The calls of a bucket leave the window when `KEPT` later buckets have begun.
  const oldestAge = counts ? counts.findLastIndex((count) => count > 0) : 0;
  return {
    granted: Math.min(calls, available),
    available,
    resetAfter: (bucket + KEPT) * bucketSeconds - now,
    retryAfter: Math.max(1, Math.ceil((bucket + KEPT - oldestAge) * bucketSeconds - now)),
    bucket,
  };
}

/** The calls were just counted into `bucket`, so the time is within it, whatever the process believes. */
function timeInBucket(at: number, bucket: number, bucketSeconds: number): number {
  return Math.min(Math.max(at, bucket * bucketSeconds), (bucket + 1) * bucketSeconds);
}

export interface WindowState {
  /** Calls in the window. */
  readonly used: number;
  /** Seconds until all of them have left it. */
  readonly resetAfter: number;
}

const WINDOW = selection('rate_limits', {
  key: 'key',
  size: 'bucket_seconds',
  bucket: 'bucket',
  counts: 'counts',
});

/** Reads windows without counting a call, by key, without keys that have no calls. */
export async function peekAtWindows(
  db: Queryable,
  at: number,
  keys: readonly string[],
): Promise<Map<string, WindowState>> {
  const { rows } = await db.query<Selected<typeof WINDOW>>(
    `select ${WINDOW.sql} from rate_limits where key = any($1)`,
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

/** SQL: the sum of `counts`. */
const SUM = `case when r.used > r.call_limit then calls_within(r.counts, ${KEPT}) else r.used end`;

/** Removes the newest call that passed. Returns the window afterwards; null when it has no call to remove. */
export async function giveBackToWindow(db: Queryable, at: number, key: string): Promise<WindowState | null> {
  const { rows } = await db.query<Pick<Rows['rate_limits'], 'bucket' | 'used'> & { readonly size: number }>(
    `with newest as materialized (
       select key, (select min(i) from unnest(counts) with ordinality t (calls, i) where calls > 0)::int as i
       from rate_limits where key = $1 for update)
     update rate_limits r set used = ${SUM} - 1, counts[newest.i] = r.counts[newest.i] - 1
     from newest where r.key = newest.key and newest.i is not null
     returning r.bucket_seconds as size, r.bucket, r.used`,
    [key],
  );
  if (rows.length === 0) return null;
  const [{ size, bucket, used }] = rows;
  return { used, resetAfter: used === 0 ? 0 : Math.max(0, (bucket + KEPT) * size - at) };
}

/** Units of a key that were counted in a bucket and never used. */
export interface Reservation {
  readonly key: string;
  readonly bucket: number;
  readonly units: number;
}

/** Removes unused units from the buckets that they were counted in; those of forgotten buckets are gone already. */
export async function giveBackReservations(db: Queryable, reservations: readonly Reservation[]): Promise<void> {
  await db.query({
    name: 'rate_limit_give_back',
    text: `with held as materialized (
        select r.key, t.units, (r.bucket - t.bucket)::int + 1 as i
        from unnest($1::text[], $2::bigint[], $3::int[]) t (key, bucket, units)
        join rate_limits r using (key)
        where r.bucket - t.bucket between 0 and ${KEPT - 1}
        order by r.key for update of r)
      update rate_limits r
      set used = ${SUM} - least(r.counts[held.i], held.units),
        counts[held.i] = greatest(0, r.counts[held.i] - held.units)
      from held where r.key = held.key and r.counts[held.i] > 0`,
    values: [
      reservations.map(({ key }) => key),
      reservations.map(({ bucket }) => bucket),
      reservations.map(({ units }) => units),
    ],
  });
}

/** Deletes all calls of a key. */
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

/** Deletes keys whose calls have all left their window. */
export async function deleteIdleWindows(db: Queryable): Promise<number> {
  const { rowCount } = await db.query(
    `delete from rate_limits
     where (bucket + ${KEPT}) * bucket_seconds < (select seconds from limiter_clock)`,
  );
  return rowCount ?? 0;
}
