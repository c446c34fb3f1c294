/**
 * Manifests and manifest lists: the Avro files of Iceberg v2 that say which files a snapshot of a table has. Each snapshot has one
 * manifest with all files, because a table has at most about a hundred of them: a reader plans with three small requests.
 */
import { buffer } from 'node:stream/consumers';
import avro, { type Schema as AvroSchema, type Type } from 'avsc';
import type { ColumnStatistics, FileStatistics } from '../../db/schema/lake.ts';
import type { LakeTable } from '../contracts/lake.ts';
import { partitionFields, partitionOf, partitionSpec, type Schema } from './schema.ts';

/** The state of a file in a snapshot. Deleted files are listed by the snapshot that deletes them. */
export const STATUS = { existing: 0, added: 1, deleted: 2 } as const;

/** A file in a manifest. */
export interface ManifestFile {
  readonly status: (typeof STATUS)[keyof typeof STATUS];
  /** The snapshot that added the file or, if it is deleted, that deleted it. */
  readonly snapshotId: number;
  /** The number of the snapshot that added the file. */
  readonly sequenceNumber: number;
  /** Its path in the lake, which names its partition. */
  readonly path: string;
  readonly location: string;
  readonly rows: number;
  readonly bytes: number;
  readonly statistics: FileStatistics;
}

type FieldType = Exclude<AvroSchema, readonly unknown[] | Type>;

const field = <Of extends AvroSchema>(id: number, name: string, type: Of) => ({ name, type, 'field-id': id });
const optional = (id: number, name: string, type: FieldType) => {
  const union: FieldType[] = ['null', type];
  return { ...field(id, name, union), default: null };
};

function list(elementId: number, items: AvroSchema): FieldType {
  const extended = { type: 'array', items, 'element-id': elementId } as const;
  return extended;
}

/** Avro's own maps have text keys, so Iceberg writes others as arrays. */
function map(keyId: number, valueId: number, value: AvroSchema): FieldType {
  const fields = [field(keyId, 'key', 'int'), field(valueId, 'value', value)];
  const items = { type: 'record', name: `k${keyId}_v${valueId}`, fields } as const;
  const extended = { type: 'array', logicalType: 'map', items } as const;
  return extended;
}

type RecordFields = { name: string; type: AvroSchema }[];

const record = (name: string, fields: RecordFields): FieldType => ({ type: 'record', name, fields });

function entrySchema(table: LakeTable, schema: Schema): FieldType {
  const partitions = partitionFields(table, schema).map((one) => optional(one['field-id'], one.name, one.avro));
  const dataFile = [
    field(134, 'content', 'int'),
    field(100, 'file_path', 'string'),
    field(101, 'file_format', 'string'),
    field(102, 'partition', record('r102', partitions)),
    field(103, 'record_count', 'long'),
    field(104, 'file_size_in_bytes', 'long'),
    optional(108, 'column_sizes', map(117, 118, 'long')),
    optional(109, 'value_counts', map(119, 120, 'long')),
    optional(110, 'null_value_counts', map(121, 122, 'long')),
    optional(125, 'lower_bounds', map(126, 127, 'bytes')),
    optional(128, 'upper_bounds', map(129, 130, 'bytes')),
    optional(132, 'split_offsets', list(133, 'long')),
    optional(140, 'sort_order_id', 'int'),
  ];
  return record('manifest_entry', [
    field(0, 'status', 'int'),
    optional(1, 'snapshot_id', 'long'),
    optional(3, 'sequence_number', 'long'),
    optional(4, 'file_sequence_number', 'long'),
    field(2, 'data_file', record('r2', dataFile)),
  ]);
}

const FIELD_SUMMARY = record('r508', [
  field(509, 'contains_null', 'boolean'),
  optional(518, 'contains_nan', 'boolean'),
  optional(510, 'lower_bound', 'bytes'),
  optional(511, 'upper_bound', 'bytes'),
]);

const LIST_SCHEMA = record('manifest_file', [
  field(500, 'manifest_path', 'string'),
  field(501, 'manifest_length', 'long'),
  field(502, 'partition_spec_id', 'int'),
  field(517, 'content', 'int'),
  field(515, 'sequence_number', 'long'),
  field(516, 'min_sequence_number', 'long'),
  field(503, 'added_snapshot_id', 'long'),
  field(504, 'added_files_count', 'int'),
  field(505, 'existing_files_count', 'int'),
  field(506, 'deleted_files_count', 'int'),
  field(512, 'added_rows_count', 'long'),
  field(513, 'existing_rows_count', 'long'),
  field(514, 'deleted_rows_count', 'long'),
  optional(507, 'partitions', list(508, FIELD_SUMMARY)),
]);

async function encode(
  schema: AvroSchema,
  metadata: Readonly<Record<string, string>>,
  rows: readonly object[],
): Promise<Buffer> {
  const bytes = Object.fromEntries(Object.entries(metadata).map(([key, value]) => [key, Buffer.from(value)]));
  // The types of the library lack `metadata`.
  const options = { metadata: bytes, codec: 'deflate', writeHeader: 'always' } as const;
  const encoder = new avro.streams.BlockEncoder(schema, options);
  const encoded = buffer(encoder);
  for (const row of rows) encoder.write(row);
  encoder.end();
  return encoded;
}

/** The manifest with all files of a snapshot. */
export async function encodeManifest(
  table: LakeTable,
  schema: Schema,
  files: readonly ManifestFile[],
): Promise<Buffer> {
  const metadata = {
    schema: JSON.stringify(schema),
    'schema-id': String(schema['schema-id']),
    'partition-spec': JSON.stringify(partitionSpec(table, schema).fields),
    'partition-spec-id': '0',
    'format-version': '2',
    content: 'data',
  };
  const entries = files.map((file) => ({
    status: file.status,
    snapshot_id: file.snapshotId,
    sequence_number: file.sequenceNumber,
    file_sequence_number: file.sequenceNumber,
    data_file: dataFile(table, schema, file),
  }));
  return encode(entrySchema(table, schema), metadata, entries);
}

function dataFile(table: LakeTable, schema: Schema, { path, location, rows, bytes, statistics }: ManifestFile) {
  const columns = schema.fields.flatMap(({ id, name }) => {
    const figures = statistics.columns[name];
    return figures ? [{ id, figures }] : [];
  });
  const each = <Value>(figureOf: (figures: ColumnStatistics) => Value) =>
    columns.map(({ id, figures }) => ({ key: id, value: figureOf(figures) }));
  const bounds = (at: 0 | 1) =>
    columns.flatMap(({ id, figures }) =>
      figures.bounds ? [{ key: id, value: Buffer.from(figures.bounds[at], 'base64') }] : [],
    );
  return {
    content: 0,
    file_path: location,
    file_format: 'PARQUET',
    partition: partitionOf(table, path),
    record_count: rows,
    file_size_in_bytes: bytes,
    column_sizes: each((figures) => figures.bytes),
    value_counts: each(() => rows),
    null_value_counts: each(({ nulls }) => nulls),
    lower_bounds: bounds(0),
    upper_bounds: bounds(1),
    split_offsets: statistics.groups,
    sort_order_id: 1,
  };
}

/** A stored manifest, and the snapshot that it was made for. */
export interface StoredManifest {
  readonly location: string;
  readonly bytes: number;
  readonly files: readonly ManifestFile[];
}

interface SnapshotNumbers {
  readonly snapshotId: number;
  readonly parentId: number | null;
  readonly sequenceNumber: number;
}

/** The manifest list of a snapshot. */
export async function encodeManifestList(
  table: LakeTable,
  schema: Schema,
  { location, bytes, files }: StoredManifest,
  { snapshotId, parentId, sequenceNumber }: SnapshotNumbers,
): Promise<Buffer> {
  const metadata = {
    'snapshot-id': String(snapshotId),
    ...(parentId === null ? {} : { 'parent-snapshot-id': String(parentId) }),
    'sequence-number': String(sequenceNumber),
    'format-version': '2',
  };
  const of = (status: number) => files.filter((file) => file.status === status);
  const rowsOf = (status: number) => of(status).reduce((sum, { rows }) => sum + rows, 0);
  const live = files.filter(({ status }) => status !== STATUS.deleted);
  const row = {
    manifest_path: location,
    manifest_length: bytes,
    partition_spec_id: 0,
    content: 0,
    sequence_number: sequenceNumber,
    min_sequence_number: Math.min(sequenceNumber, ...live.map((file) => file.sequenceNumber)),
    added_snapshot_id: snapshotId,
    added_files_count: of(STATUS.added).length,
    existing_files_count: of(STATUS.existing).length,
    deleted_files_count: of(STATUS.deleted).length,
    added_rows_count: rowsOf(STATUS.added),
    existing_rows_count: rowsOf(STATUS.existing),
    deleted_rows_count: rowsOf(STATUS.deleted),
    partitions: partitionFields(table, schema).map(({ name }) => summaryOf(files, name, table)),
  };
  return encode(LIST_SCHEMA, metadata, [row]);
}

/** The range of a partition field over the files of a manifest. */
function summaryOf(files: readonly ManifestFile[], name: string, table: LakeTable) {
  const values = files
    .map(({ path }) => partitionOf(table, path)[name])
    .sort((a, b) => (typeof a === 'number' && typeof b === 'number' ? a - b : a < b ? -1 : 1));
  const bytesOf = (value: string | number) => {
    if (typeof value === 'string') return Buffer.from(value);
    const bytes = Buffer.alloc(4);
    bytes.writeInt32LE(value);
    return bytes;
  };
  return {
    contains_null: false,
    contains_nan: false,
    lower_bound: bytesOf(values[0]),
    upper_bound: bytesOf(values[values.length - 1]),
  };
}
