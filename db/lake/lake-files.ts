/** The files of the lake. */

import { VENUE_BASIS_CODE, type VenueBasis, venueBasisOfCode } from '../../engine/market/venue-basis.ts';
import type { Connection, Queryable } from '../pool.ts';
import type { Selected } from '../schema/columns.ts';
import { type Rows, selection } from '../schema/tables.ts';

const LAKE = selection('lake', {
  schemaVersion: 'schema_version',
  dataVersion: 'data_version',
  through: 'through',
  newestSession: 'newest_session',
  writtenAt: 'written_at',
});

/** The data that the current files were built from. */
export type Lake = Selected<typeof LAKE>;

/** Null: none has been written. */
export async function selectLake(db: Queryable): Promise<Lake | null> {
  const { rows } = await db.query<Lake>({ name: 'select_lake', text: `select ${LAKE.sql} from lake` });
  return rows[0] ?? null;
}

const LAKE_FILE = selection('lake_files', {
  path: 'path',
  rows: 'rows',
  bytes: 'bytes',
  sha256: 'sha256',
  source: 'source',
  snapshotId: 'snapshot_id',
  sequenceNumber: 'sequence_number',
  statistics: 'statistics',
});

export type LakeFile = Selected<typeof LAKE_FILE>;

/** By path. */
export async function selectLakeFiles(db: Queryable): Promise<LakeFile[]> {
  const { rows } = await db.query<LakeFile>(`select ${LAKE_FILE.sql} from lake_files order by path collate "C"`);
  return rows;
}

/** One file; null: the lake has none at the path. */
export async function selectLakeFile(db: Queryable, path: string): Promise<LakeFile | null> {
  const { rows } = await db.query<LakeFile>({
    name: 'select_lake_file',
    text: `select ${LAKE_FILE.sql} from lake_files where path = $1`,
    values: [path],
  });
  return rows[0] ?? null;
}

/** Whether the lake is the one that `base` describes. It cannot change until the transaction ends. */
export async function lockLake(connection: Connection, base: Lake | null): Promise<boolean> {
  const { rows } = await connection.query<Pick<Lake, 'writtenAt'>>(
    'select written_at as "writtenAt" from lake for update',
  );
  return rows[0]?.writtenAt.getTime() === base?.writtenAt.getTime();
}

/** Makes `files` the files of the lake, in the caller's transaction. */
export async function publishLake(connection: Connection, lake: Lake, files: readonly LakeFile[]): Promise<void> {
  await connection.query('delete from lake_files');
  await connection.query(
    `insert into lake_files
       (path, rows, bytes, sha256, source, snapshot_id, sequence_number, statistics)
     select * from unnest($1::text[], $2::bigint[], $3::bigint[], $4::text[], $5::text[], $6::bigint[], $7::bigint[],
       $8::jsonb[])`,
    [
      files.map(({ path }) => path),
      files.map(({ rows }) => rows),
      files.map(({ bytes }) => bytes),
      files.map(({ sha256 }) => sha256),
      files.map(({ source }) => source),
      files.map(({ snapshotId }) => snapshotId),
      files.map(({ sequenceNumber }) => sequenceNumber),
      files.map(({ statistics }) => JSON.stringify(statistics)),
    ],
  );
  await connection.query(
    `insert into lake (schema_version, data_version, through, newest_session, written_at) values ($1, $2, $3, $4, $5)
     on conflict (only_row) do update set schema_version = excluded.schema_version, data_version = excluded.data_version,
       through = excluded.through, newest_session = excluded.newest_session, written_at = excluded.written_at`,
    [lake.schemaVersion, lake.dataVersion, lake.through, lake.newestSession, lake.writtenAt],
  );
}

/** Any number, of this service alone. */
const HINTS_LOCK = 7_205_002;

/** Lets one writer at a time write the hints of tables, until the transaction ends. */
export async function lockHints(connection: Connection): Promise<void> {
  await connection.query('select pg_advisory_xact_lock($1)', [HINTS_LOCK]);
}

/** Counts a change of bars in the years from `first` to `last`, in the transaction of the load. */
export async function countChangedYears(
  connection: Connection,
  venueBasis: VenueBasis,
  first: number,
  last: number,
): Promise<void> {
  await connection.query(
    `insert into bar_years as b (basis, year, version)
     select $1, year, 1 from generate_series($2::int, $3::int) year
     on conflict (basis, year) do update set version = b.version + 1`,
    [VENUE_BASIS_CODE[venueBasis], first, last],
  );
}

/** The loaded bars of a year on a venue basis. */
export interface BarYear {
  readonly venueBasis: VenueBasis;
  readonly year: number;
  /** Raised by every load that changes bars of the year. */
  readonly version: number;
  /** YYYY-MM-DD: the newest loaded session of the year. */
  readonly newest: string;
  /** Digest of the symbols of the instruments with packed bars in the year. */
  readonly members: string;
}

/** Years with bars up to `through` (YYYY-MM-DD), by venue basis and year. */
export async function selectBarYears(db: Queryable, through: string): Promise<BarYear[]> {
  const { rows } = await db.query<
    Pick<Rows['bar_years'], 'basis' | 'year' | 'version'> & Pick<BarYear, 'newest' | 'members'>
  >(
    `with years as (
       select basis, extract(year from day)::int as year, max(day) as newest from loaded_sessions
       where rows > 0 and day <= $1 group by 1, 2),
     members as (
       select b.basis, b.year, md5(string_agg(i.id || ' ' || i.symbol, ',' order by i.id)) as digest
       from bar_blocks b join instruments i on i.id = b.instrument_id group by 1, 2)
     select y.basis, y.year, y.newest, coalesce(v.version, 0) as version, coalesce(m.digest, '') as members
     from years y left join bar_years v using (basis, year) left join members m using (basis, year)
     order by 1, 2`,
    [through],
  );
  return rows.map(({ basis, ...year }) => ({ venueBasis: venueBasisOfCode(basis), ...year }));
}
