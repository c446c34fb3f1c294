/**
 * A frozen DuckLake: a DuckDB file that lists the files of all tables after one load, for readers who have DuckDB and no catalog. Its
 * tables are those of the specification of DuckLake 1.0. The files themselves stay where they are.
 */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import { selectTablePointers, type TablePointer } from '../../db/lake/lake-tables.ts';
import type { Pool } from '../../db/pool.ts';
import { formatDay } from '../../engine/market/dates.ts';
import { keysOf, required } from '../../engine/util/values.ts';
import type { ObjectStorage } from '../../storage/storage.ts';
import { MARKET_NAMESPACE } from '../contracts/lake.ts';
import { keptWrite } from '../contracts/load.ts';
import { readMetadata, type TableMetadata } from './read-metadata.ts';
import { type DataFile, readManifests } from './read-snapshot.ts';

type Column = TableMetadata['schemas'][number]['fields'][number];

/** A table with the files of one of its snapshots. */
interface FrozenTable {
  readonly name: string;
  readonly uuid: string;
  readonly columns: readonly Column[];
  readonly files: readonly DataFile[];
}

interface FrozenLake {
  readonly tables: readonly FrozenTable[];
  readonly committedAt: Date;
}

interface Source {
  readonly pool: Pool;
  readonly storage: ObjectStorage;
}

/** The tables as they are now, or (`snapshot`) after the load that made a snapshot; null: it is not kept, or there are no tables. */
export async function frozenLake(source: Source, snapshot: number | null): Promise<Buffer | null> {
  const pointers = await selectTablePointers(source.pool);
  if (pointers.length === 0) return null;
  const write = snapshot === null ? null : await keptWrite(source.pool, snapshot);
  if (snapshot !== null && write === null) return null;
  const tables: FrozenTable[] = [];
  for (const pointer of pointers) {
    const id = write ? required(write.snapshots.get(pointer.name), pointer.name) : pointer.snapshotId;
    tables.push(await frozenTable(source.storage, pointer, id));
  }
  const newest = Math.max(...pointers.map(({ committedAt }) => committedAt.getTime()));
  return duckLakeOf({ tables, committedAt: write?.committedAt ?? new Date(newest) });
}

async function frozenTable(storage: ObjectStorage, pointer: TablePointer, id: number): Promise<FrozenTable> {
  const { name, tableUuid: uuid } = pointer;
  const metadata = required(await readMetadata(storage, pointer), `the metadata of ${name}`);
  const snapshot = required(
    metadata.snapshots.find((one) => one['snapshot-id'] === id),
    `the snapshot ${id} of ${name}`,
  );
  const schema = required(metadata.schemas.find((one) => one['schema-id'] === snapshot['schema-id']));
  const files: DataFile[] = [];
  for await (const manifest of readManifests(storage, pointer, snapshot)) files.push(...manifest.files);
  return { name: name.slice(MARKET_NAMESPACE.length + 1), uuid, columns: schema.fields, files };
}

/** The tables of a DuckLake with their columns. */
const TABLES = {
  metadata: 'key varchar, value varchar, scope varchar, scope_id bigint',
  snapshot:
    'snapshot_id bigint primary key, snapshot_time timestamptz, schema_version bigint, next_catalog_id bigint, next_file_id bigint',
  snapshot_changes:
    'snapshot_id bigint primary key, changes_made varchar, author varchar, commit_message varchar, commit_extra_info varchar',
  schema:
    'schema_id bigint primary key, schema_uuid uuid, begin_snapshot bigint, end_snapshot bigint, schema_name varchar, path varchar, path_is_relative boolean',
  schema_versions: 'begin_snapshot bigint, schema_version bigint, table_id bigint',
  table:
    'table_id bigint, table_uuid uuid, begin_snapshot bigint, end_snapshot bigint, schema_id bigint, table_name varchar, path varchar, path_is_relative boolean',
  table_stats: 'table_id bigint, record_count bigint, next_row_id bigint, file_size_bytes bigint',
  table_column_stats:
    'table_id bigint, column_id bigint, contains_null boolean, contains_nan boolean, min_value varchar, max_value varchar, extra_stats varchar',
  column:
    'column_id bigint, begin_snapshot bigint, end_snapshot bigint, table_id bigint, column_order bigint, column_name varchar, column_type varchar, initial_default varchar, default_value varchar, nulls_allowed boolean, parent_column bigint, default_value_type varchar, default_value_dialect varchar',
  data_file:
    'data_file_id bigint primary key, table_id bigint, begin_snapshot bigint, end_snapshot bigint, file_order bigint, path varchar, path_is_relative boolean, file_format varchar, record_count bigint, file_size_bytes bigint, footer_size bigint, row_id_start bigint, partition_id bigint, encryption_key varchar, mapping_id bigint, partial_max bigint',
  file_column_stats:
    'data_file_id bigint, table_id bigint, column_id bigint, column_size_bytes bigint, value_count bigint, null_count bigint, min_value varchar, max_value varchar, contains_nan boolean, extra_stats varchar',
  file_variant_stats:
    'data_file_id bigint, table_id bigint, column_id bigint, variant_path varchar, shredded_type varchar, column_size_bytes bigint, value_count bigint, null_count bigint, min_value varchar, max_value varchar, contains_nan boolean, extra_stats varchar',
  delete_file:
    'delete_file_id bigint primary key, table_id bigint, begin_snapshot bigint, end_snapshot bigint, data_file_id bigint, path varchar, path_is_relative boolean, format varchar, delete_count bigint, file_size_bytes bigint, footer_size bigint, encryption_key varchar, partial_max bigint',
  view: 'view_id bigint, view_uuid uuid, begin_snapshot bigint, end_snapshot bigint, schema_id bigint, view_name varchar, dialect varchar, sql varchar, column_aliases varchar',
  tag: 'object_id bigint, begin_snapshot bigint, end_snapshot bigint, key varchar, value varchar',
  column_tag:
    'table_id bigint, column_id bigint, begin_snapshot bigint, end_snapshot bigint, key varchar, value varchar',
  partition_info: 'partition_id bigint, table_id bigint, begin_snapshot bigint, end_snapshot bigint',
  partition_column:
    'partition_id bigint, table_id bigint, partition_key_index bigint, column_id bigint, transform varchar',
  file_partition_value: 'data_file_id bigint, table_id bigint, partition_key_index bigint, partition_value varchar',
  files_scheduled_for_deletion:
    'data_file_id bigint, path varchar, path_is_relative boolean, schedule_start timestamptz',
  inlined_data_tables: 'table_id bigint, table_name varchar, schema_version bigint',
  column_mapping: 'mapping_id bigint, table_id bigint, type varchar',
  name_mapping:
    'mapping_id bigint, column_id bigint, source_name varchar, target_field_id bigint, parent_column bigint, is_partition boolean',
  macro: 'schema_id bigint, macro_id bigint, macro_name varchar, begin_snapshot bigint, end_snapshot bigint',
  macro_impl: 'macro_id bigint, impl_id bigint, dialect varchar, sql varchar, type varchar',
  macro_parameters:
    'macro_id bigint, impl_id bigint, column_id bigint, parameter_name varchar, parameter_type varchar, default_value varchar, default_value_type varchar',
  sort_info: 'sort_id bigint, table_id bigint, begin_snapshot bigint, end_snapshot bigint',
  sort_expression:
    'sort_id bigint, table_id bigint, sort_key_index bigint, expression varchar, dialect varchar, sort_direction varchar, null_order varchar',
} as const;

type Row = readonly (string | number | boolean | null)[];
type Rows = Partial<Record<keyof typeof TABLES, readonly Row[]>>;

const TYPES: Readonly<Record<string, string>> = {
  string: 'varchar',
  date: 'date',
  int: 'int32',
  long: 'int64',
  double: 'float64',
  boolean: 'boolean',
  timestamptz: 'timestamptz',
};

/** The only snapshot, the schemas, and the first of the ids that tables and files have. */
const SNAPSHOT = 0;
const SCHEMAS = { main: 0, [MARKET_NAMESPACE]: 1 };
const FIRST_TABLE = 2;
const NO_ID = '00000000-0000-4000-8000-00000000000';

/** The bytes of the file. */
async function duckLakeOf(lake: FrozenLake): Promise<Buffer> {
  // Most processes never need it.
  const { DuckDBInstance } = await import('@duckdb/node-api');
  const folder = await mkdtemp(join(tmpdir(), 'ducklake-'));
  try {
    const path = join(folder, 'market.ducklake');
    // Small blocks: most tables have no rows.
    const instance = await DuckDBInstance.create(path, { threads: '1', default_block_size: '16384' });
    const connection = await instance.connect();
    await connection.run('begin');
    const rows: Rows = rowsOf(lake);
    for (const name of keysOf(TABLES)) await writeTable(connection, name, rows[name] ?? []);
    await connection.run('commit');
    connection.closeSync();
    instance.closeSync();
    return await readFile(path);
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function writeTable(
  connection: DuckDBConnection,
  name: keyof typeof TABLES,
  rows: readonly Row[],
): Promise<void> {
  await connection.run(`create table ducklake_${name} (${TABLES[name]})`);
  if (rows.length === 0) return;
  const places = rows[0].map((_, i) => `$${i + 1}`);
  const insert = await connection.prepare(`insert into ducklake_${name} values (${places.join(', ')})`);
  for (const row of rows) {
    insert.bind([...row]);
    await insert.run();
  }
}

function rowsOf({ tables, committedAt }: FrozenLake): Rows {
  const ids = tables.map((_, i) => FIRST_TABLE + i);
  const files = tables.flatMap((table, i) => filesOf(table, ids[i]));
  return {
    metadata: [
      ['version', '1.0', null, null],
      ['created_by', 'market-data', null, null],
      ['data_path', './', null, null],
      ['encrypted', 'false', null, null],
    ],
    snapshot: [[SNAPSHOT, committedAt.toISOString(), 0, FIRST_TABLE + tables.length, files.length]],
    snapshot_changes: [[SNAPSHOT, null, null, null, null]],
    schema: Object.entries(SCHEMAS).map(([name, id]) => [id, `${NO_ID}${id}`, SNAPSHOT, null, name, `${name}/`, true]),
    schema_versions: ids.map((id) => [SNAPSHOT, 0, id]),
    table: tables.map(({ name, uuid }, i) => [
      ids[i],
      uuid,
      SNAPSHOT,
      null,
      SCHEMAS[MARKET_NAMESPACE],
      name,
      `${name}/`,
      true,
    ]),
    table_stats: tables.map((table, i) => {
      const rows = sumOf(table, 'record_count');
      return [ids[i], rows, rows, sumOf(table, 'file_size_in_bytes')];
    }),
    column: tables.flatMap(({ columns }, i) => columns.map((column, order) => columnRow(ids[i], column, order))),
    data_file: files.map(({ row }, id) => [id, ...row]),
    file_column_stats: files.flatMap(({ table, file, columns }, id) =>
      columns.flatMap((column) => statisticsOf(id, table, column, file)),
    ),
  };
}

const sumOf = ({ files }: FrozenTable, figure: 'record_count' | 'file_size_in_bytes') =>
  files.reduce((sum, file) => sum + file[figure], 0);

function columnRow(table: number, { id, name, type, required: isRequired }: Column, order: number): Row {
  const own = required(TYPES[type], `the type ${type} in DuckLake`);
  return [id, SNAPSHOT, null, table, order, name, own, null, 'NULL', !isRequired, null, 'literal', 'duckdb'];
}

function filesOf({ columns, files }: FrozenTable, table: number) {
  let start = 0;
  return files.map((file) => {
    const { file_path: path, record_count: rows, file_size_in_bytes: bytes } = file;
    const row: Row = [table, SNAPSHOT, null, null, path, false, 'parquet', rows, bytes, null, start, ...NO_EXTRAS];
    start += rows;
    return { table, file, columns, row };
  });
}

/** No partition, key, mapping of names, or part. */
const NO_EXTRAS = [null, null, null, null] as const;

/** The range of a column of texts or days in a file: readers leave out files by it. */
function statisticsOf(id: number, table: number, { id: column, type }: Column, file: DataFile): Row[] {
  if (type !== 'string' && type !== 'date') return [];
  const boundOf = (bounds: DataFile['lower_bounds']) => bounds?.find(({ key }) => key === column)?.value;
  const [least, greatest] = [boundOf(file.lower_bounds), boundOf(file.upper_bounds)];
  if (!least || !greatest) return [];
  const textOf = (bytes: Buffer) => (type === 'date' ? formatDay(bytes.readInt32LE()) : bytes.toString());
  const nulls = file.null_value_counts?.find(({ key }) => key === column)?.value ?? null;
  const values = nulls === null ? null : file.record_count - nulls;
  return [[id, table, column, null, values, nulls, textOf(least), textOf(greatest), null, null]];
}
