/** Smaller bodies for callers that accept them, made off the event loop. */
import type { Transform } from 'node:stream';
import { promisify } from 'node:util';
import { brotliCompress, createBrotliCompress, createGzip, gzip, constants as zlib } from 'node:zlib';
import type { Request } from 'express';

export type Encoding = 'br' | 'gzip';

/** Below this many bytes a response is sent as it is: it fits into a packet. */
export const COMPRESSED_FROM_BYTES = 1024;

/** Levels at which a megabyte of JSON takes some milliseconds. */
const GZIP_LEVEL = 6;
const BROTLI_QUALITY = 4;
/** 256 KiB: a stream in hand takes about that much memory. */
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

/** The same for a body that is made while it is sent. */
export function compressor(encoding: Encoding): Transform {
  if (encoding === 'gzip') return createGzip({ level: GZIP_LEVEL });
  return createBrotliCompress({
    params: { [zlib.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY, [zlib.BROTLI_PARAM_LGWIN]: STREAM_WINDOW_BITS },
  });
}

/** The best encoding that the caller accepts; null: none. */
export function encodingOf(request: Request): Encoding | null {
  if (request.headers['accept-encoding'] === undefined) return null;
  return (request.acceptsEncodings('br') || request.acceptsEncodings('gzip') || null) as Encoding | null;
}
