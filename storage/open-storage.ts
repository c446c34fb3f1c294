/** Opens the object storage that the settings name: a folder or an S3 bucket. */
import { tracingChannel } from 'node:diagnostics_channel';
import type { Readable } from 'node:stream';
import { FOLDER_BUCKET, FolderStorage } from './folder.ts';
import type { S3Settings } from './s3.ts';
import type { ByteRange, ObjectStorage, StoredObject } from './storage.ts';

export interface TracedObjectCall {
  readonly operation: 'put' | 'get' | 'head' | 'delete';
  readonly bucket: string;
  readonly key: string;
}

/** Tells of the calls for single objects. That of a read ends when its content begins. */
export const OBJECT_CALLS = tracingChannel<unknown, TracedObjectCall>('market-data.object');

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

  private call<T>(
    operation: TracedObjectCall['operation'],
    key: string,
    work: (storage: ObjectStorage) => Promise<T>,
  ): Promise<T> {
    return OBJECT_CALLS.tracePromise(async () => work(await this.storage()), { operation, bucket: this.bucket, key });
  }

  async put(key: string, content: Readable): Promise<number> {
    // If the stream fails while the storage is being opened, the upload fails afterwards.
    content.on('error', () => {});
    return this.call('put', key, (storage) => storage.put(key, content));
  }

  async putNew(key: string, content: Buffer): Promise<boolean> {
    return this.call('put', key, (storage) => storage.putNew(key, content));
  }

  locationOf(key: string): string {
    return `s3://${this.bucket}/${key}`;
  }

  async get(key: string, range?: ByteRange): Promise<Readable | null> {
    return this.call('get', key, (storage) => storage.get(key, range));
  }

  async has(key: string): Promise<boolean> {
    return this.call('head', key, (storage) => storage.has(key));
  }

  async size(key: string): Promise<number | null> {
    return this.call('head', key, (storage) => storage.size(key));
  }

  async remove(key: string): Promise<void> {
    return this.call('delete', key, (storage) => storage.remove(key));
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
  if ('folder' in settings) return new LazyStorage(FOLDER_BUCKET, async () => new FolderStorage(settings.folder));
  // The S3 client takes 20 MB in every thread of a worker.
  return new LazyStorage(settings.s3.bucket, async () => new (await import('./s3.ts')).S3Storage(settings.s3));
}
