/** The text of a file by its content: plain, gzip, Zstandard, a member of a zip archive, Parquet, or Arrow. */
import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { createGunzip, createZstdDecompress } from 'node:zlib';
import { toError } from '../../../engine/util/errors.ts';
import { ProviderError } from '../provider.ts';
import type { SourceDigest } from '../source-digest.ts';
import { CHUNK_BYTES, digested, textChunks } from '../text-chunks.ts';
import { columnarChunks } from './columnar.ts';
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

/** The first bytes of a file or member. */
export async function readStart(source: SourcePath): Promise<Buffer> {
  if (source.member) {
    for await (const chunk of readMember(source.disk, source.member)) return chunk;
    return Buffer.alloc(0);
  }
  const file = await open(source.disk);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(8), 0, 8, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

/** The lines of a file in chunks. A `ProviderError` with the line when it cannot be read. `digest` takes in its bytes. */
export async function* readFileLines(
  source: SourcePath,
  packing: Packing,
  digest?: SourceDigest,
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
    yield* wideRows(readFileLines(source, 'plain', digest));
    return;
  }
  let bytesRead = 0;
  const stream = source.member
    ? readMember(source.disk, source.member)
    : createReadStream(source.disk, { highWaterMark: CHUNK_BYTES });
  const counted = async function* () {
    for await (const chunk of digested(stream, digest)) {
      bytesRead += chunk.length;
      yield chunk;
    }
  };
  try {
    for await (const chunk of textChunks(unpacked(counted(), packing), fault)) yield { ...chunk, bytesRead };
  } finally {
    if (stream instanceof Readable) stream.destroy();
  }
}

function unpacked(bytes: AsyncIterable<Buffer>, packing: Packing): AsyncIterable<Buffer> {
  if (packing === 'plain') return bytes;
  const packed = Readable.from(bytes);
  const out = packed.pipe(packing === 'gzip' ? createGunzip({ chunkSize: CHUNK_BYTES }) : createZstdDecompress());
  packed.on('error', (error) => out.destroy(error));
  return out;
}
