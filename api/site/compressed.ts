/** Assets as browsers accept them, made once: they never change, so that the best compression pays. */
import { promisify } from 'node:util';
import { brotliCompress, gzip, constants as zlib } from 'node:zlib';
import type { Encoding } from '../http/answer/compression.ts';
import type { Asset } from './assets.ts';

const BROTLI_QUALITY = 10;
const GZIP_LEVEL = 9;

const compressors: Readonly<Record<Encoding, (bytes: Buffer) => Promise<Buffer>>> = {
  br: (bytes) => promisify(brotliCompress)(bytes, { params: { [zlib.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } }),
  gzip: (bytes) => promisify(gzip)(bytes, { level: GZIP_LEVEL }),
};

const made = new WeakMap<Asset, Partial<Record<Encoding, Promise<Buffer>>>>();

export function compressedAsset(asset: Asset, encoding: Encoding): Promise<Buffer> {
  const known = made.get(asset) ?? {};
  made.set(asset, known);
  known[encoding] ??= compressors[encoding](asset.bytes);
  return known[encoding];
}
