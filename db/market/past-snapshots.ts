/** Market snapshots of past days. They are kept while they are used. */
import type { Queryable } from '../pool.ts';
import type { Rows } from '../schema/tables.ts';
import type { SnapshotObject } from './snapshots.ts';

/** The inputs of a snapshot of a day. Another version makes another snapshot. */
interface PastSnapshotKey {
  /** YYYY-MM-DD: the newest session in it. */
  readonly day: string;
  readonly dataVersion: string;
  readonly engineVersion: string;
  readonly format: number;
}

export interface PastSnapshot extends SnapshotObject {
  readonly id: number;
  readonly means: SnapshotObject;
  /** The day. */
  readonly asOf: string;
  readonly instruments: number;
  readonly exportedAt: Date;
}

const COLUMNS = `id, object_key as "objectKey", checksum_sha256 as checksum, bytes, day as "asOf", instruments,
  built_at as "exportedAt", json_build_object('objectKey', means_key, 'checksum', means_checksum_sha256,
    'bytes', means_bytes) as means`;

/** The newest built snapshot of a key, which counts as used at `at`; null: none. */
export async function usePastSnapshot(db: Queryable, key: PastSnapshotKey, at: Date): Promise<PastSnapshot | null> {
  const { rows } = await db.query<PastSnapshot>(
    `update past_snapshots set used_at = greatest(used_at, $5)
     where id = (select max(id) from past_snapshots
                 where day = $1 and data_version = $2 and engine_version = $3 and format = $4 and built_at is not null)
     returning ${COLUMNS}`,
    [key.day, key.dataVersion, key.engineVersion, key.format, at],
  );
  return rows[0] ?? null;
}

/** A built snapshot, which counts as used at `at`; null: it was deleted. */
export async function usePastSnapshotById(db: Queryable, id: number, at: Date): Promise<PastSnapshot | null> {
  const { rows } = await db.query<PastSnapshot>(
    `update past_snapshots set used_at = greatest(used_at, $2) where id = $1 and built_at is not null returning ${COLUMNS}`,
    [id, at],
  );
  return rows[0] ?? null;
}

/** Records a snapshot before its objects are stored, so that they have a row from the first byte on. Returns the id. */
export async function insertPastSnapshot(
  db: Queryable,
  key: PastSnapshotKey,
  keys: { readonly bars: string; readonly means: string },
  at: Date,
): Promise<number> {
  const { rows } = await db.query<Pick<Rows['past_snapshots'], 'id'>>(
    `insert into past_snapshots (day, data_version, engine_version, format, object_key, means_key, used_at)
     values ($1, $2, $3, $4, $5, $6, $7) returning id`,
    [key.day, key.dataVersion, key.engineVersion, key.format, keys.bars, keys.means, at],
  );
  return rows[0].id;
}

interface BuiltSnapshot {
  readonly bars: SnapshotObject;
  readonly means: SnapshotObject;
  readonly instruments: number;
  /** Bars of all instruments. */
  readonly count: number;
}

/** Makes a snapshot whose objects are stored usable. */
export async function finishPastSnapshot(db: Queryable, id: number, built: BuiltSnapshot, at: Date): Promise<void> {
  const { bars, means, instruments, count } = built;
  await db.query(
    `update past_snapshots set checksum_sha256 = $2, bytes = $3, means_checksum_sha256 = $4, means_bytes = $5,
       instruments = $6, bars = $7, built_at = $8 where id = $1`,
    [id, bars.checksum, bars.bytes, means.checksum, means.bytes, instruments, count, at],
  );
}

/** Deletes snapshots that were last used before a moment, and all but the `most` last used. Returns the keys of their objects. */
export async function deleteUnusedPastSnapshots(db: Queryable, usedBefore: Date, most: number): Promise<string[]> {
  const { rows } = await db.query<Pick<Rows['past_snapshots'], 'object_key' | 'means_key'>>(
    `delete from past_snapshots where used_at < $1
       or id in (select id from past_snapshots order by used_at desc, id desc offset $2)
     returning object_key, means_key`,
    [usedBefore, most],
  );
  return rows.flatMap((row) => [row.object_key, row.means_key]);
}

/** Those of the keys that a snapshot has. */
export async function selectPastSnapshotKeys(db: Queryable): Promise<Set<string>> {
  const { rows } = await db.query<Pick<Rows['past_snapshots'], 'object_key' | 'means_key'>>(
    'select object_key, means_key from past_snapshots',
  );
  return new Set(rows.flatMap((row) => [row.object_key, row.means_key]));
}
