/** The text of a file by its content: plain, gzip, Zstandard, a member of a zip archive, Parquet, or Arrow. */
import * as fs from 'node:fs';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { toError } from '../../../engine/util/errors.ts';
import type { SourceDigest } from '../file-account.ts';
import { ProviderError } from '../provider.ts';
import { CHUNK_BYTES, decompressed, digested, quotedField, textChunks } from '../text-chunks.ts';
import type { FileChunk, Packing, SourcePath } from './source-path.ts';
import { wideRows } from './wide.ts';
import { readMember } from './zip.ts';

const MAGIC: readonly (readonly [Packing, readonly number[]])[] = [
  ['gzip', [0x1f, 0x8b]],
  ['zstd', [0x28, 0xb5, 0x2f, 0xfd]],
  ['zip', [0x50, 0x4b, 0x03, 0x04]],
  ['parquet', [0x50, 0x41, 0x52, 0x31]],
  ['arrow', [0x41, 0x52, 0x52, 0x4f, 0x57, 0x31]],
];
const NAMES: Readonly<Record<string, Packing>> = { gz: 'gzip', zst: 'zstd', zip: 'zip', parquet: 'parquet' };

export function packingOf(start: Uint8Array): Packing {
  return MAGIC.find(([, magic]) => magic.every((byte, i) => start[i] === byte))?.[0] ?? 'plain';
}

/** Describes a name whose end says another packing than the content; null: they agree. */
export function describeLie(path: string, packing: Packing): string | null {
  const named = NAMES[path.toLowerCase().split('.').at(-1) ?? ''] ?? (/\.(csv|txt)$/i.test(path) ? 'plain' : packing);
  return named === packing ? null : `the name says ${named}, the content is ${packing}; it was read by its content`;
}

/** The first bytes of a file or member, a chunk at most. */
export interface FileStart {
  readonly bytes: Buffer;
  /** Whether nothing follows. */
  readonly isWhole: boolean;
}

export async function readStart(source: SourcePath): Promise<FileStart> {
  if (source.member) {
    for await (const bytes of readMember(source.disk, source.member)) return { bytes, isWhole: false };
    return { bytes: Buffer.alloc(0), isWhole: true };
  }
  const file = await open(source.disk, 'r');
  try {
    const buffer = Buffer.allocUnsafe(Math.min(CHUNK_BYTES, source.bytes + 1));
    const { bytesRead } = await read(file, buffer, 0, buffer.length, 0);
    return { bytes: buffer.subarray(0, bytesRead), isWhole: bytesRead < buffer.length };
  } finally {
    // A file that was only read is closed at once, in a tenth of the time that a thread takes to do it.
    fs.closeSync(file);
  }
}

/** A folder may have a small file for each ticker, and a `FileHandle` takes twice as long. */
const [open, read] = [promisify(fs.open), promisify(fs.read)];

/** A disk takes longer to open a small file than a core to read it. */
const TOGETHER = 64;

/** The results of `read` for all files, in their order, several of them at a time. */
export async function* readTogether<F, T>(files: readonly F[], read: (file: F) => Promise<T>): AsyncGenerator<[F, T]> {
  for (let i = 0; i < files.length; i += TOGETHER) {
    const together = files.slice(i, i + TOGETHER);
    const results = await Promise.all(together.map(read));
    for (const [j, file] of together.entries()) yield [file, results[j]];
  }
}

/** The whole of a small file; undefined: it is long, or packed with others, or cannot be read, which its reader tells. */
export async function readSmall(file: SourcePath): Promise<FileStart | undefined> {
  return file.bytes >= CHUNK_BYTES || file.member ? undefined : readStart(file).catch(() => undefined);
}

/** A folder may have a small file for each ticker, so none is opened twice. */
async function* bytesOf(source: SourcePath, start?: FileStart): AsyncGenerator<Buffer> {
  if (source.member) return yield* readMember(source.disk, source.member);
  const { bytes, isWhole } = start ?? (await readStart(source));
  if (bytes.length > 0) yield bytes;
  if (!isWhole) yield* fs.createReadStream(source.disk, { start: bytes.length, highWaterMark: CHUNK_BYTES });
}

/**
 * The lines of a file in chunks. A `ProviderError` with the line when it cannot be read. `digest` takes in its bytes; `start`: those
 * that have been read.
 */
export async function* readFileLines(
  source: SourcePath,
  packing: Packing,
  digest?: SourceDigest,
  start?: FileStart,
): AsyncGenerator<FileChunk> {
  const fault = (line: number, error: Error) =>
    new ProviderError(`${source.path}:${line}: the file cannot be read: ${error.message}`, {
      cause: error,
      isLocal: true,
    });
  if (packing === 'parquet' || packing === 'arrow') {
    try {
      yield* columnarChunks(source, packing, digest);
    } catch (error) {
      throw error instanceof ProviderError ? error : fault(1, toError(error));
    }
    return;
  }
  if (packing === 'wide') {
    yield* wideRows(readFileLines(source, 'plain', digest, start));
    return;
  }
  let bytesRead = 0;
  const counted = async function* () {
    for await (const chunk of digested(bytesOf(source, start), digest)) {
      bytesRead += chunk.length;
      yield chunk;
    }
  };
  const bytes = packing === 'gzip' || packing === 'zstd' ? decompressed(counted(), packing) : counted();
  for await (const chunk of textChunks(bytes, fault)) yield { ...chunk, bytesRead };
}

const CHUNK_ROWS = 1_000;

async function* columnarChunks(
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
