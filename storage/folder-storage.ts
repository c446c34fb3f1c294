import { randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { access, constants, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { assertKey, type ByteRange, type ObjectStorage, type StoredObject } from './storage.ts';

const TEMPORARY = '.tmp';

const isMissing = (error: unknown) => (error as NodeJS.ErrnoException).code === 'ENOENT';

/** Null when the file was removed a moment ago. */
async function sizeOf(path: string): Promise<number | null> {
  try {
    return (await stat(path)).size;
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

/** Objects as files of a folder. A write goes to `.tmp`, is flushed to disk and renamed, so no half object is ever seen. */
export class FolderStorage implements ObjectStorage {
  private readonly root: string;

  constructor(root: string) {
    this.root = root;
  }

  private pathOf(key: string): string {
    assertKey(key);
    return join(this.root, key);
  }

  async put(key: string, content: Readable): Promise<number> {
    const target = this.pathOf(key);
    const temporary = join(this.root, TEMPORARY, randomUUID());
    await mkdir(dirname(temporary), { recursive: true });
    try {
      await pipeline(content, createWriteStream(temporary));
      const file = await open(temporary, 'r+');
      await file.sync();
      const { size } = await file.stat();
      await file.close();
      await mkdir(dirname(target), { recursive: true });
      await rename(temporary, target);
      return size;
    } catch (error) {
      await rm(temporary, { force: true });
      throw error;
    }
  }

  async get(key: string, range?: ByteRange): Promise<Readable | null> {
    try {
      const path = this.pathOf(key);
      await access(path, constants.R_OK);
      return createReadStream(path, range);
    } catch (error) {
      if (isMissing(error)) return null;
      throw error;
    }
  }

  async has(key: string): Promise<boolean> {
    return (await sizeOf(this.pathOf(key))) !== null;
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

  async check(): Promise<void> {
    await mkdir(this.root, { recursive: true });
    await access(this.root, constants.W_OK);
  }
}
