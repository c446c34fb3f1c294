/** Text of a file or an answer in chunks of whole lines, with one chunk in memory. */
import { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { toError } from '../../engine/util/errors.ts';
import { ProviderError } from './provider.ts';
import type { SourceDigest } from './source-digest.ts';

/** Larger chunks parse no faster, and garbage collection copies the rows of a chunk. */
export const CHUNK_BYTES = 64 * 1024;
/** A file with a longer line is not CSV. */
const MAX_LINE_CHARS = 1024 * 1024;

export interface TextChunk {
  /** Whole lines. */
  readonly text: string;
  /** Number of the first line, from 1. */
  readonly line: number;
}

function countLines(text: string): number {
  let lines = 0;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) lines++;
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

/** Decompresses gzipped bytes; fails when they are truncated. */
export function gunzipped(bytes: AsyncIterable<Buffer>): AsyncIterable<Buffer> {
  const packed = Readable.from(bytes);
  const unpacked = packed.pipe(createGunzip({ chunkSize: CHUNK_BYTES }));
  packed.on('error', (error) => unpacked.destroy(error));
  return unpacked;
}

/** UTF-8 text in chunks of whole lines. `fault` makes the error for bytes that cannot be read at a line. */
export async function* textChunks(
  bytes: AsyncIterable<Buffer>,
  fault: (line: number, error: Error) => ProviderError,
): AsyncGenerator<TextChunk> {
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
      yield { text, line };
      line += countLines(text);
      rest = rest.slice(end);
    }
    rest += decoder.decode();
  } catch (error) {
    if (error instanceof ProviderError) throw error;
    throw fault(line + countLines(rest), toError(error));
  }
  if (rest !== '') yield { text: rest, line };
}
