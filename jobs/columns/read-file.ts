/** The lines of a file that an account brings: CSV and NDJSON, as they are or compressed, Parquet, and Arrow. */
import { createReadStream } from 'node:fs';
import { type FileHandle, open, stat } from 'node:fs/promises';
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib';
import { DataType, RecordBatchReader } from 'apache-arrow';
import { asyncBufferFromFile, parquetMetadataAsync, parquetRead } from 'hyparquet';
import { toError } from '../../engine/util/errors.ts';
import type { FileAccount } from '../providers/file-account.ts';
import { packingOf } from '../providers/files/open-file.ts';
import { ProviderError } from '../providers/provider.ts';
import { CHUNK_BYTES, decompressed, quotedField, textChunks } from '../providers/text-chunks.ts';
import { type FileCount, OverQuota } from './bounds.ts';
import { FileRefused, IsLabels, type ReadsLines } from './line-reader.ts';
import { TextLines, textOf } from './text-lines.ts';

type Layout = 'csv' | 'ndjson' | 'parquet' | 'arrow';

/** The reading of a file. */
export interface FileReading {
  readonly reader: ReadsLines;
  readonly account: FileAccount;
  readonly count: FileCount;
  /** Called where the store of rows is full. */
  readonly flush: () => Promise<void>;
  /** Called often, with the share of the file that has been read. */
  readonly report: (share: number) => Promise<void>;
}

/** Reads a whole file. Throws `FileRefused` where it is none, and `IsLabels`. Returns its layout. */
export async function readColumnFile(path: string, reading: FileReading): Promise<Layout> {
  const start = await startOf(path);
  try {
    if (start.length === 0) throw new FileRefused('the file is empty');
    return await READERS[kindOf(start)](path, reading);
  } catch (error) {
    if (error instanceof FileRefused || error instanceof IsLabels || error instanceof OverQuota) throw error;
    if (error instanceof ProviderError) throw new FileRefused(error.message);
    if (isTextFault(error) || kindOf(start) === 'plain') throw error;
    throw new FileRefused(`the file cannot be read: ${toError(error).message}`);
  }
}

/** Whether the disk or the database failed, and not the content of the file. */
function isTextFault(error: unknown): boolean {
  return toError(error).name === 'AbortError' || 'code' in toError(error);
}

const START_BYTES = 4_096;
/** An Arrow stream begins with a mark of continuation. */
const ARROW_STREAM = Buffer.from([0xff, 0xff, 0xff, 0xff]);

async function startOf(path: string): Promise<Buffer> {
  const file = await open(path);
  try {
    const { bytesRead, buffer } = await file.read(Buffer.alloc(START_BYTES), 0, START_BYTES, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

type Kind = keyof typeof READERS;

function kindOf(start: Buffer): Kind {
  if (start.subarray(0, 4).equals(ARROW_STREAM)) return 'arrow_stream';
  const packing = packingOf(start);
  if (packing === 'zip' || packing === 'wide') throw new FileRefused('send the file that is in the zip archive');
  return packing;
}

const READERS = {
  plain: (path: string, reading: FileReading) => readText(path, null, reading),
  gzip: (path: string, reading: FileReading) => readText(path, 'gzip', reading),
  zstd: (path: string, reading: FileReading) => readText(path, 'zstd', reading),
  parquet: readParquet,
  arrow: (path: string, reading: FileReading) =>
    withFile(path, async (file) => readArrow(await RecordBatchReader.from(file), reading)),
  arrow_stream: async (path: string, reading: FileReading) =>
    readArrow(await RecordBatchReader.from(createReadStream(path)), reading),
};

async function withFile<T>(path: string, read: (file: FileHandle) => Promise<T>): Promise<T> {
  const file = await open(path);
  try {
    return await read(file);
  } finally {
    await file.close();
  }
}

async function readText(path: string, packing: 'gzip' | 'zstd' | null, reading: FileReading): Promise<Layout> {
  const { account, reader, count, flush, report } = reading;
  const { size } = await stat(path);
  let bytesRead = 0;
  async function* counted(): AsyncGenerator<Buffer> {
    for await (const chunk of createReadStream(path, { highWaterMark: CHUNK_BYTES })) {
      bytesRead += chunk.length;
      yield chunk;
    }
  }
  async function* unpacked(): AsyncGenerator<Buffer> {
    for await (const chunk of packing === null ? counted() : decompressed(counted(), packing)) {
      count.add(0, chunk.length);
      yield chunk;
    }
  }
  const fault = (line: number, error: Error) =>
    new ProviderError(`line ${line} cannot be read: ${error.message}`, { cause: error, isLocal: true });
  const lines = new TextLines(account, reader);
  for await (const chunk of textChunks(unpacked(), fault)) {
    account.lines += chunk.lines.length;
    count.add(chunk.lines.length);
    for (const [i, content] of chunk.lines.entries()) if (lines.read(content, chunk.line + i)) await flush();
    await report(bytesRead / size);
  }
  return lines.layout;
}

/** A column of a file: its values, and how those are written as text. */
interface FileColumn {
  readonly get: (row: number) => unknown;
  readonly textOf: (value: unknown) => string;
}

/** Reads rows of columns. Returns how many there are. */
async function readRows(columns: readonly FileColumn[], rows: number, reading: FileReading): Promise<void> {
  const { account, reader, flush } = reading;
  const first = account.lines + 1;
  account.lines += rows;
  for (let row = 0; row < rows; row++) {
    const fields = columns.map(({ get, textOf }) => textOf(get(row)));
    const isFull = reader.read(fields, first + row, () => fields.map(quotedField).join(','));
    if (isFull) await flush();
  }
}

const COMPRESSORS = {
  GZIP: (bytes: Uint8Array) => gunzipSync(bytes),
  ZSTD: (bytes: Uint8Array) => zstdDecompressSync(bytes),
  BROTLI: (bytes: Uint8Array) => brotliDecompressSync(bytes),
};

async function readParquet(path: string, reading: FileReading): Promise<Layout> {
  const file = await asyncBufferFromFile(path);
  const metadata = await parquetMetadataAsync(file);
  const fields = metadata.schema.slice(1).filter(({ name }) => !name.startsWith('__index_level'));
  if (fields.some(({ num_children }) => num_children)) throw new FileRefused('its columns are nested');
  reading.reader.readHeader(fields.map(({ name }) => name));
  let rowStart = 0;
  for (const group of metadata.row_groups) {
    const rowEnd = rowStart + Number(group.num_rows);
    reading.count.add(rowEnd - rowStart);
    const values = new Map(fields.map(({ name }) => [name, new Array<unknown>(rowEnd - rowStart)]));
    await parquetRead({
      file,
      metadata,
      rowStart,
      rowEnd,
      columns: fields.map(({ name }) => name),
      compressors: COMPRESSORS,
      onChunk: ({ columnName, columnData, rowStart: from }) => {
        const column = values.get(columnName);
        for (let i = 0; column && i < columnData.length; i++) column[from - rowStart + i] = columnData[i];
      },
    });
    const columns = fields.map(({ name, converted_type, logical_type: type }): FileColumn => {
      const column = values.get(name) ?? [];
      const isLocal = converted_type === 'DATE' || (type?.type === 'TIMESTAMP' && !type.isAdjustedToUTC);
      return { get: (row) => column[row], textOf: (value) => cellText(value, isLocal) };
    });
    await readRows(columns, rowEnd - rowStart, reading);
    rowStart = rowEnd;
    await reading.report(rowEnd / Number(metadata.num_rows));
  }
  return 'parquet';
}

async function readArrow(reader: RecordBatchReader, reading: FileReading): Promise<Layout> {
  await reader.open();
  const { fields } = reader.schema;
  reading.reader.readHeader(fields.map(({ name }) => name));
  for await (const batch of reader) {
    reading.count.add(batch.numRows);
    const columns = fields.map(({ type: given }, i): FileColumn => {
      const type = DataType.isDictionary(given) ? given.dictionary : given;
      const vector = batch.getChildAt(i);
      const isTime = DataType.isTimestamp(type) || DataType.isDate(type);
      const isLocal = DataType.isDate(type) || (DataType.isTimestamp(type) && !type.timezone);
      const textOf = (value: unknown) =>
        cellText(isTime && typeof value === 'number' ? new Date(value) : value, isLocal);
      return { get: (row) => vector?.get(row), textOf };
    });
    await readRows(columns, batch.numRows, reading);
    await reading.report(0.5);
  }
  return 'arrow';
}

/** `isLocal`: a time without a zone is New York's; at midnight it is a day. */
function cellText(value: unknown, isLocal: boolean): string {
  if (value instanceof Date) {
    const text = value.toISOString();
    if (text.endsWith('T00:00:00.000Z') && isLocal) return text.slice(0, 10);
    return isLocal ? text.slice(0, -1) : text;
  }
  return typeof value === 'number' && Number.isNaN(value) ? '' : textOf(value);
}
