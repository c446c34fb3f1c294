import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Garbage that may gather in a thread. Most of it is young and goes by itself. */
const ALLOWED_BYTES = 64 * 1024 * 1024;

let collect: (() => void) | null = null;
let inUse = Number.POSITIVE_INFINITY;

function usedBytes(): number {
  const { used_heap_size: heap, external_memory: external } = getHeapStatistics();
  return heap + external;
}

/**
 * Frees what this thread does not use, if there may be much of it. V8 waits for 64 MB of arrays, and lets the heap double, in each thread.
 */
export function collectGarbage(): void {
  const used = usedBytes();
  inUse = Math.min(inUse, used);
  if (used - inUse < ALLOWED_BYTES) return;
  collect ??= collectorOf();
  collect();
  inUse = usedBytes();
}

/** V8's own collector, which a flag makes visible to contexts that are made after it. */
function collectorOf(): () => void {
  setFlagsFromString('--expose-gc');
  const collector: unknown = runInNewContext('gc');
  setFlagsFromString('--no-expose-gc');
  if (typeof collector !== 'function') throw new Error('V8 has no collector to call');
  return () => collector();
}
