/** The decisions of the rate limiter, from the stored window of a key and the time: pure functions. */
import { BUCKETS_PER_WINDOW, COUNTED_BUCKETS, type StoredWindow } from '../../db/accounts/rate-limits.ts';

export interface Rule {
  readonly limit: number;
  readonly windowSeconds: number;
}

/** The state of a limit after a call, as the response headers report it. */
export interface RateLimitResult {
  readonly isAllowed: boolean;
  readonly remaining: number;
  /** Seconds from now until all calls so far have left the window. */
  readonly resetAfter: number;
  /** Seconds from now until a call is allowed again; 0 if this one is. */
  readonly retryAfter: number;
  /** The bucket that the call was counted in. */
  readonly bucket: number;
}

export const bucketSeconds = ({ windowSeconds }: Pick<Rule, 'windowSeconds'>) => windowSeconds / BUCKETS_PER_WINDOW;

const sum = ({ totals }: StoredWindow, passed: number) => totals[0] - (totals[COUNTED_BUCKETS - passed] ?? 0);

/** The units in the window when `bucket` is the present one. */
function usedUnits(window: StoredWindow, bucket: number): number {
  return sum(window, Math.min(Math.max(0, bucket - window.bucket), COUNTED_BUCKETS));
}

/** Takes up to `units`, by the same rule as the statement on the shared row. */
export function takeUnits(
  window: StoredWindow,
  bucket: number,
  { limit, units }: { readonly limit: number; readonly units: number },
): { readonly granted: number; readonly window: StoredWindow } {
  const granted = Math.max(0, Math.min(units, limit - usedUnits(window, bucket)));
  const passed = Math.min(Math.max(0, bucket - window.bucket), COUNTED_BUCKETS);
  const [total, ...older] = window.totals;
  const before = [...Array<number>(passed).fill(total), ...older].slice(0, COUNTED_BUCKETS);
  return { granted, window: { bucket: Math.max(bucket, window.bucket), totals: [total + granted, ...before] } };
}

/** Adds units to the bucket that they were granted in. */
export function addUnits(window: StoredWindow, bucket: number, units: number): StoredWindow {
  const index = Math.max(0, window.bucket - bucket);
  if (index >= COUNTED_BUCKETS) return window;
  const length = Math.max(window.totals.length, index + 1);
  const totals = Array.from({ length }, (_, i) => (window.totals[i] ?? 0) + (i <= index ? units : 0));
  return { ...window, totals };
}

/** The newest bucket that has units; undefined if none has. */
export function newestUsedBucket({ bucket, totals }: StoredWindow): number | undefined {
  const index = totals.findIndex((total, i) => i < COUNTED_BUCKETS && total > (totals[i + 1] ?? 0));
  return index === -1 ? undefined : bucket - index;
}

export interface Counted {
  /** Limiter seconds. */
  readonly now: number;
  readonly rule: Rule;
  /** The window after the call was counted or refused. */
  readonly window: StoredWindow;
  readonly isAllowed: boolean;
  /** Units that the window counts, granted to later calls of the same statement. */
  readonly unspent?: number;
}

export function decide(counted: Counted): RateLimitResult {
  const { rule, window, isAllowed, unspent = 0 } = counted;
  const { bucket } = window;
  const size = bucketSeconds(rule);
  // The call was just counted in the newest bucket, so the time is within it, even if the clock of the process differs.
  const now = Math.min(Math.max(counted.now, bucket * size), (bucket + 1) * size);
  const resetAfter = (bucket + COUNTED_BUCKETS) * size - now;
  const remaining = isAllowed ? Math.max(0, rule.limit - sum(window, 0) + unspent) : 0;
  if (isAllowed) return { isAllowed, remaining, resetAfter, retryAfter: 0, bucket };
  const wait = Math.ceil((bucket + passedUntilFree(window, rule)) * size - now);
  return { isAllowed, remaining, resetAfter, retryAfter: Math.max(1, wait), bucket };
}

/** Buckets that have to pass until a unit is left. */
function passedUntilFree(window: StoredWindow, { limit }: Rule): number {
  let passed = 0;
  while (passed < COUNTED_BUCKETS && sum(window, passed) >= limit) passed++;
  return passed;
}

/** The state of a window without counting a call: remaining units, and seconds until all of them are available. */
export function windowState({
  now,
  rule,
  window,
}: Pick<Counted, 'now' | 'rule'> & { readonly window: StoredWindow | undefined }): Pick<
  RateLimitResult,
  'remaining' | 'resetAfter'
> {
  if (!window) return { remaining: rule.limit, resetAfter: 0 };
  const size = bucketSeconds(rule);
  const used = usedUnits(window, Math.floor(now / size));
  return {
    remaining: Math.max(0, rule.limit - used),
    resetAfter: used === 0 ? 0 : Math.max(0, (window.bucket + COUNTED_BUCKETS) * size - now),
  };
}
