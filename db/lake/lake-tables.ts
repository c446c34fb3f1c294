/** The current version of each table over the files of the lake, and its kept snapshots. */
import type { Connection, Queryable } from '../pool.ts';
import type { Selected } from '../schema/columns.ts';
import { selection } from '../schema/tables.ts';

const LAKE_TABLE = selection('lake_tables', {
  name: 'name',
  tableUuid: 'table_uuid',
  location: 'location',
  version: 'version',
  snapshotId: 'snapshot_id',
  sequenceNumber: 'sequence_number',
  fieldIds: 'field_ids',
  committedAt: 'committed_at',
});

export type TablePointer = Selected<typeof LAKE_TABLE>;

/** By name. */
export async function selectTablePointers(db: Queryable): Promise<TablePointer[]> {
  const { rows } = await db.query<TablePointer>({
    name: 'select_table_pointers',
    text: `select ${LAKE_TABLE.sql} from lake_tables order by name`,
  });
  return rows;
}

/** Null: there is no such table. */
export async function selectTablePointer(db: Queryable, name: string): Promise<TablePointer | null> {
  const { rows } = await db.query<TablePointer>({
    name: 'select_table_pointer',
    text: `select ${LAKE_TABLE.sql} from lake_tables where name = $1`,
    values: [name],
  });
  return rows[0] ?? null;
}

/** The size of a table and of its history. */
export interface TableSize {
  readonly name: string;
  readonly snapshotId: number;
  readonly committedAt: Date;
  readonly rows: number;
  readonly bytes: number;
  readonly files: number;
  /** Kept ones. */
  readonly snapshots: number;
}

/** By name. The path of a file begins with the name of its table. */
export async function selectTableSizes(db: Queryable): Promise<TableSize[]> {
  const { rows } = await db.query<TableSize>({
    name: 'select_table_sizes',
    text: `with sizes as (
        select split_part(split_part(path, '/', 1), '.', 1) as name, sum(rows)::bigint as rows, sum(bytes)::bigint as bytes,
          count(*)::int as files
        from lake_files group by 1),
      kept as (select table_name as name, count(*)::int as snapshots from lake_snapshots group by 1)
      select t.name, t.snapshot_id as "snapshotId", t.committed_at as "committedAt", coalesce(s.rows, 0) as rows,
        coalesce(s.bytes, 0) as bytes, coalesce(s.files, 0) as files, coalesce(k.snapshots, 0) as snapshots
      from lake_tables t left join sizes s on s.name = split_part(t.name, '.', 2) left join kept k on k.name = t.name
      order by t.name`,
  });
  return rows;
}

/**
 * Moves a table to its next version, in the caller's transaction. Returns false, and changes nothing, when its version is no longer
 * `from` (null: when it exists), because another writer has committed meanwhile.
 */
export async function moveTablePointer(
  connection: Connection,
  from: number | null,
  { name, tableUuid, location, version, snapshotId, sequenceNumber, fieldIds, committedAt }: TablePointer,
): Promise<boolean> {
  const values = [name, tableUuid, location, version, snapshotId, sequenceNumber, fieldIds, committedAt];
  const { rowCount } =
    from === null
      ? await connection.query(
          `insert into lake_tables
             (name, table_uuid, location, version, snapshot_id, sequence_number, field_ids, committed_at)
           values ($1, $2, $3, $4, $5, $6, $7, $8) on conflict do nothing`,
          values,
        )
      : await connection.query(
          `update lake_tables set table_uuid = $2, location = $3, version = $4, snapshot_id = $5, sequence_number = $6,
             field_ids = $7, committed_at = $8
           where name = $1 and version = $9`,
          [...values, from],
        );
  return rowCount === 1;
}

/** Records a snapshot, in the transaction that commits it. */
export async function insertSnapshot(
  connection: Connection,
  table: string,
  snapshotId: number,
  dataVersion: string,
  committedAt: Date,
): Promise<void> {
  await connection.query(
    'insert into lake_snapshots (table_name, snapshot_id, data_version, committed_at) values ($1, $2, $3, $4)',
    [table, snapshotId, dataVersion, committedAt],
  );
}

/**
 * The kept snapshot of a table with the rows that it had at a version of the data; null: no write of that version is kept. A write
 * makes snapshots only of the tables that it changes, at one moment.
 */
export async function selectSnapshotAt(
  db: Queryable,
  table: string,
  dataVersion: string,
): Promise<{ readonly snapshotId: number; readonly committedAt: Date } | null> {
  const { rows } = await db.query<{ snapshotId: number; committedAt: Date }>(
    `select snapshot_id as "snapshotId", committed_at as "committedAt" from lake_snapshots
     where table_name = $1 and (data_version = $2
       or committed_at <= (select max(committed_at) from lake_snapshots where data_version = $2))
     order by data_version = $2 desc, committed_at desc limit 1`,
    [table, dataVersion],
  );
  return rows[0] ?? null;
}

/** A write of the lake, by the snapshot that each table had after it. */
export interface LakeWrite {
  readonly dataVersion: string;
  readonly committedAt: Date;
  /** By table, with its namespace. */
  readonly snapshots: ReadonlyMap<string, number>;
}

/**
 * The newest write of a version of the data (a text), or the write that made a snapshot (a number). Null: no snapshot of it is kept. A
 * table that had no kept snapshot by then is missing.
 */
export async function selectLakeWrite(db: Queryable, load: string | number): Promise<LakeWrite | null> {
  const [dataVersion, id] = typeof load === 'string' ? [load, null] : [null, load];
  const { rows } = await db.query<{ table: string; id: number } & Omit<LakeWrite, 'snapshots'>>(
    `with write as (
       select data_version, committed_at from lake_snapshots where data_version = $1 or snapshot_id = $2
       order by committed_at desc limit 1)
     select distinct on (s.table_name) s.table_name as "table", s.snapshot_id as id, w.data_version as "dataVersion",
       w.committed_at as "committedAt"
     from lake_snapshots s join write w on s.committed_at <= w.committed_at
     order by s.table_name, s.committed_at desc`,
    [dataVersion, id],
  );
  if (rows.length === 0) return null;
  const [{ dataVersion: version, committedAt }] = rows;
  return { dataVersion: version, committedAt, snapshots: new Map(rows.map(({ table, id }) => [table, id])) };
}

/** The first instant from which on all tables have a kept snapshot, and the newest commit; null: there is none. */
export async function selectKeptWrites(db: Queryable): Promise<{ readonly first: Date; readonly last: Date } | null> {
  const { rows } = await db.query<{ first: Date | null; last: Date | null }>(
    `select max(first) as first, max(last) as last
     from (select min(committed_at) as first, max(committed_at) as last from lake_snapshots group by table_name) each`,
  );
  const [{ first, last }] = rows;
  return first && last && { first, last };
}

/** `ids`: null for all of the table. */
export async function deleteSnapshots(
  connection: Connection,
  table: string,
  ids: readonly number[] | null,
): Promise<void> {
  await connection.query(
    'delete from lake_snapshots where table_name = $1 and ($2::bigint[] is null or snapshot_id = any($2))',
    [table, ids],
  );
}

/** Any number, of this service alone. */
const WRITERS_LOCK = 7_205_001;

/** Keeps the removal of unneeded objects from starting until the transaction ends. */
export async function lockAgainstRemoval(connection: Connection): Promise<void> {
  await connection.query('select pg_advisory_xact_lock_shared($1)', [WRITERS_LOCK]);
}

/** Whether no commit is under way; none can store objects until the transaction ends. */
export async function tryLockForRemoval(connection: Connection): Promise<boolean> {
  const { rows } = await connection.query<{ locked: boolean }>('select pg_try_advisory_xact_lock($1) as locked', [
    WRITERS_LOCK,
  ]);
  return rows[0].locked;
}

/** Records which objects are unneeded now, and forgets those that are not. Earlier ones keep the instant at which they were found. */
export async function updateOrphans(connection: Connection, keys: readonly string[], at: Date): Promise<void> {
  await connection.query('delete from lake_orphans where key <> all($1)', [keys]);
  await connection.query(
    'insert into lake_orphans (key, found_at) select key, $2 from unnest($1::text[]) as k (key) on conflict do nothing',
    [keys, at],
  );
}

/** How many objects are unneeded, and the instant at which the oldest of them was found (null: there are none). */
export async function selectOrphanState(
  db: Queryable,
): Promise<{ readonly count: number; readonly oldest: Date | null }> {
  const { rows } = await db.query<{ count: number; oldest: Date | null }>(
    'select count(*)::int as count, min(found_at) as oldest from lake_orphans',
  );
  return rows[0];
}

/** Objects that were found to be unneeded before an instant. */
export async function selectDueOrphans(connection: Connection, before: Date): Promise<string[]> {
  const { rows } = await connection.query<{ key: string }>(
    'select key from lake_orphans where found_at < $1 order by key',
    [before],
  );
  return rows.map(({ key }) => key);
}
