/** Object storage in a folder of the local disk. */
import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { link, mkdir, open, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { codeOf } from '../engine/util/errors.ts';
import { assertKey } from './keys.ts';
import { type ByteRange, type ObjectStorage, StorageFull, type StoredObject } from './storage.ts';
import { WriteProbe } from './write-probe.ts';

const TEMPORARY = '.tmp';
const FOLDER_MODE = 0o700;
const FILE_MODE = 0o600;

/**
 * Bytes of one read, each of which waits for a thread of libuv. With the default of 64 KB, reading took longer than
 * processing.
 */
const READ_BYTES = 256 * 1024;

/** Large enough to need new disk blocks; removed before it is flushed. */
const PROBE = Buffer.alloc(64 * 1024);
const PROBE_EVERY_MS = 10_000;

/** System codes for a full disk, an exhausted quota, and a file that may not grow. */
const FULL = new Set(['ENOSPC', 'EDQUOT', 'EFBIG']);

/** The name under which readers of S3 know the objects of a folder. */
export const FOLDER_BUCKET = 'market-data';

/** Also for a name below a file. */
const isMissing = (error: unknown) => ['ENOENT', 'ENOTDIR'].includes(codeOf(error) ?? '');

function toStorageError(error: unknown): unknown {
  return FULL.has(codeOf(error) ?? '') ? new StorageFull({ cause: error }) : error;
}

/** Null when there is no such file: it has been removed, or is a folder. */
async function sizeOf(path: string): Promise<number | null> {
  try {
    const found = await stat(path);
    return found.isFile() ? found.size : null;
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

/**
 * Objects as files in a folder that other users cannot read. A write goes to a file in `.tmp`, which is flushed to disk and then renamed,
 * so that readers never see a partial object.
 */
export class FolderStorage implements ObjectStorage {
  private readonly root: string;
  private readonly probe = new WriteProbe(() => this.writeProbe(), PROBE_EVERY_MS);

  constructor(root: string) {
    this.root = root;
  }

  private pathOf(key: string): string {
    assertKey(key);
    return join(this.root, key);
  }

  async put(key: string, content: Readable): Promise<number> {
    const target = this.pathOf(key);
    return this.writeTemporary(async (temporary) => {
      const file = createWriteStream(temporary, { mode: FILE_MODE, flush: true });
      await pipeline(content, file);
      await mkdir(dirname(target), { recursive: true, mode: FOLDER_MODE });
      await rename(temporary, target);
      return file.bytesWritten;
    });
  }

  async putNew(key: string, content: Buffer): Promise<boolean> {
    const target = this.pathOf(key);
    return this.writeTemporary(async (temporary) => {
      await writeFile(temporary, content, { mode: FILE_MODE, flush: true });
      await mkdir(dirname(target), { recursive: true, mode: FOLDER_MODE });
      try {
        // Fails if the target exists, which a rename would replace.
        await link(temporary, target);
        return true;
      } catch (error) {
        if (codeOf(error) !== 'EEXIST') throw error;
        return false;
      } finally {
        await rm(temporary);
      }
    });
  }

  /** The service serves the folder in the protocol of S3 under this bucket. */
  locationOf(key: string): string {
    return `s3://${FOLDER_BUCKET}/${key}`;
  }

  /** Calls `write` with the path of a temporary file, which is removed if it fails. */
  private async writeTemporary<T>(write: (temporary: string) => Promise<T>): Promise<T> {
    const temporary = join(this.root, TEMPORARY, randomUUID());
    try {
      await mkdir(dirname(temporary), { recursive: true, mode: FOLDER_MODE });
      return await write(temporary);
    } catch (error) {
      await rm(temporary, { force: true });
      throw toStorageError(error);
    }
  }

  async get(key: string, range?: ByteRange): Promise<Readable | null> {
    try {
      // An open file can be read to its end even if the object is removed.
      const file = await open(this.pathOf(key));
      return file.createReadStream({ ...range, highWaterMark: READ_BYTES });
    } catch (error) {
      if (isMissing(error)) return null;
      throw error;
    }
  }

  async has(key: string): Promise<boolean> {
    return (await this.size(key)) !== null;
  }

  async size(key: string): Promise<number | null> {
    return sizeOf(this.pathOf(key));
  }

  async remove(key: string): Promise<void> {
    await rm(this.pathOf(key), { force: true });
  }

  async *list(prefix: string): AsyncIterable<StoredObject> {
    const entries = await readdir(this.root, { recursive: true, withFileTypes: true }).catch((error) => {
      if (isMissing(error)) return [];
      throw error;
    });
    const keys = entries
      .filter((entry) => entry.isFile())
      .map((entry) => relative(this.root, join(entry.parentPath, entry.name)))
      .filter((key) => key.startsWith(prefix) && !key.startsWith(TEMPORARY));
    for (const key of keys.sort()) {
      const bytes = await sizeOf(join(this.root, key));
      if (bytes !== null) yield { key, bytes };
    }
  }

  async removeUnfinished(before: Date): Promise<number> {
    const folder = join(this.root, TEMPORARY);
    const names = await readdir(folder).catch((error) => {
      if (isMissing(error)) return [];
      throw error;
    });
    let removed = 0;
    for (const path of names.map((name) => join(folder, name))) {
      const file = await stat(path).catch(() => null);
      if (!file || file.mtime >= before) continue;
      await rm(path, { force: true });
      removed++;
    }
    return removed;
  }

  check(): Promise<void> {
    return this.probe.check();
  }

  private writeProbe(): Promise<void> {
    return this.writeTemporary(async (temporary) => {
      await writeFile(temporary, PROBE, { mode: FILE_MODE });
      await rm(temporary);
    });
  }
}
