/** An object storage whose code is loaded at its first use, so that a process that does not use it saves the memory. */
import type { Readable } from 'node:stream';
import type { ByteRange, ObjectStorage, StoredObject } from './storage.ts';

export class LateStorage implements ObjectStorage {
  private readonly open: () => Promise<ObjectStorage>;
  private opened: Promise<ObjectStorage> | null = null;

  constructor(open: () => Promise<ObjectStorage>) {
    this.open = open;
  }

  private storage(): Promise<ObjectStorage> {
    this.opened ??= this.open();
    return this.opened;
  }

  async put(key: string, content: Readable): Promise<number> {
    // A stream that fails while the code is being loaded fails the upload, which reads it afterwards.
    content.on('error', () => {});
    return (await this.storage()).put(key, content);
  }

  async get(key: string, range?: ByteRange): Promise<Readable | null> {
    return (await this.storage()).get(key, range);
  }

  async has(key: string): Promise<boolean> {
    return (await this.storage()).has(key);
  }

  async size(key: string): Promise<number | null> {
    return (await this.storage()).size(key);
  }

  async remove(key: string): Promise<void> {
    await (await this.storage()).remove(key);
  }

  async *list(prefix: string): AsyncIterable<StoredObject> {
    yield* (await this.storage()).list(prefix);
  }

  async removeUnfinished(before: Date): Promise<number> {
    return (await this.storage()).removeUnfinished(before);
  }

  async check(): Promise<void> {
    await (await this.storage()).check();
  }
}
