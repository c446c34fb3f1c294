/** The cells of a chunk as a stored object: the ranges of its instruments, then its figures, as they lie in memory. */
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { CELL_COLUMNS, CellBlock, RANGE_COLUMNS } from '../../engine/sweep/cells.ts';
import type { ObjectStorage } from '../../storage/storage.ts';
import type { SweepSpan } from './notes.ts';

export interface ChunkObject {
  readonly key: string;
  readonly instruments: number;
}

const rangeBytes = (instruments: number) => RANGE_COLUMNS.length * instruments * Int32Array.BYTES_PER_ELEMENT;
const combinationBytes = (instruments: number) => CELL_COLUMNS.length * instruments * Float64Array.BYTES_PER_ELEMENT;

export async function writeChunk(storage: ObjectStorage, key: string, block: CellBlock): Promise<void> {
  const parts = [block.ranges, block.figures].map(({ buffer, byteOffset, byteLength }) =>
    Buffer.from(buffer, byteOffset, byteLength),
  );
  await storage.put(key, Readable.from(parts));
}

async function read(storage: ObjectStorage, key: string, start: number, length: number): Promise<ArrayBuffer> {
  const content = await storage.get(key, { start, end: start + length - 1 });
  if (content === null) throw new Error(`the chunk ${key} is gone`);
  const bytes = await buffer(content);
  if (bytes.length !== length) throw new Error(`the chunk ${key} has ${bytes.length} bytes instead of ${length}`);
  return new Uint8Array(bytes).buffer;
}

/** Some combinations of a chunk, without the ranges of its instruments. */
export async function readCombinations(
  storage: ObjectStorage,
  { key, instruments }: ChunkObject,
  from: number,
  count: number,
): Promise<CellBlock> {
  const each = combinationBytes(instruments);
  const figures = await read(storage, key, rangeBytes(instruments) + from * each, count * each);
  return new CellBlock(instruments, count, undefined, new Float64Array(figures));
}

/** A chunk whole. */
export async function readChunk(
  storage: ObjectStorage,
  { key, instruments }: ChunkObject,
  combinations: number,
): Promise<CellBlock> {
  const ranges = await read(storage, key, 0, rangeBytes(instruments));
  const figures = await read(storage, key, rangeBytes(instruments), combinations * combinationBytes(instruments));
  return new CellBlock(instruments, combinations, new Int32Array(ranges), new Float64Array(figures));
}

/** First and last day of the bars of all chunks; null: there are none. */
export async function spanOf(storage: ObjectStorage, chunks: readonly ChunkObject[]): Promise<SweepSpan> {
  let [first, last] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const { key, instruments } of chunks) {
    const ranges = new Int32Array(await read(storage, key, 0, rangeBytes(instruments)));
    const block = new CellBlock(instruments, 0, ranges);
    for (let i = 0; i < instruments; i++) {
      if (block.range('bars', i) === 0) continue;
      first = Math.min(first, block.range('startDay', i));
      last = Math.max(last, block.range('endDay', i));
    }
  }
  return last < first ? null : { first, last };
}
