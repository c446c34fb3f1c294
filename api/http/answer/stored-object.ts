/** Objects of the storage as answers. */
import type { Readable } from 'node:stream';
import { type ErrorCode, ServiceError } from '../../../engine/util/errors.ts';
import type { ByteRange, ObjectStorage } from '../../../storage/storage.ts';
import { type StoredFile, StoredFileReply } from './reply.ts';

/** `gone`: the error when the object is not there. */
export async function openObject(
  storage: ObjectStorage,
  key: string,
  gone: ErrorCode,
  range?: ByteRange,
): Promise<Readable> {
  const content = await storage.get(key, range);
  if (!content) throw new ServiceError(gone);
  return content;
}

/** A file that callers may read in parts. `gone`: the error when its object is not there. */
export async function storedFile(
  storage: ObjectStorage,
  { key, ...file }: Omit<StoredFile, 'open'> & { readonly key: string },
  gone: ErrorCode,
): Promise<StoredFileReply> {
  if (!(await storage.has(key))) throw new ServiceError(gone);
  return new StoredFileReply({ ...file, open: (range) => openObject(storage, key, gone, range) });
}
