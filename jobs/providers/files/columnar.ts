/** Rows of Parquet and Arrow files as lines of CSV, so that they are read like all others: line 1 has the names of the columns. */
import { readFile } from 'node:fs/promises';
import { quotedField } from '../csv-fields.ts';
import type { SourceDigest } from '../source-digest.ts';
import type { FileChunk, SourcePath } from './source-path.ts';
import { readMember } from './zip.ts';

const CHUNK_ROWS = 1_000;

export async function* columnarChunks(
  source: SourcePath,
  packing: 'parquet' | 'arrow',
  digest?: SourceDigest,
): AsyncGenerator<FileChunk> {
  const bytes = source.member
    ? Buffer.concat(await Array.fromAsync(readMember(source.disk, source.member)))
    : await readFile(source.disk);
  digest?.add(bytes);
  const { names, rows } = packing === 'parquet' ? await readParquet(bytes) : await readArrow(bytes);
  yield { lines: [lineOf(names)], line: 1, bytesRead: 0 };
  for (let from = 0; from < rows.length; from += CHUNK_ROWS) {
    const lines = rows.slice(from, from + CHUNK_ROWS).map(lineOf);
    yield { lines, line: from + 2, bytesRead: ((from + lines.length) / rows.length) * source.bytes };
  }
}

interface Rows {
  readonly names: readonly string[];
  readonly rows: readonly (readonly unknown[])[];
}

async function readParquet(bytes: Buffer): Promise<Rows> {
  const { parquetMetadataAsync, parquetReadObjects } = await import('hyparquet');
  const copy = new Uint8Array(bytes).buffer;
  const file = { byteLength: copy.byteLength, slice: (start: number, end?: number) => copy.slice(start, end) };
  const { schema } = await parquetMetadataAsync(file);
  const names = schema
    .slice(1)
    .map(({ name }) => name)
    .filter((name) => !name.startsWith('__index_level'));
  const objects = await parquetReadObjects({ file });
  return { names, rows: objects.map((row) => names.map((name) => row[name])) };
}

async function readArrow(bytes: Buffer): Promise<Rows> {
  const { tableFromIPC } = await import('apache-arrow');
  const table = tableFromIPC(bytes);
  const names = table.schema.fields.map(({ name }) => name);
  const columns = names.map((name) => table.getChild(name));
  const rows = Array.from({ length: table.numRows }, (_, i) => columns.map((column) => column?.get(i)));
  return { names, rows };
}

function lineOf(values: readonly unknown[]): string {
  return values.map(fieldOf).join(',');
}

function fieldOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  return quotedField(value instanceof Date ? value.toISOString() : String(value));
}
