/** Reads the objects of a snapshot into memory. */
import { createHash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { SnapshotObject } from '../../db/market/snapshots.ts';
import { requireDay } from '../../engine/market/dates.ts';
import { blocksOf } from '../../engine/screener/blocks.ts';
import { FigureColumns } from '../../engine/screener/screen.ts';
import { type MarketSnapshot, newestView, viewBefore } from '../../engine/screener/snapshot.ts';
import type { ObjectStorage } from '../../storage/storage.ts';

/** Properties of a snapshot that a screen needs. */
export interface ReadableSnapshot extends SnapshotObject {
  readonly id: number;
  readonly means: SnapshotObject | null;
  /** YYYY-MM-DD: the newest session in it. */
  readonly asOf: string;
  readonly exportedAt: Date;
}

export interface LoadedSnapshot {
  readonly record: ReadableSnapshot;
  readonly columns: FigureColumns;
  /** Columns at the previous session; null when the snapshot has no bar of it. */
  readonly columnsBefore: FigureColumns | null;
}

/** Throws if the objects are not those that were written. Caches `maxColumns` columns of figures per session. */
export async function loadSnapshot(
  storage: ObjectStorage,
  record: ReadableSnapshot,
  maxColumns: number,
): Promise<LoadedSnapshot> {
  const newest = newestView(await readObjects(storage, record), requireDay(record.asOf));
  const before = viewBefore(newest);
  return {
    record,
    columns: new FigureColumns(newest, maxColumns),
    columnsBefore: before && new FigureColumns(before, maxColumns),
  };
}

async function readObjects(storage: ObjectStorage, record: ReadableSnapshot): Promise<MarketSnapshot> {
  if (!record.means) throw new Error('the snapshot has no means');
  // With Arrow, which is 150 files that a start does not need.
  const { decodeBars, decodeMeans } = await import('../../jobs/snapshot/files.ts');
  const stored = decodeBars(await read(storage, record));
  const { instrumentIds, running, lastSplits } = decodeMeans(await read(storage, record.means));
  if (stored.instrumentIds.join() !== instrumentIds.join())
    throw new Error('bars and means are of different snapshots');
  // Computing the blocks of a whole market takes tens of milliseconds.
  await nextTurn();
  return { ...stored, running, lastSplits, blocks: blocksOf(stored.bars) };
}

/** The bytes of an object. Throws unless length and checksum are those of the record. */
async function read(storage: ObjectStorage, { objectKey, bytes, checksum }: SnapshotObject): Promise<Uint8Array> {
  const stream = await storage.get(objectKey);
  if (!stream) throw new Error('the object does not exist');
  // A new buffer is aligned, so that columns of 8-byte numbers can be read in place.
  const content = new Uint8Array(new ArrayBuffer(bytes));
  const hash = createHash('sha256');
  let at = 0;
  for await (const chunk of stream) {
    if (at + chunk.length > bytes) throw new Error('the object is longer than it was');
    content.set(chunk, at);
    hash.update(chunk);
    at += chunk.length;
  }
  if (at !== bytes || hash.digest('hex') !== checksum) throw new Error('the object is not what was written');
  return content;
}
