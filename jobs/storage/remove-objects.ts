import type { ObjectStorage } from '../../storage/storage.ts';
import type { JobContext } from '../contracts/job-context.ts';

/** Removes every stored object under a prefix; a failure leaves the rest. */
export async function removePrefix(storage: ObjectStorage, prefix: string, signal?: AbortSignal): Promise<void> {
  for await (const { key } of storage.list(prefix)) {
    signal?.throwIfAborted();
    await storage.remove(key);
  }
}

/** The job that removes the objects of deleted data; the next attempt continues where one fails. */
export async function removeObjects(
  { storage, signal }: JobContext,
  { prefix }: { readonly prefix: string },
): Promise<void> {
  await removePrefix(storage, prefix, signal);
}
