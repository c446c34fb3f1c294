import type { JobContext } from '../job-context.ts';

/** Removes every stored object under a prefix; an attempt that fails leaves the rest to the next. */
export async function removeObjects(
  { storage, signal }: JobContext,
  { prefix }: { readonly prefix: string },
): Promise<void> {
  for await (const { key } of storage.list(prefix)) {
    signal.throwIfAborted();
    await storage.remove(key);
  }
}
