/**
 * The cells of a chunk as stored objects: one with the ranges of its instruments and its figures, as they lie in memory, and one
 * with its part of the file of all cells.
 */
import { Readable } from 'node:stream';
import { CELL_COLUMNS, CellBlock, RANGE_COLUMNS } from '../../engine/sweep/cells.ts';
import { encodedChunkKey } from '../../storage/keys.ts';
import type { ObjectStorage } from '../../storage/storage.ts';
import { PermanentFailure } from '../contracts/job-context.ts';
import type { SweepSpan } from './notes.ts';

export interface ChunkObject {
  readonly key: string;
  readonly instruments: number;
}

const rangeBytes = (instruments: number) => RANGE_COLUMNS.length * instruments * Int32Array.BYTES_PER_ELEMENT;
const combinationBytes = (instruments: number) => CELL_COLUMNS.length * instruments * Float64Array.BYTES_PER_ELEMENT;

export async function writeChunk(
  storage: ObjectStorage,
  key: string,
  block: CellBlock,
  encoded: readonly Buffer[],
): Promise<void> {
  const parts = [block.ranges, block.figures].map(({ buffer, byteOffset, byteLength }) =>
    Buffer.from(buffer, byteOffset, byteLength),
  );
  await Promise.all([
    storage.put(key, Readable.from(parts)),
    storage.put(encodedChunkKey(key), Readable.from(encoded)),
  ]);
}

export async function removeChunk(storage: ObjectStorage, key: string): Promise<void> {
  await Promise.all([storage.remove(key), storage.remove(encodedChunkKey(key))]);
}

/** The part of a chunk of the file of all cells, as a file of its own; null: none is stored. */
export async function readEncoded(storage: ObjectStorage, { key }: ChunkObject): Promise<Buffer | null> {
  const content = await storage.get(encodedChunkKey(key));
  if (content === null) return null;
  return Buffer.concat(await Array.fromAsync(content));
}

async function read(storage: ObjectStorage, key: string, start: number, length: number): Promise<ArrayBuffer> {
  const content = await storage.get(key, { start, end: start + length - 1 });
  if (content === null) throw new PermanentFailure(`the chunk ${key} is gone`);
  const bytes = new Uint8Array(length);
  let filled = 0;
  for await (const piece of content) {
    if (filled + piece.length <= length) bytes.set(piece, filled);
    filled += piece.length;
  }
  if (filled !== length) throw new Error(`the chunk ${key} has ${filled} bytes instead of ${length}`);
  return bytes.buffer;
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
