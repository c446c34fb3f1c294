/** Deletes the objects of deleted sweeps, and the cells of sweeps that ended long ago. */
import { selectKnownSweeps, selectSweepsEndedBefore } from '../../db/sweeps/sweeps.ts';
import { MS_PER_DAY } from '../../engine/market/dates.ts';
import { ACCOUNTS_PREFIX, sweepCellsKey, sweepOfKey } from '../../storage/keys.ts';
import type { JobContext } from '../contracts/job-context.ts';
import { CELLS_KEPT_DAYS } from '../contracts/sweep.ts';
import { assertFew } from '../storage/orphan-guard.ts';

export async function removeSweepOrphans({ pool, storage, now, signal, log }: JobContext): Promise<void> {
  const keys = new Map<string, string>();
  for await (const { key } of storage.list(ACCOUNTS_PREFIX)) {
    const id = sweepOfKey(key);
    if (id !== null) keys.set(key, id);
  }
  // Rows are read after objects: a sweep is recorded before anything of it is stored.
  const ids = new Set(keys.values());
  const known = await selectKnownSweeps(pool, [...ids]);
  assertFew(ids.size - known.size, ids.size, 'stored sweeps are unknown');
  const expired = await selectSweepsEndedBefore(pool, new Date(now() - CELLS_KEPT_DAYS * MS_PER_DAY));
  const old = new Set(expired.map(({ userId, id }) => sweepCellsKey(userId, id)));
  const orphans = [...keys].filter(([key, id]) => !known.has(id) || old.has(key));
  for (const [key] of orphans) {
    signal.throwIfAborted();
    await storage.remove(key);
  }
  if (orphans.length > 0) log.info({ objects: orphans.length }, 'expired cells and orphans of sweeps were removed');
}
