import { LRUCache } from 'lru-cache';

export interface Timed<T> {
  readonly value: T;
  /** Whether an earlier call has computed it. */
  readonly cached: boolean;
}

interface TimedCacheOptions {
  /** Whether the value before answers for one that cannot be computed. */
  readonly outlivesFailures?: boolean;
}

/** A value that is computed at most once per `maxAgeMs`, and once for concurrent callers. Failures are not kept. */
export function timedCache<T extends object>(
  maxAgeMs: number,
  compute: () => Promise<T>,
  { outlivesFailures = false }: TimedCacheOptions = {},
): () => Promise<Timed<T>> {
  const cache = new LRUCache<'value', T>({
    max: 1,
    ttl: maxAgeMs,
    fetchMethod: compute,
    allowStaleOnFetchRejection: outlivesFailures,
    noDeleteOnFetchRejection: outlivesFailures,
  });
  return async () => {
    const status: LRUCache.Status<'value', T> = {};
    const value = await cache.forceFetch('value', { status });
    return { value, cached: status.fetch === 'hit' || status.fetch === 'inflight' };
  };
}
