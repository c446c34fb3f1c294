/** Removes the files of expired exports, whose rows stay, and files that no export names. */
import { forgetExportObject, selectExpiredExports, selectExportObjects } from '../../db/queue/exports.ts';
import { ACCOUNTS_PREFIX, exportOfKey } from '../../storage/keys.ts';
import { assertFew, type CleanupContext } from '../storage/remove-objects.ts';

export async function expireExports({ pool, storage, now, signal, log }: CleanupContext): Promise<void> {
  const expired = await selectExpiredExports(pool, new Date(now()));
  for (const one of expired) {
    signal.throwIfAborted();
    await storage.remove(one.objectKey);
    await forgetExportObject(pool, one);
  }
  if (expired.length > 0) log.debug({ exports: expired.length }, 'expired exports were removed');
}

/** Removes files without an export: those of dead attempts and of deleted accounts. */
export async function removeExportOrphans({ pool, storage, signal, log }: CleanupContext): Promise<void> {
  const keys = new Map<string, number>();
  for await (const { key } of storage.list(ACCOUNTS_PREFIX)) {
    const id = exportOfKey(key);
    if (id !== null) keys.set(key, id);
  }
  // Rows are read after objects: the row of an export precedes its file and names it once it is complete.
  const rows = await selectExportObjects(pool, [...new Set(keys.values())]);
  const byId = new Map(rows.map((row) => [row.id, row]));
  const orphans = [...keys].filter(([key, id]) => {
    const row = byId.get(id);
    return !row || (!row.isActive && row.objectKey !== key);
  });
  assertFew(orphans.length, keys.size, 'stored exports are unknown');
  for (const [key] of orphans) {
    signal.throwIfAborted();
    await storage.remove(key);
  }
  if (orphans.length > 0) log.warn({ objects: orphans.length }, 'orphans of exports were removed');
}
