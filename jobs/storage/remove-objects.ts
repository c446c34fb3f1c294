/** Removal of stored objects. */
import type { ObjectStorage } from '../../storage/storage.ts';
import type { JobContext } from '../contracts/job-context.ts';

/** The part of a job's context that a search for unneeded objects needs. */
export type CleanupContext = Pick<JobContext, 'pool' | 'storage' | 'now' | 'signal' | 'log'>;

/** Removes every stored object under a prefix. Stops at the first failure. */
export async function removePrefix(storage: ObjectStorage, prefix: string, signal?: AbortSignal): Promise<void> {
  for await (const { key } of storage.list(prefix)) {
    signal?.throwIfAborted();
    await storage.remove(key);
  }
}

/** The job that removes the objects of deleted data. After a failure the next attempt continues. */
export async function removeObjects(
  { storage, signal }: Pick<JobContext, 'storage' | 'signal'>,
  { prefix }: { readonly prefix: string },
): Promise<void> {
  await removePrefix(storage, prefix, signal);
}

/** If more objects than this and more than a tenth of all seem to be orphans, the database or the storage is the wrong one. */
const FEW = 10;

/** Throws when so many objects seem to be orphans that something else must be wrong. */
export function assertFew(orphans: number, of: number, what: string): void {
  if (orphans <= Math.max(FEW, of / 10)) return;
  throw new Error(`${orphans} of ${of} ${what}: do this database and this storage belong together?`);
}
