/** Schemas, partition specs, and sort orders of the tables, as the metadata of Iceberg describes them. */
import { civilDate, dayOf } from '../../engine/market/dates.ts';
import { required } from '../../engine/util/values.ts';
import type { LakeTable, Partition } from '../contracts/lake.ts';
import type { ParquetColumn } from '../parquet/parquet-file.ts';

/** Column, by name and type → field id. */
export type FieldIds = Readonly<Record<string, number>>;

const ICEBERG_TYPES = {
  text: 'string',
  date: 'date',
  int32: 'int',
  int64: 'long',
  double: 'double',
  boolean: 'boolean',
  instant: 'timestamptz',
} as const satisfies Record<ParquetColumn['type'], string>;

export interface Schema {
  readonly type: 'struct';
  readonly 'schema-id': number;
  readonly fields: readonly {
    readonly id: number;
    readonly name: string;
    readonly required: boolean;
    readonly type: string;
  }[];
}

const keyOf = ({ name, type }: ParquetColumn) => `${name} ${type}`;

/** The ids of all columns: known ones keep theirs, and an id is never used again. */
export function assignFieldIds(columns: readonly ParquetColumn[], known: FieldIds): FieldIds {
  const ids: Record<string, number> = { ...known };
  let last = Math.max(0, ...Object.values(ids));
  for (const key of columns.map(keyOf)) ids[key] ??= ++last;
  return ids;
}

/** The columns with their field ids. */
export function identified(columns: readonly ParquetColumn[], ids: FieldIds): ParquetColumn[] {
  return columns.map((column) => ({ ...column, fieldId: ids[keyOf(column)] }));
}

export function schemaOf(columns: readonly ParquetColumn[], ids: FieldIds, id: number): Schema {
  const fields = columns.map((column) => ({
    id: ids[keyOf(column)],
    name: column.name,
    required: column.isOptional !== true,
    type: ICEBERG_TYPES[column.type],
  }));
  return { type: 'struct', 'schema-id': id, fields };
}

const fieldOf = ({ fields }: Schema, name: string) =>
  required(
    fields.find((field) => field.name === name),
    `the column ${name}`,
  );

/** Ids of partition fields begin here. */
const FIRST_PARTITION_ID = 1000;

/** The column that a partition depends on, its transform, and its name. */
const PARTITIONS = {
  venue_mode: { source: 'venue_mode', transform: 'identity', name: 'venue_mode', avro: 'string' },
  year: { source: 'date', transform: 'year', name: 'date_year', avro: 'int' },
} as const satisfies Record<Partition, object>;

/** The partition fields of a table, with the types that its manifests give them. */
export function partitionFields({ partitions }: LakeTable, schema: Schema) {
  return partitions.map((partition, i) => {
    const { source, transform, name, avro } = PARTITIONS[partition];
    return { name, transform, 'source-id': fieldOf(schema, source).id, 'field-id': FIRST_PARTITION_ID + i, avro };
  });
}

export function partitionSpec(table: LakeTable, schema: Schema) {
  const fields = partitionFields(table, schema).map(({ avro: _, ...field }) => field);
  return { 'spec-id': 0, fields };
}

export const lastPartitionId = ({ partitions }: LakeTable) => FIRST_PARTITION_ID + partitions.length - 1;

export function sortOrder({ sort }: LakeTable, schema: Schema) {
  const fields = sort.map((name) => ({
    transform: 'identity',
    'source-id': fieldOf(schema, name).id,
    direction: 'asc',
    'null-order': 'nulls-first',
  }));
  return { 'order-id': 1, fields };
}

/** The partition of a file of the lake by its path: `venue_mode=consolidated/year=2026` → `{ venue_mode: 'consolidated', date_year: 56 }`. */
export function partitionOf({ partitions }: LakeTable, path: string): Readonly<Record<string, string | number>> {
  const inPath = new Map(
    path.split('/').map((part) => {
      const [name, value = ''] = part.split('=');
      return [name, value] as const;
    }),
  );
  return Object.fromEntries(
    partitions.map((partition) => {
      const value = required(inPath.get(partition), `the ${partition} of ${path}`);
      return [PARTITIONS[partition].name, partition === 'year' ? Number(value) - EPOCH_YEAR : value];
    }),
  );
}

/** The file of the lake with this partition in manifests: the inverse of `partitionOf`. */
export function pathOf({ name, partitions }: LakeTable, partition: Readonly<Record<string, string | number>>): string {
  if (partitions.length === 0) return `${name}.parquet`;
  const folders = partitions.map((one) => {
    const value = partition[PARTITIONS[one].name];
    return `${one}=${one === 'year' ? Number(value) + EPOCH_YEAR : value}`;
  });
  return [name, ...folders, 'part-0.parquet'].join('/');
}

/** Years are counted from that of day 0. */
const EPOCH_YEAR = civilDate(dayOf(1970, 1, 1)).year;
