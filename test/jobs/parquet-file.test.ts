/** Parquet files of row groups that were encoded elsewhere, and of typed columns. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { zstdDecompressSync } from 'node:zlib';
import { DuckDBInstance } from '@duckdb/node-api';
import { describe, expect, it } from '@jest/globals';
import { parquetMetadata, parquetReadObjects, type Statistics } from 'hyparquet';
import { type ColumnData, type ParquetColumn, ParquetFile } from '../../jobs/parquet/parquet-file.ts';
import { ABSENT, type Repeated } from '../../jobs/parquet/repeated-page.ts';

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

const bounds = (statistics: Statistics | undefined) => [
  statistics?.min_value,
  statistics?.max_value,
  statistics?.null_count,
];

async function rowsByDuckDb(content: Buffer): Promise<unknown[]> {
  const folder = mkdtempSync(join(tmpdir(), 'parquet-'));
  const path = join(folder, 'rows.parquet');
  writeFileSync(path, content);
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  try {
    return (await connection.runAndReadAll(`from '${path}'`)).getRowsJson();
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
  it('is the same whether its row groups are encoded in it or were encoded in files of their own', async () => {
    const file = new ParquetFile('rows', COLUMNS);
    const pieces = GROUPS.flatMap((group) => file.append(fileOf([group])));
    const joined = Buffer.concat([...pieces, file.finish()]);
    expect(partsOf(joined)).toEqual(partsOf(fileOf(GROUPS)));
    const rows = await parquetReadObjects({ file: arrayBufferOf(joined), compressors });
    expect(rows).toHaveLength(48);
    expect(rows[41]).toMatchObject({ symbol: 'B2.US', count: 2 });
  });

  it('takes all row groups of a file', () => {
    const file = new ParquetFile('rows', COLUMNS);
    const joined = Buffer.concat([...file.append(fileOf(GROUPS)), ...file.append(fileOf(GROUPS)), file.finish()]);
    const metadata = parquetMetadata(arrayBufferOf(joined));
    expect(metadata.num_rows).toBe(96n);
    expect(metadata.row_groups.map(({ num_rows }) => num_rows)).toEqual([40n, 7n, 1n, 40n, 7n, 1n]);
    expect(partsOf(joined)).toEqual(partsOf(fileOf([...GROUPS, ...GROUPS])));
  });

  it('is the same for typed columns as for values, whose absence is NaN or has no place', async () => {
    const columns = [...COLUMNS, { ...COLUMNS[3], name: 'nothing' }, { ...COLUMNS[1], name: 'never' }];
    const rows = 41;
    const perRow = <T>(of: (row: number) => T) => Array.from({ length: rows }, (_, row) => of(row));
    // The greatest text in the order of bytes is not the greatest in that of UTF-16.
    const symbol = perRow((row) => ['S9.US', 'S10.US', '\u{1f4c8}.US', '\uff33.US', 'S9.HK'][Math.floor(row / 10)]);
    const day = perRow((row) => (row % 5 === 0 ? null : 19_000 - (row % 3)));
    const count = perRow(() => 7);
    const figure = perRow((row) => (row % 5 === 0 ? null : Math.sin(row)));
    const absent = perRow(() => null);
    const typed = (values: readonly (number | null)[]) => Float64Array.from(values, (value) => value ?? Number.NaN);
    const repeated = (values: readonly (string | number | null)[]): Repeated => {
      const known = [...new Set(values.filter((value) => value !== null))];
      return {
        values: known,
        places: Int32Array.from(values, (value) => (value === null ? ABSENT : known.indexOf(value))),
      };
    };
    const valueByValue = new ParquetFile('rows', columns);
    const data = [symbol, day, count, figure, absent, absent];
    const expected = Buffer.concat([valueByValue.group(data, rows), valueByValue.finish()]);
    const file = new ParquetFile('rows', columns);
    const group = [repeated(symbol), repeated(day), repeated(count), typed(figure), typed(absent), repeated(absent)];
    const bytes = Buffer.concat([file.typedGroup(group, rows), file.finish()]);
    const read = (content: Buffer) => parquetReadObjects({ file: arrayBufferOf(content), compressors });
    expect(await read(bytes)).toEqual(await read(expected));
    const described = (content: Buffer) =>
      parquetMetadata(arrayBufferOf(content)).row_groups.map(({ num_rows, columns: chunks }) => ({
        num_rows,
        chunks: chunks.map(({ meta_data: meta }) => [meta?.path_in_schema, meta?.num_values, bounds(meta?.statistics)]),
      }));
    expect(described(bytes)).toEqual(described(expected));
    expect(await rowsByDuckDb(bytes)).toEqual(await rowsByDuckDb(expected));
  });
});
