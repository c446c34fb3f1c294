/** Compresses bodies for callers that accept it, off the event loop. */

import type { IncomingMessage } from 'node:http';
import type { Transform } from 'node:stream';
import { promisify } from 'node:util';
import { brotliCompress, createBrotliCompress, createGzip, gzip, constants as zlib } from 'node:zlib';
import { LRUCache } from 'lru-cache';
import Negotiator from 'negotiator';

export type Encoding = 'br' | 'gzip';

/** Shorter responses fit into one packet and are not compressed. */
export const COMPRESSED_FROM_BYTES = 1024;

/** At these levels a megabyte of JSON takes a few milliseconds. */
const GZIP_LEVEL = 6;
const BROTLI_QUALITY = 4;
/** 256 KiB, about the memory that a stream takes. */
const STREAM_WINDOW_BITS = 18;
/** Compressed bytes that a stream gives at a time. */
const STREAM_CHUNK_BYTES = 64 * 1024;

/** For bodies that are compressed once and sent often. */
const GZIP_LEVEL_ONCE = 9;
const BROTLI_QUALITY_ONCE = 9;

const compressors: Readonly<Record<Encoding, (bytes: string | Buffer, isOnce: boolean) => Promise<Buffer>>> = {
  br: (bytes, isOnce) =>
    promisify(brotliCompress)(bytes, {
      params: {
        [zlib.BROTLI_PARAM_QUALITY]: isOnce ? BROTLI_QUALITY_ONCE : BROTLI_QUALITY,
        [zlib.BROTLI_PARAM_SIZE_HINT]: Buffer.byteLength(bytes),
      },
    }),
  gzip: (bytes, isOnce) => promisify(gzip)(bytes, { level: isOnce ? GZIP_LEVEL_ONCE : GZIP_LEVEL }),
};

export function compress(bytes: string | Buffer, encoding: Encoding): Promise<Buffer> {
  return compressors[encoding](bytes, false);
}

/** Takes longer and makes less, for a body that is kept compressed. */
export function compressToKeep(bytes: string | Buffer, encoding: Encoding): Promise<Buffer> {
  return compressors[encoding](bytes, true);
}

/** A compressor for a body that is made while it is sent. */
export function compressor(encoding: Encoding): Transform {
  if (encoding === 'gzip') return createGzip({ level: GZIP_LEVEL, chunkSize: STREAM_CHUNK_BYTES });
  return createBrotliCompress({
    chunkSize: STREAM_CHUNK_BYTES,
    params: { [zlib.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY, [zlib.BROTLI_PARAM_LGWIN]: STREAM_WINDOW_BITS },
  });
}

const SERVED = ['br', 'gzip', 'identity'];

const MAX_HEADER_CHARS = 1_000;
const negotiated = new LRUCache<string, Encoding | 'identity'>({ max: 1_000, memoMethod: negotiate });

function negotiate(header: string): Encoding | 'identity' {
  const negotiator = new Negotiator({ headers: { 'accept-encoding': header } });
  const chosen = negotiator.encoding(SERVED, { preferred: SERVED });
  return chosen === 'br' || chosen === 'gzip' ? chosen : 'identity';
}

/** The encoding that the caller prefers, `br` among equals; null for none. */
export function encodingOf({ headers }: Pick<IncomingMessage, 'headers'>): Encoding | null {
  const header = headers['accept-encoding'];
  if (header === undefined || header.length > MAX_HEADER_CHARS) return null;
  const chosen = negotiated.memo(header);
  return chosen === 'identity' ? null : chosen;
}

/** The encoding of a body of so many bytes; null: it is sent as it is. */
export function encodingFor(request: Pick<IncomingMessage, 'headers'>, bytes: number): Encoding | null {
  return bytes > COMPRESSED_FROM_BYTES ? encodingOf(request) : null;
}
