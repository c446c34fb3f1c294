/** Removes stored objects without a backtest, and backtests without objects. */

import { transaction } from '../../db/pool.ts';
import { deleteBacktestsById, selectAllBacktestIds, selectKeptIds } from '../../db/runs/kept-runs.ts';
import { ACCOUNTS_PREFIX, backtestOfKey } from '../../storage/keys.ts';
import type { JobContext } from '../contracts/job-context.ts';
import { assertFew } from '../storage/orphan-guard.ts';

export async function removeBacktestOrphans({ pool, storage, signal, log }: JobContext): Promise<void> {
  // Rows are read first: a committed row has its objects.
  const rows = await selectAllBacktestIds(pool);
  const objects = new Map<number, string[]>();
  for await (const { key } of storage.list(ACCOUNTS_PREFIX)) {
    const id = backtestOfKey(key);
    if (id !== null) objects.set(id, [...(objects.get(id) ?? []), key]);
  }
  const bare = rows.filter((id) => !objects.has(id));
  assertFew(bare.length, rows.length, 'backtests have no objects');
  const kept = await transaction(pool, (connection) => selectKeptIds(connection, [...objects.keys()]));
  const orphans = [...objects].filter(([id]) => !kept.has(id)).flatMap(([, keys]) => keys);
  assertFew(objects.size - kept.size, objects.size, 'stored backtests are unknown');
  for (const key of orphans) {
    signal.throwIfAborted();
    await storage.remove(key);
  }
  await deleteBacktestsById(pool, bare);
  if (orphans.length > 0 || bare.length > 0) {
    log.warn({ objects: orphans.length, backtests: bare.length }, 'orphans of backtests were removed');
  }
}
