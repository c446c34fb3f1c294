/** Opens the object storage that the settings name: a folder or an S3 bucket. */
import { FolderStorage } from './folder.ts';
import { LateStorage } from './late-storage.ts';
import type { S3Settings } from './s3-client.ts';
import type { ObjectStorage } from './storage.ts';

export type StorageSettings = { readonly folder: string } | { readonly s3: S3Settings };

export function openStorage(settings: StorageSettings): ObjectStorage {
  if ('folder' in settings) return new FolderStorage(settings.folder);
  // The client of S3 takes 20 MB in every thread of a worker.
  return new LateStorage(async () => new (await import('./s3.ts')).S3Storage(settings.s3));
}
