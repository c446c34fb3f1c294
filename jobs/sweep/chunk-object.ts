/**
 * The cells of a chunk as two stored objects: one with the ranges of its instruments and its figures in the layout of memory, and one
 * with its part of the file of all cells.
 */

import { Readable } from 'node:stream';
import { hasPayments } from '../../db/market/adjustments.ts';
import { hasAdjustedPrices, selectListings } from '../../db/market/instruments.ts';
import { selectSessionLedgers } from '../../db/market/loaded-sessions.ts';
import type { Queryable } from '../../db/pool.ts';
import { CONSOLIDATED_FROM } from '../../engine/market/venue-basis.ts';
import { readLevels } from '../../engine/rules/strategy.ts';
import { CELL_COLUMNS, type CellBlock, RANGE_COLUMNS } from '../../engine/sweep/cells.ts';
import { keysOf } from '../../engine/util/values.ts';
import { encodedChunkKey } from '../../storage/keys.ts';
import type { ObjectStorage } from '../../storage/storage.ts';
import { PermanentFailure } from '../contracts/job-context.ts';
import type { SweepInstrument, SweepSpec } from '../contracts/sweep.ts';
import { chosenNotes, delistingNotes, type NoteCode, noteCodesOf, survivorNotes } from '../runs/notes.ts';

export interface ChunkObject {
  readonly key: string;
  readonly instruments: number;
}

export const rangeBytes = (instruments: number) => RANGE_COLUMNS.length * instruments * Int32Array.BYTES_PER_ELEMENT;
export const combinationBytes = (instruments: number) =>
  CELL_COLUMNS.length * instruments * Float64Array.BYTES_PER_ELEMENT;
export const chunkBytes = (instruments: number, combinations: number) =>
  rangeBytes(instruments) + combinations * combinationBytes(instruments);

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

/** A whole chunk: the ranges of its instruments, then its figures. */
export async function readChunk(
  storage: ObjectStorage,
  { key, instruments }: ChunkObject,
  combinations: number,
): Promise<Uint8Array> {
  const content = await storage.get(key);
  if (content === null) throw new PermanentFailure(`the chunk ${key} is gone`);
  const bytes = Buffer.concat(await Array.fromAsync(content));
  const length = chunkBytes(instruments, combinations);
  if (bytes.length !== length) throw new Error(`the chunk ${key} has ${bytes.length} bytes instead of ${length}`);
  return bytes;
}

/** First and last day of all bars. */
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
  const chosen = chosenNotes(spec.screenedOn !== null && spec.start !== null && spec.screenedOn < spec.start);
  if (span === null) return chosen;
  const hasEnded = ({ delistedOn: day }: SweepInstrument) => day !== null && day >= span.first && day <= span.last;
  const survivors = survivorNotes(
    instruments.map((one) => ({ isEtf: one.isEtf, hasEnded: hasEnded(one) })),
    span.last - span.first,
  );
  const { spliced } = await selectSessionLedgers(db);
  const missingSessions = spliced.missingBetween(spec.start ?? span.first, Math.min(spec.end ?? spec.asOf, spec.asOf));
  const notes = noteCodesOf(spec, span.first < CONSOLIDATED_FROM, { missingSessions, missingBarsShare: 0 });
  const ids = instruments.map(({ instrumentId }) => instrumentId);
  const isUnpaid = spec.adjust !== 'total' && (await hasPayments(db, ids, span.first, span.last));
  const ended = instruments.filter(hasEnded).map(({ instrumentId }) => instrumentId);
  const listings = await selectListings(db, ended, span.last);
  const unpriced = delistingNotes(ended.some((id) => typeof listings.get(id)?.delisting?.returnPct !== 'number'));
  const paid = isUnpaid ? (['price_return'] as const) : [];
  const areLevels = spec.runs.some(({ rules }) => rules !== undefined && readLevels(rules));
  const levels = areLevels && (await hasAdjustedPrices(db, ids)) ? (['levels_as_adjusted'] as const) : [];
  return [...notes, ...paid, ...unpriced, ...levels, ...keysOf(survivors), ...chosen];
}
