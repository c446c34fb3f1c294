/** Opens the object storage that the settings name: a folder or an S3 bucket. */
import { FolderStorage } from './folder.ts';
import { type S3Settings, S3Storage } from './s3.ts';
import type { ObjectStorage } from './storage.ts';

export type StorageSettings = { readonly folder: string } | { readonly s3: S3Settings };

export function openStorage(settings: StorageSettings): ObjectStorage {
  return 's3' in settings ? new S3Storage(settings.s3) : new FolderStorage(settings.folder);
}
