/** How a sweep is cut: whole instruments, so that each history is read once. */

/** Work of one chunk, in milliseconds. */
const CHUNK_MS = 1_000;
/** Reading a history, and one bar of one backtest with its figures, as measured on a small machine. */
const READ_MS = 1.5;
const BAR_MS = 3.5e-5;

/** Instruments of one chunk, at least one. `bars`: about how many the range holds. */
export function chunkSize(combinations: number, bars: number): number {
  return Math.max(1, Math.floor(CHUNK_MS / (READ_MS + combinations * bars * BAR_MS)));
}

/** Consecutive parts of at most `size` items. */
export function cutInto<T>(items: readonly T[], size: number): T[][] {
  const parts: T[][] = [];
  for (let at = 0; at < items.length; at += size) parts.push(items.slice(at, at + size));
  return parts;
}
