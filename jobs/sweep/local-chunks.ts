/**
 * The cells of all chunks of a sweep in a file on the local disk. Its result needs some combinations of every chunk at a time, and the
 * storage would be asked for each of these parts.
 */
import { type FileHandle, mkdir, mkdtemp, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { CellBlock } from '../../engine/sweep/cells.ts';
import type { JobContext } from '../contracts/job-context.ts';
import { type ChunkObject, chunkBytes, combinationBytes, rangeBytes, readChunk } from './chunk-object.ts';

/** Objects that are read at once. */
export const PARALLEL_READS = 8;

type LocalContext = Pick<JobContext, 'storage' | 'workFolder' | 'signal'>;

/** Reads each chunk from the storage once, and removes the file when `use` is done. */
export async function withLocalChunks<T>(
  { storage, workFolder, signal }: LocalContext,
  chunks: readonly ChunkObject[],
  combinations: number,
  use: (local: LocalChunks) => Promise<T>,
): Promise<T> {
  await mkdir(workFolder, { recursive: true, mode: 0o700 });
  const folder = await mkdtemp(join(workFolder, 'sweep-'));
  try {
    const file = await open(join(folder, 'chunks'), 'wx+', 0o600);
    try {
      const local = new LocalChunks(file, chunks, combinations);
      for (let at = 0; at < chunks.length; at += PARALLEL_READS) {
        signal.throwIfAborted();
        const some = chunks.slice(at, at + PARALLEL_READS);
        await Promise.all(
          some.map(async (chunk, i) => local.write(at + i, await readChunk(storage, chunk, combinations))),
        );
      }
      return await use(local);
    } finally {
      await file.close();
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

export class LocalChunks {
  private readonly file: FileHandle;
  private readonly chunks: readonly ChunkObject[];
  private readonly combinations: number;
  /** Where each chunk begins in the file. */
  private readonly offsets: readonly number[];

  constructor(file: FileHandle, chunks: readonly ChunkObject[], combinations: number) {
    this.file = file;
    this.chunks = chunks;
    this.combinations = combinations;
    let next = 0;
    this.offsets = chunks.map(({ instruments }) => {
      const offset = next;
      next += chunkBytes(instruments, combinations);
      return offset;
    });
  }

  async write(chunk: number, bytes: Uint8Array): Promise<void> {
    await this.file.write(bytes, 0, bytes.length, this.offsets[chunk]);
  }

  /** Some combinations of every chunk, in their order, without the ranges of the instruments. */
  blocks(from: number, count: number): Promise<CellBlock[]> {
    return Promise.all(
      this.chunks.map(async ({ instruments }, chunk) => {
        const each = combinationBytes(instruments);
        const figures = await this.read(chunk, rangeBytes(instruments) + from * each, count * each);
        return new CellBlock(instruments, count, undefined, new Float64Array(figures));
      }),
    );
  }

  /** A whole chunk. */
  async block(chunk: number): Promise<CellBlock> {
    const { instruments } = this.chunks[chunk];
    const bytes = await this.read(chunk, 0, chunkBytes(instruments, this.combinations));
    const figures = new Float64Array(bytes.slice(rangeBytes(instruments)));
    return new CellBlock(
      instruments,
      this.combinations,
      new Int32Array(bytes, 0, rangeBytes(instruments) / 4),
      figures,
    );
  }

  /** The ranges of the instruments of every chunk. */
  ranges(): Promise<CellBlock[]> {
    return Promise.all(
      this.chunks.map(async ({ instruments }, chunk) => {
        const ranges = await this.read(chunk, 0, rangeBytes(instruments));
        return new CellBlock(instruments, 0, new Int32Array(ranges));
      }),
    );
  }

  private async read(chunk: number, start: number, length: number): Promise<ArrayBuffer> {
    const bytes = new Uint8Array(length);
    const { bytesRead } = await this.file.read(bytes, 0, length, this.offsets[chunk] + start);
    if (bytesRead !== length) throw new Error('the local file of the chunks is cut off');
    return bytes.buffer;
  }
}
