/**
 * The cells of a chunk as two stored objects: one with the ranges of its instruments and its figures in the layout of memory, and one
 * with its part of the file of all cells.
 */

import { Readable } from 'node:stream';
import { hasPayments } from '../../db/market/adjustments.ts';
import { selectSessionLedgers } from '../../db/market/loaded-sessions.ts';
import type { Queryable } from '../../db/pool.ts';
import { CONSOLIDATED_FROM } from '../../engine/market/venue-basis.ts';
import { CELL_COLUMNS, CellBlock, RANGE_COLUMNS } from '../../engine/sweep/cells.ts';
import { encodedChunkKey } from '../../storage/keys.ts';
import type { ObjectStorage } from '../../storage/storage.ts';
import { type NoteCode, noteCodesOf, survivorNotes } from '../backtest/notes.ts';
import { PermanentFailure } from '../contracts/job-context.ts';
import type { SweepInstrument, SweepSpec } from '../contracts/sweep.ts';

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

/** A chunk's part of the file of all cells, as a Parquet file; null: none is stored. */
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

/** A whole chunk. */
export async function readChunk(
  storage: ObjectStorage,
  { key, instruments }: ChunkObject,
  combinations: number,
): Promise<CellBlock> {
  const ranges = await read(storage, key, 0, rangeBytes(instruments));
  const figures = await read(storage, key, rangeBytes(instruments), combinations * combinationBytes(instruments));
  return new CellBlock(instruments, combinations, new Int32Array(ranges), new Float64Array(figures));
}

/** First and last day of the bars of all chunks. */
export async function spanOf(storage: ObjectStorage, chunks: readonly ChunkObject[]): Promise<SweepSpan> {
  const blocks: CellBlock[] = [];
  for (const { key, instruments } of chunks) {
    const ranges = new Int32Array(await read(storage, key, 0, rangeBytes(instruments)));
    blocks.push(new CellBlock(instruments, 0, ranges));
  }
  return spanOfBlocks(blocks);
}

export function spanOfBlocks(blocks: readonly CellBlock[]): SweepSpan {
  let [first, last] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const block of blocks) {
    for (let i = 0; i < block.instruments; i++) {
      if (block.range('bars', i) === 0) continue;
      first = Math.min(first, block.range('startDay', i));
      last = Math.max(last, block.range('endDay', i));
    }
  }
  return last < first ? null : { first, last };
}

/** First and last day of all bars of a sweep; null: it has none. */
type SweepSpan = { readonly first: number; readonly last: number } | null;

export async function notesOfSweep(
  db: Queryable,
  spec: SweepSpec,
  instruments: readonly SweepInstrument[],
  span: SweepSpan,
): Promise<readonly NoteCode[]> {
  const isPointInTime = spec.screenedOn !== null && spec.start !== null && spec.screenedOn < spec.start;
  const survivors = survivorNotes(instruments, { asOf: spec.asOf, isPointInTime });
  if (span === null) return survivors;
  const { spliced } = await selectSessionLedgers(db);
  const missingSessions = spliced.missingBetween(spec.start ?? span.first, Math.min(spec.end ?? spec.asOf, spec.asOf));
  const notes = noteCodesOf(spec, span.first < CONSOLIDATED_FROM, { missingSessions, missingBarsShare: 0 });
  const ids = instruments.map(({ instrumentId }) => instrumentId);
  const isUnpaid = spec.adjust !== 'total' && (await hasPayments(db, ids, span.first, span.last));
  return [...notes, ...(isUnpaid ? (['price_return'] as const) : []), ...survivors];
}
