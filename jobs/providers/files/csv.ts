/** CSV files, plain or gzipped, as text and as records. Every failure names the file and the line. */

import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import Papa from 'papaparse';
import { recordOf } from '../../../engine/record-of.ts';
import { toError } from '../../../engine/thrown.ts';
import { ProviderError } from '../provider.ts';
import type { SourceDigest } from '../source-digest.ts';

/** Larger chunks parse no faster and take more memory until their rows are collected as garbage. */
const CHUNK_BYTES = 128 * 1024;
/** A file with a longer line is not CSV. */
const MAX_LINE_CHARS = 1024 * 1024;

export interface TextChunk {
  /** Whole lines. */
  readonly text: string;
  /** Number of the first of them, from 1. */
  readonly line: number;
  /** Bytes of the file read so far, compressed as on disk. */
  readonly bytesRead: number;
}

function countLines(text: string): number {
  let lines = 0;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) lines++;
  return lines;
}

/** The bytes of a file, which `digest` takes in on the way. */
async function* digested(file: AsyncIterable<Buffer>, digest: SourceDigest | undefined): AsyncGenerator<Buffer> {
  for await (const chunk of file) {
    digest?.add(chunk);
    yield chunk;
  }
}

function unzipped(bytes: AsyncIterable<Buffer>): AsyncIterable<Buffer> {
  const packed = Readable.from(bytes);
  const unpacked = packed.pipe(createGunzip({ chunkSize: CHUNK_BYTES }));
  packed.on('error', (error) => unpacked.destroy(error));
  return unpacked;
}

/** The UTF-8 text of a file in chunks of whole lines. The error for a broken file names the line. */
export async function* readText(path: string, digest?: SourceDigest): AsyncGenerator<TextChunk> {
  const file = createReadStream(path, { highWaterMark: CHUNK_BYTES });
  const onDisk = digested(file, digest);
  const bytes = path.endsWith('.gz') ? unzipped(onDisk) : onDisk;
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let rest = '';
  let line = 1;
  try {
    for await (const chunk of bytes) {
      rest += decoder.decode(chunk, { stream: true });
      if (rest.length < CHUNK_BYTES / 2) continue;
      const end = rest.lastIndexOf('\n') + 1;
      if (end === 0 && rest.length > MAX_LINE_CHARS) throw new Error('the line does not end');
      if (end === 0) continue;
      const text = rest.slice(0, end);
      yield { text, line, bytesRead: file.bytesRead };
      line += countLines(text);
      rest = rest.slice(end);
    }
    rest += decoder.decode();
  } catch (error) {
    if (error instanceof ProviderError) throw error;
    line += countLines(rest);
    throw new ProviderError(`${path}:${line}: the file cannot be read: ${toError(error).message}`, {
      cause: error,
      isLocal: true,
    });
  } finally {
    file.destroy();
  }
  if (rest !== '') yield { text: rest, line, bytesRead: file.bytesRead };
}

/** Positions of named columns in a header line. Throws when a required one is missing. */
export function columnsOf<const N extends string>(
  header: readonly string[],
  names: readonly N[],
  where: string,
  required: readonly N[] = names,
): Record<N, number> {
  const found = header.map((name) => name.trim().toLowerCase());
  const missing = required.filter((name) => !found.includes(name));
  if (missing.length > 0) {
    throw new ProviderError(
      `${where}:1: the header lacks ${missing.join(', ')}; it must name ${names.join(',')} in any order`,
      { isLocal: true },
    );
  }
  return recordOf(names, (name) => found.indexOf(name));
}

export interface CsvRecord<N extends string> {
  /** Trimmed fields; a column that the file does not have is empty. */
  readonly fields: Readonly<Record<N, string>>;
  readonly source: string;
  readonly content: string;
}

/** Records of a file with a header row, for lists that fit into memory. Quoted fields may hold line breaks. */
export async function* readRecords<const N extends string>(
  path: string,
  names: readonly N[],
  required: readonly N[],
): AsyncGenerator<CsvRecord<N>> {
  let text = '';
  for await (const chunk of readText(path)) text += chunk.text;
  const { data, errors } = Papa.parse<string[]>(text);
  const broken = errors.find((error) => error.type === 'Quotes');
  if (broken) throw new ProviderError(`${path}:${(broken.row ?? 0) + 1}: ${broken.message}`);
  const columns = columnsOf(data[0] ?? [], names, path, required);
  for (let row = 1; row < data.length; row++) {
    const values = data[row];
    if (values.length === 1 && values[0] === '') continue;
    const fields = recordOf(names, (name) => (values[columns[name]] ?? '').trim());
    yield { fields, source: `${path}:${row + 1}`, content: values.join(',') };
  }
}

export async function isReadable(path: string): Promise<boolean> {
  try {
    await (await open(path)).close();
    return true;
  } catch {
    return false;
  }
}
