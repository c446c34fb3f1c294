/** Parquet files of row groups that were encoded elsewhere, and the Bloom filters of row groups. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { zstdDecompressSync } from 'node:zlib';
import { DuckDBInstance } from '@duckdb/node-api';
import { describe, expect, it } from '@jest/globals';
import { parquetMetadata, parquetReadObjects } from 'hyparquet';
import { type ColumnData, type ParquetColumn, ParquetFile } from '../../../jobs/parquet/parquet-file.ts';

const COLUMNS: readonly ParquetColumn[] = [
  { name: 'symbol', type: 'text' },
  { name: 'day', type: 'date', isOptional: true },
  { name: 'count', type: 'int32' },
  { name: 'figure', type: 'double', isOptional: true },
];
const compressors = { ZSTD: (input: Uint8Array) => new Uint8Array(zstdDecompressSync(input)) };

/** Values that repeat (so that a dictionary is made), differ, and are absent. */
function groupOf(rows: number, seed: number): ColumnData[] {
  const perRow = <T>(of: (row: number) => T) => Array.from({ length: rows }, (_, row) => of(row));
  return [
    perRow((row) => `${'AB'[row % 2]}${seed}.US`),
    perRow((row) => (row % 3 === 0 ? null : 19_000 + row)),
    perRow((row) => row * seed),
    perRow((row) => (row % 5 === 0 ? null : Math.sin(row + seed))),
  ];
}

const GROUPS = [groupOf(40, 1), groupOf(7, 2), groupOf(1, 3)];

function fileOf(groups: readonly ColumnData[][]): Buffer {
  const file = new ParquetFile('rows', COLUMNS);
  return Buffer.concat([...groups.map((group) => file.group(group, group[0].length)), file.finish()]);
}

const arrayBufferOf = (bytes: Buffer) => new Uint8Array(bytes).buffer;

const rowsByDuckDb = (content: Buffer) => askDuckDb(content, (path) => `from '${path}'`);

async function askDuckDb(content: Buffer, query: (path: string) => string): Promise<unknown[]> {
  const folder = mkdtempSync(join(tmpdir(), 'parquet-'));
  const path = join(folder, 'rows.parquet');
  writeFileSync(path, content);
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  try {
    return (await connection.runAndReadAll(query(path))).getRowsJson();
  } finally {
    connection.closeSync();
    instance.closeSync();
    rmSync(folder, { recursive: true });
  }
}

/** The encoded values, and their description. */
function partsOf(file: Buffer) {
  const { metadata_length, ...metadata } = parquetMetadata(arrayBufferOf(file));
  return { values: file.subarray(0, -metadata_length - 8), metadata };
}

describe('a Parquet file', () => {
  it('is the same whether its row groups are encoded in it or were appended from other files', async () => {
    const file = new ParquetFile('rows', COLUMNS);
    const pieces = GROUPS.flatMap((group) => file.append(fileOf([group])));
    const joined = Buffer.concat([...pieces, file.finish()]);
    expect(partsOf(joined)).toEqual(partsOf(fileOf(GROUPS)));
    const rows = await parquetReadObjects({ file: arrayBufferOf(joined), compressors });
    expect(rows).toHaveLength(48);
    expect(rows[41]).toMatchObject({ symbol: 'B2.US', count: 2 });
    expect(await rowsByDuckDb(joined)).toEqual(await rowsByDuckDb(fileOf(GROUPS)));
  });

  it('has no list of further facts without any: strict readers refuse an empty one', () => {
    const footer = (metadata?: Record<string, string>) => {
      const file = new ParquetFile('rows', COLUMNS, { metadata });
      const content = Buffer.concat([file.group(GROUPS[0], GROUPS[0][0].length), file.finish()]);
      return parquetMetadata(arrayBufferOf(content)).key_value_metadata;
    };
    expect([footer({ source: 'test' }), footer()]).toEqual([[{ key: 'source', value: 'test' }], undefined]);
  });

  it('appends all row groups of a file', () => {
    const file = new ParquetFile('rows', COLUMNS);
    const joined = Buffer.concat([...file.append(fileOf(GROUPS)), ...file.append(fileOf(GROUPS)), file.finish()]);
    const metadata = parquetMetadata(arrayBufferOf(joined));
    expect(metadata.num_rows).toBe(96n);
    expect(metadata.row_groups.map(({ num_rows }) => num_rows)).toEqual([40n, 7n, 1n, 40n, 7n, 1n]);
    expect(partsOf(joined)).toEqual(partsOf(fileOf([...GROUPS, ...GROUPS])));
  });

  it('tells by its filters which row groups cannot have a value that rows are looked up by', async () => {
    const [symbol, ...others] = COLUMNS;
    const file = new ParquetFile('rows', [{ ...symbol, isLookedUp: true }, ...others]);
    const content = Buffer.concat([...GROUPS.map((group) => file.group(group, group[0].length)), file.finish()]);
    const isExcluded = async (value: string) => {
      const rows = await askDuckDb(
        content,
        (path) => `select bloom_filter_excludes
        from parquet_bloom_probe('${path}', 'symbol', '${value}') order by row_group_id`,
      );
      return rows.flat();
    };
    expect(await isExcluded('A1.US')).toEqual([false, true, true]);
    expect(await isExcluded('B2.US')).toEqual([true, false, true]);
    expect(await isExcluded('C1.US')).toEqual([true, true, true]);
  });
});
