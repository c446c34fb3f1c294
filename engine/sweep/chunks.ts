/** Splits a sweep into chunks of whole instruments, so that each history is read once. */

/** Most work of one chunk, in milliseconds. */
const LARGEST_MS = 1_000;
/** Least work of one, but for the last: each takes some tens of milliseconds to begin and to be stored. */
const SMALLEST_MS = 200;
/** Share of the work left that a chunk may have. The last chunks are small, so that all workers end at about the same time. */
const LARGEST_SHARE = 1 / 4;
/** Cells that a worker holds: about 170 bytes each, and as much again while they are encoded. */
const MAX_CHUNK_CELLS = 50_000;
/** Reading a history, and one bar of one backtest with its figures, as measured on a small machine. */
const READ_MS = 0.4;
const BAR_MS = 4e-5;

/** Consecutive parts, at least one. `bars`: about how many the range holds. */
export function cutIntoChunks<T>(instruments: readonly T[], combinations: number, bars: number): T[][] {
  const instrumentMs = READ_MS + combinations * bars * BAR_MS;
  const most = Math.min(LARGEST_MS / instrumentMs, MAX_CHUNK_CELLS / combinations);
  const least = Math.min(SMALLEST_MS / instrumentMs, most);
  const chunks: T[][] = [];
  for (let from = 0; from < instruments.length; ) {
    const wanted = Math.min(most, Math.max(least, (instruments.length - from) * LARGEST_SHARE));
    const end = from + Math.max(1, Math.floor(wanted));
    chunks.push(instruments.slice(from, end));
    from = end;
  }
  return chunks;
}
