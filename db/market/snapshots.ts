/** Market snapshots. The newest is served. */
import type { Queryable } from '../pool.ts';
import type { Rows } from '../schema/tables.ts';

export const SNAPSHOT_CHANGED_CHANNEL = 'snapshot_changed';

/** An object of a snapshot. */
export interface SnapshotObject {
  readonly objectKey: string;
  /** SHA-256 of the content in hexadecimal. */
  readonly checksum: string;
  readonly bytes: number;
}

/** A snapshot. Its own object has the bars. */
export interface SnapshotRecord extends SnapshotObject {
  readonly id: number;
  /** Layout of the objects. */
  readonly format: number;
  /** The object with the running means; null: format 1, which has none. */
  readonly means: SnapshotObject | null;
  readonly instruments: number;
  readonly bars: number;
  /** Newest session in it. */
  readonly asOf: string;
  /** The newest day that could be distributed when the snapshot was made. */
  readonly through: string;
  readonly dataVersion: string;
  readonly engineVersion: string;
  readonly exportedAt: Date;
}

const COLUMNS = `id, object_key as "objectKey", checksum_sha256 as checksum, bytes, instruments, bars, as_of as "asOf",
  through, data_version as "dataVersion", engine_version as "engineVersion", exported_at as "exportedAt", format,
  case when means_key is not null then json_build_object('objectKey', means_key, 'checksum', means_checksum_sha256,
    'bytes', means_bytes) end as means`;

/** Records a snapshot, which is served from now on. Its objects must be stored. Returns the id. */
export async function insertSnapshot(db: Queryable, snapshot: Omit<SnapshotRecord, 'id'>): Promise<number> {
  const { rows } = await db.query<Pick<Rows['snapshots'], 'id'>>(
    `insert into snapshots (object_key, checksum_sha256, bytes, instruments, bars, as_of, through, data_version,
       engine_version, exported_at, format, means_key, means_checksum_sha256, means_bytes)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14) returning id`,
    [
      snapshot.objectKey,
      snapshot.checksum,
      snapshot.bytes,
      snapshot.instruments,
      snapshot.bars,
      snapshot.asOf,
      snapshot.through,
      snapshot.dataVersion,
      snapshot.engineVersion,
      snapshot.exportedAt,
      snapshot.format,
      snapshot.means?.objectKey,
      snapshot.means?.checksum,
      snapshot.means?.bytes,
    ],
  );
  return rows[0].id;
}

/** Newest first. */
export async function selectSnapshots(db: Queryable, limit: number): Promise<SnapshotRecord[]> {
  const { rows } = await db.query<SnapshotRecord>(`select ${COLUMNS} from snapshots order by id desc limit $1`, [
    limit,
  ]);
  return rows;
}

/** Deletes all snapshots except the newest `keep`. */
export async function deleteOldSnapshots(db: Queryable, keep: number): Promise<void> {
  await db.query('delete from snapshots where id in (select id from snapshots order by id desc offset $1)', [keep]);
}
