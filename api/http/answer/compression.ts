/** Compresses bodies for callers that accept it, off the event loop. */
import type { Transform } from 'node:stream';
import { promisify } from 'node:util';
import { brotliCompress, createBrotliCompress, createGzip, gzip, constants as zlib } from 'node:zlib';
import type { Request } from 'express';
import Negotiator from 'negotiator';

export type Encoding = 'br' | 'gzip';

/** Shorter responses fit into one packet and are not compressed. */
export const COMPRESSED_FROM_BYTES = 1024;

/** At these levels a megabyte of JSON takes a few milliseconds. */
const GZIP_LEVEL = 6;
const BROTLI_QUALITY = 4;
/** 256 KiB, about the memory that a stream takes. */
const STREAM_WINDOW_BITS = 18;

const compressors: Readonly<Record<Encoding, (bytes: string | Buffer) => Promise<Buffer>>> = {
  br: (bytes) =>
    promisify(brotliCompress)(bytes, {
      params: {
        [zlib.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY,
        [zlib.BROTLI_PARAM_SIZE_HINT]: Buffer.byteLength(bytes),
      },
    }),
  gzip: (bytes) => promisify(gzip)(bytes, { level: GZIP_LEVEL }),
};

export function compress(bytes: string | Buffer, encoding: Encoding): Promise<Buffer> {
  return compressors[encoding](bytes);
}

/** A compressor for a body that is made while it is sent. */
export function compressor(encoding: Encoding): Transform {
  if (encoding === 'gzip') return createGzip({ level: GZIP_LEVEL });
  return createBrotliCompress({
    params: { [zlib.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY, [zlib.BROTLI_PARAM_LGWIN]: STREAM_WINDOW_BITS },
  });
}

const SERVED = ['br', 'gzip', 'identity'];

/** The encoding that the caller prefers, `br` among equals; null for none. */
export function encodingOf(request: Request): Encoding | null {
  if (request.headers['accept-encoding'] === undefined) return null;
  const chosen = new Negotiator(request).encoding(SERVED, { preferred: SERVED });
  return chosen === 'br' || chosen === 'gzip' ? chosen : null;
}
