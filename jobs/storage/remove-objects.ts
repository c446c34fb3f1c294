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

/** More objects than this, and more than a tenth of all, are not orphans: the database or the storage is the wrong one. */
const FEW = 10;

/** Throws rather than let most objects be removed as orphans. */
export function assertFew(orphans: number, of: number, what: string): void {
  if (orphans <= Math.max(FEW, of / 10)) return;
  throw new Error(`${orphans} of ${of} ${what}: do this database and this storage belong together?`);
}
