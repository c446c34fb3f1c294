/** A file of the lake on the local disk, before it is stored. */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import type { FileStatistics } from '../../db/schema/lake.ts';
import { fileStatistics } from '../parquet/file-statistics.ts';
import type { FilePiece } from './bar-files.ts';

export interface BuiltFile {
  /** Its path in the manifest. */
  readonly path: string;
  readonly rows: number;
  readonly bytes: number;
  readonly sha256: string;
  /** Digest of what it was made from. */
  readonly source: string;
  readonly statistics: FileStatistics;
  readonly open: () => Readable;
}

export class LocalFile {
  private readonly path: string;
  private readonly source: string;
  private readonly local: string;
  private readonly handle: FileHandle;
  private readonly hash = createHash('sha256');
  private rows = 0;
  private bytes = 0;
  /** The last piece, which has the footer. */
  private tail: Buffer = Buffer.alloc(0);

  private constructor(path: string, source: string, local: string, handle: FileHandle) {
    this.path = path;
    this.source = source;
    this.local = local;
    this.handle = handle;
  }

  static async create(folder: string, path: string, source: string): Promise<LocalFile> {
    const local = join(folder, path.replaceAll('/', '-'));
    return new LocalFile(path, source, local, await open(local, 'wx', 0o600));
  }

  async add({ bytes, rows }: FilePiece): Promise<void> {
    this.hash.update(bytes);
    this.rows += rows;
    this.bytes += bytes.length;
    this.tail = bytes;
    await this.handle.appendFile(bytes);
  }

  async end(): Promise<BuiltFile> {
    await this.handle.close();
    const { path, rows, bytes, source, local } = this;
    const statistics = fileStatistics(this.tail);
    const sha256 = this.hash.digest('hex');
    return { path, rows, bytes, source, sha256, statistics, open: () => createReadStream(local) };
  }

  /** Closes a file that will not be stored. */
  async abandon(): Promise<void> {
    await this.handle.close();
  }
}
