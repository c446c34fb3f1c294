import { setTimeout as sleep } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';

export interface Timed<T> {
  readonly value: T;
  /** Whether it was computed by an earlier call. */
  readonly cached: boolean;
}

interface TimedCacheOptions {
  /** Whether the previous value is returned when a new one cannot be computed, or not soon. */
  readonly outlivesFailures?: boolean;
}

/**
 * How long a call waits for a new value if there is a previous one. After a timeout, calls get the previous value at once until a
 * new one is there.
 */
const TIMEOUT_MS = 500;

/** A value that is computed at most once per `maxAgeMs`, and once for concurrent callers. Failures are not cached. */
export function timedCache<T extends object>(
  maxAgeMs: number,
  compute: () => Promise<T>,
  { outlivesFailures = false }: TimedCacheOptions = {},
): () => Promise<Timed<T>> {
  let isLate = false;
  const computeInTime = async () => {
    const timer = setTimeout(() => {
      isLate = true;
    }, TIMEOUT_MS).unref();
    try {
      const value = await compute();
      isLate = false;
      return value;
    } catch (error) {
      isLate = true;
      throw error;
    } finally {
      clearTimeout(timer);
    }
  };
  const cache = new LRUCache<'value', T>({
    max: 1,
    ttl: maxAgeMs,
    fetchMethod: computeInTime,
    allowStaleOnFetchRejection: outlivesFailures,
    noDeleteOnFetchRejection: outlivesFailures,
  });
  return async () => {
    const status: LRUCache.Status<'value', T> = {};
    const before = outlivesFailures ? cache.get('value', { allowStale: true, noDeleteOnStaleGet: true }) : undefined;
    const fetched = cache.forceFetch('value', { status });
    if (!before) return { value: await fetched, cached: status.fetch === 'hit' || status.fetch === 'inflight' };
    const soon = fetched.then(
      (value) => ({ value, cached: value === before }),
      () => ({ value: before, cached: true }),
    );
    const previous = { value: before, cached: true };
    return isLate ? previous : Promise.race([soon, sleep(TIMEOUT_MS, previous, { ref: false })]);
  };
}
