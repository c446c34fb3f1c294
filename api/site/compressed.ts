/** Assets as browsers accept them, made once: they never change, so that the best compression pays. */
import { promisify } from 'node:util';
import { brotliCompress, gzip, constants as zlib } from 'node:zlib';
import type { Request } from 'express';
import Negotiator from 'negotiator';
import type { Asset } from './assets.ts';

export type Encoding = 'br' | 'gzip';

const BROTLI_QUALITY = 10;
const GZIP_LEVEL = 9;

const compressors: Readonly<Record<Encoding, (bytes: Buffer) => Promise<Buffer>>> = {
  br: (bytes) => promisify(brotliCompress)(bytes, { params: { [zlib.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } }),
  gzip: (bytes) => promisify(gzip)(bytes, { level: GZIP_LEVEL }),
};

/** The encoding that the caller prefers; null for none. */
export function encodingOf(request: Request): Encoding | null {
  const chosen = new Negotiator(request).encoding(['br', 'gzip', 'identity'], { preferred: ['br', 'gzip'] });
  return chosen === 'br' || chosen === 'gzip' ? chosen : null;
}

const made = new WeakMap<Asset, Partial<Record<Encoding, Promise<Buffer>>>>();

export function compressedAsset(asset: Asset, encoding: Encoding): Promise<Buffer> {
  const known = made.get(asset) ?? {};
  made.set(asset, known);
  known[encoding] ??= compressors[encoding](asset.bytes);
  return known[encoding];
}
