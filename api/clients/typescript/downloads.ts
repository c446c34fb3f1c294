/** Files of the service, streamed; a broken download is resumed. */
import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Caller, OperationOptions } from './caller.ts';
import { ChecksumMismatch, ConnectionLost } from './errors.ts';
import { isBroken } from './transport.ts';
import type { InputOf, OperationId } from './types.ts';

/** Operations whose file is stored, so that it can be read from any offset. */
export type StoredFile = Extract<OperationId, 'downloadExport' | 'downloadSweepCells' | 'downloadFactorSeries'>;

/** The number of breaks in a row after which a download fails. */
const MAX_BREAKS = 5;
const SHA256_TAG = /^"([0-9a-f]{64})"$/;

/** The bytes of a stored file. Throws `ChecksumMismatch` after the last byte if the SHA-256 is not that of the stored file. */
export async function* download<Id extends StoredFile>(
  caller: Caller,
  id: Id,
  input: InputOf<Id>,
  options: OperationOptions = {},
): AsyncGenerator<Uint8Array, void, undefined> {
  const sum = createHash('sha256');
  let tag: string | null = null;
  let offset = 0;
  for (let breaks = 0; ; ) {
    const headers: Record<string, string> = { ...options.headers, ...rangeFrom(offset, tag) };
    const response: Response = await caller.open(id, input, async (opened) => opened, { ...options, headers });
    if (offset > 0 && response.status !== 206) throw new ChecksumMismatch('the file has changed during its download');
    tag = response.headers.get('etag');
    try {
      for await (const bytes of response.body ?? []) {
        breaks = 0;
        offset += bytes.length;
        sum.update(bytes);
        yield bytes;
      }
      break;
    } catch (error) {
      if (!isBroken(error) || tag === null || ++breaks > MAX_BREAKS) {
        throw new ConnectionLost(`the download broke at byte ${offset}`, { cause: error });
      }
    }
  }
  const expected = SHA256_TAG.exec(tag ?? '')?.[1];
  if (expected !== undefined && sum.digest('hex') !== expected) {
    throw new ChecksumMismatch('the SHA-256 of the file is not that of the stored one');
  }
}

function rangeFrom(offset: number, tag: string | null): Record<string, string> {
  return offset > 0 && tag !== null ? { Range: `bytes=${offset}-`, 'If-Range': tag } : {};
}

/** Writes bytes to a file, which appears only when it is complete. */
export async function save(bytes: AsyncIterable<Uint8Array>, file: string): Promise<void> {
  const partial = `${file}.part`;
  try {
    await pipeline(Readable.from(bytes), createWriteStream(partial));
    await rename(partial, file);
  } catch (error) {
    await rm(partial, { force: true });
    throw error;
  }
}
