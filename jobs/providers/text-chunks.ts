/** Text of a file or an answer: in chunks of whole lines, with one chunk in memory, and the fields of a line. */
import { pipeline, Readable } from 'node:stream';
import { createGunzip, createZstdDecompress } from 'node:zlib';
import Papa from 'papaparse';
import { toError } from '../../engine/util/errors.ts';
import { fromKeys } from '../../engine/util/values.ts';
import type { SourceDigest } from './file-account.ts';
import { ProviderError } from './provider.ts';

/** Larger chunks parse no faster, and garbage collection copies the rows of a chunk. */
export const CHUNK_BYTES = 64 * 1024;
/** A file with a longer line is not CSV. */
const MAX_LINE_CHARS = 1024 * 1024;

export interface TextChunk {
  /** Whole lines, without their ends. */
  readonly lines: readonly string[];
  /** Number of the first line, from 1. */
  readonly line: number;
}

/** The lines of a text that ends with a line, without their ends: LF, CRLF, or CR, which may differ from line to line. */
function splitLines(text: string): string[] {
  const lines = text.includes('\r') ? text.split(/\r\n|\r|\n/) : text.split('\n');
  if (lines[lines.length - 1] === '') lines.pop();
  return lines;
}

/** Passes the bytes through and adds them to `digest`. */
export async function* digested(
  bytes: AsyncIterable<Buffer>,
  digest: SourceDigest | undefined,
): AsyncGenerator<Buffer> {
  for await (const chunk of bytes) {
    digest?.add(chunk);
    yield chunk;
  }
}

/** Decompresses bytes; fails when they are truncated. Who stops reading closes their source. */
export function decompressed(bytes: AsyncIterable<Buffer>, packing: 'gzip' | 'zstd'): AsyncIterable<Buffer> {
  const unpacked = packing === 'gzip' ? createGunzip({ chunkSize: CHUNK_BYTES }) : createZstdDecompress();
  // An error ends the reading.
  pipeline(Readable.from(bytes), unpacked, () => {});
  return unpacked;
}

/** The decoder of the byte-order mark of UTF-16, or of UTF-8. It fails at bytes of another encoding. */
function decoderOf(start: Buffer) {
  const isUtf16 = start[0] === 0xff && start[1] === 0xfe;
  const isUtf16Reversed = start[0] === 0xfe && start[1] === 0xff;
  return new TextDecoder(isUtf16 ? 'utf-16le' : isUtf16Reversed ? 'utf-16be' : 'utf-8', { fatal: true });
}

/** Characters of `text` up to the end of its last whole line. A CR at the end may be the first half of a CRLF. */
function wholeLines(text: string): number {
  return Math.max(text.lastIndexOf('\n'), text.lastIndexOf('\r', text.length - 2)) + 1;
}

/** Text in chunks of whole lines. `fault` makes the error for bytes that cannot be read at a line. */
export async function* textChunks(
  bytes: AsyncIterable<Buffer>,
  fault: (line: number, error: Error) => ProviderError,
): AsyncGenerator<TextChunk> {
  let decoder: ReturnType<typeof decoderOf> | undefined;
  let rest = '';
  let line = 1;
  try {
    for await (const chunk of bytes) {
      decoder ??= decoderOf(chunk);
      rest += decoder.decode(chunk, { stream: true });
      if (rest.length < CHUNK_BYTES / 2) continue;
      const end = wholeLines(rest);
      if (end === 0 && rest.length > MAX_LINE_CHARS) throw new Error('the line does not end');
      if (end === 0) continue;
      const lines = splitLines(rest.slice(0, end));
      yield { lines, line };
      line += lines.length;
      rest = rest.slice(end);
    }
    rest += decoder?.decode() ?? '';
  } catch (error) {
    if (error instanceof ProviderError) throw error;
    throw fault(line + splitLines(rest.slice(0, wholeLines(rest))).length, toError(error));
  }
  if (rest !== '') yield { lines: splitLines(rest), line };
}

export const DELIMITERS = [',', ';', '\t', '|'] as const;
export type Delimiter = (typeof DELIMITERS)[number];

/** The delimiter that a header line has most of; a comma when it has none. */
export function delimiterOf(header: string): Delimiter {
  const count = (delimiter: string) => header.split(delimiter).length;
  return DELIMITERS.reduce((best, other) => (count(other) > count(best) ? other : best));
}

/** The fields of a line; null when its quotes are wrong. Only lines with a quote need the parser, and most have none. */
export function splitFields(line: string, delimiter: string): string[] | null {
  return line.includes('"') ? splitQuoted(line, delimiter) : line.split(delimiter);
}

function splitQuoted(line: string, delimiter: string): string[] | null {
  const { data, errors } = Papa.parse<string[]>(line, { delimiter, newline: '\n' });
  return errors.length > 0 ? null : data[0];
}

/** A field of a line as it is written; a line break in it becomes a space, because a record is one line. */
export function quotedField(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""').replaceAll(/[\r\n]+/g, ' ')}"` : text;
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
  return fromKeys(names, (name) => found.indexOf(name));
}
