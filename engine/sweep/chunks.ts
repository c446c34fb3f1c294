/** Splits a sweep into chunks of whole instruments, so that each history is read once. */

/**
 * Work of one chunk of a large sweep, in milliseconds. A small one is cut finer, so that every worker has a part in it, but not so fine
 * that the tens of milliseconds in which each chunk begins and ends count.
 */
const CHUNK_MS = 1_000;
const SMALLEST_CHUNK_MS = 400;
const CHUNKS_WANTED = 32;
/** Cells that a worker holds: about 170 bytes each, and as much again while they are encoded. */
const MAX_CHUNK_CELLS = 50_000;
/** Reading a history, and one bar of one backtest with its figures, as measured on a small machine. */
const READ_MS = 0.4;
const BAR_MS = 4e-5;

/** Number of chunks, at least one and at most one per instrument. `bars`: about how many the range holds. */
export function chunkCount(instruments: number, combinations: number, bars: number): number {
  const totalMs = instruments * (READ_MS + combinations * bars * BAR_MS);
  const cells = instruments * combinations;
  const count = Math.max(
    totalMs / CHUNK_MS,
    Math.min(CHUNKS_WANTED, totalMs / SMALLEST_CHUNK_MS),
    cells / MAX_CHUNK_CELLS,
  );
  return Math.min(instruments, Math.max(1, Math.ceil(count)));
}

/** Consecutive parts whose sizes differ by one at most. */
export function cutInto<T>(items: readonly T[], parts: number): T[][] {
  const startOf = (part: number) => Math.floor((part * items.length) / parts);
  return Array.from({ length: parts }, (_, part) => items.slice(startOf(part), startOf(part + 1)));
}
