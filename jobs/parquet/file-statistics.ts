/** Figures of a Parquet file for the manifests of tables, read from its own footer. */
import { type ColumnMetaData, parquetMetadata } from 'hyparquet';
import type { ColumnStatistics, FileStatistics } from '../../db/schema/lake.ts';
import { MS_PER_DAY } from '../../engine/market/dates.ts';
import { required } from '../../engine/util/values.ts';

type Bound = NonNullable<NonNullable<ColumnMetaData['statistics']>['min_value']>;

/** `tail`: the end of a file with its whole footer. */
export function fileStatistics(tail: Buffer): FileStatistics {
  const { row_groups: groups } = parquetMetadata(tail);
  const columns = groups.map((group) => group.columns.map(({ meta_data: meta }) => required(meta, 'a column chunk')));
  const byName = Map.groupBy(columns.flat(), ({ path_in_schema: [name] }) => name);
  return {
    columns: Object.fromEntries([...byName].map(([name, chunks]) => [name, columnStatistics(chunks)])),
    groups: columns.map(([first]) => Number(first.dictionary_page_offset ?? first.data_page_offset)),
  };
}

function columnStatistics(chunks: readonly ColumnMetaData[]): ColumnStatistics {
  const least = chunks.flatMap(({ statistics }) => statistics?.min_value ?? []);
  const greatest = chunks.flatMap(({ statistics }) => statistics?.max_value ?? []);
  return {
    bytes: chunks.reduce((sum, chunk) => sum + Number(chunk.total_compressed_size), 0),
    nulls: chunks.reduce((sum, { statistics }) => sum + Number(statistics?.null_count ?? 0), 0),
    bounds: least.length === 0 ? null : [boundOf(chunks, least, -1), boundOf(chunks, greatest, 1)],
  };
}

/** The least (`sign` −1) or the greatest value of all row groups, serialized. */
function boundOf([{ type }]: readonly ColumnMetaData[], values: readonly Bound[], sign: 1 | -1): string {
  const value = values.reduce((best, one) => (isGreater(one, best) === sign > 0 ? one : best));
  return serializeValue(type, value).toString('base64');
}

const isGreater = (one: Bound, other: Bound) =>
  typeof one === 'string' && typeof other === 'string'
    ? Buffer.compare(Buffer.from(one), Buffer.from(other)) > 0
    : one > other;

/** A single value as Iceberg serializes it (appendix D of its specification). */
function serializeValue(type: ColumnMetaData['type'], value: Bound): Buffer {
  if (typeof value === 'string') return Buffer.from(value);
  if (typeof value === 'boolean') return Buffer.of(value ? 1 : 0);
  const bytes = Buffer.alloc(type === 'INT32' ? 4 : 8);
  if (value instanceof Date && type === 'INT32') bytes.writeInt32LE(Math.round(value.getTime() / MS_PER_DAY));
  else if (value instanceof Date) bytes.writeBigInt64LE(BigInt(value.getTime()) * 1000n);
  else if (typeof value === 'bigint') bytes.writeBigInt64LE(value);
  else if (type === 'INT32') bytes.writeInt32LE(Number(value));
  else bytes.writeDoubleLE(Number(value));
  return bytes;
}
