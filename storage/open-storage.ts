/** Opens the object storage that the settings name: a folder or an S3 bucket. */
import type { Readable } from 'node:stream';
import { FolderStorage } from './folder.ts';
import type { S3Settings } from './s3.ts';
import type { ByteRange, ObjectStorage, StoredObject } from './storage.ts';

/** An object storage that is opened at its first use, so that a process that does not use it does not load its code. */
class LazyStorage implements ObjectStorage {
  private readonly bucket: string;
  private readonly open: () => Promise<ObjectStorage>;
  private opened: Promise<ObjectStorage> | null = null;

  constructor(bucket: string, open: () => Promise<ObjectStorage>) {
    this.bucket = bucket;
    this.open = open;
  }

  private storage(): Promise<ObjectStorage> {
    this.opened ??= this.open();
    return this.opened;
  }

  async put(key: string, content: Readable): Promise<number> {
    // If the stream fails while the storage is being opened, the upload fails afterwards.
    content.on('error', () => {});
    return (await this.storage()).put(key, content);
  }

  async putNew(key: string, content: Buffer): Promise<boolean> {
    return (await this.storage()).putNew(key, content);
  }

  locationOf(key: string): string {
    return `s3://${this.bucket}/${key}`;
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

  async removeUnfinished(before: Date, prefix?: string): Promise<number> {
    return (await this.storage()).removeUnfinished(before, prefix);
  }

  async check(): Promise<void> {
    await (await this.storage()).check();
  }
}

export type StorageSettings = { readonly folder: string } | { readonly s3: S3Settings };

export function openStorage(settings: StorageSettings): ObjectStorage {
  if ('folder' in settings) return new FolderStorage(settings.folder);
  // The S3 client takes 20 MB in every thread of a worker.
  return new LazyStorage(settings.s3.bucket, async () => new (await import('./s3.ts')).S3Storage(settings.s3));
}
