/**
 * Limits while the shared counters cannot be reached: each process counts its own calls, against the whole limit. A window
 * is cut into buckets as the shared ones are, so no window holds more than the limit here either.
 */
import { LRUCache } from 'lru-cache';
import type { Turn } from './leases.ts';

const BUCKETS = 60;
const MAX_KEYS = 20_000;

interface Window {
  /** The number of the newest bucket. */
  newest: number;
  /** Calls in each bucket, at its number modulo their count. */
  readonly counts: Uint16Array;
  used: number;
}

export interface LocalRule {
  readonly limit: number;
  readonly windowSeconds: number;
}

export interface LocalWindows {
  take(key: string, rule: LocalRule): Turn;
  /** Forgets everything: the shared counters count again. */
  clear(): void;
}

/** `monotonic` gives milliseconds that never go back. */
export function createLocalWindows(monotonic: () => number): LocalWindows {
  const windows = new LRUCache<string, Window>({ max: MAX_KEYS });
  return {
    take(key, { limit, windowSeconds }) {
      const bucketSeconds = windowSeconds / BUCKETS;
      const now = monotonic() / 1000 / bucketSeconds;
      const bucket = Math.floor(now);
      let window = windows.get(key);
      if (!window) {
        window = { newest: bucket, counts: new Uint16Array(BUCKETS + 1), used: 0 };
        windows.set(key, window);
      }
      moveTo(window, bucket);
      const isAllowed = window.used < limit;
      if (isAllowed) {
        window.counts[bucket % window.counts.length]++;
        window.used++;
      }
      return {
        isAllowed,
        remaining: Math.max(0, limit - window.used),
        resetAfter: (bucket + window.counts.length - now) * bucketSeconds,
        retryAfter: Math.max(1, Math.ceil((oldestBucket(window) + window.counts.length - now) * bucketSeconds)),
      };
    },
    clear: () => windows.clear(),
  };
}

/** Forgets the buckets that have left the window. */
function moveTo(window: Window, bucket: number): void {
  const { counts } = window;
  const from = Math.max(window.newest + 1, bucket - counts.length + 1);
  for (let passed = from; passed <= bucket; passed++) {
    window.used -= counts[passed % counts.length];
    counts[passed % counts.length] = 0;
  }
  window.newest = Math.max(window.newest, bucket);
}

/** The oldest bucket that holds a call; the newest one where none does. */
function oldestBucket({ newest, counts }: Window): number {
  for (let bucket = newest - counts.length + 1; bucket < newest; bucket++) {
    if (bucket >= 0 && counts[bucket % counts.length] > 0) return bucket;
  }
  return newest;
}
