/** Finds stored objects without their backtest, and backtests without their objects, and removes both. */
import { deleteBacktestsById, selectAllBacktestIds, selectKeptIds } from '../../db/backtests.ts';
import { transaction } from '../../db/pool.ts';
import type { JobContext } from '../job-context.ts';

/** More than so many without objects, and more than a tenth, are no orphans but another storage. */
const FEW = 10;
const OBJECT = /^users\/\d+\/backtests\/(\d+)\//;

export async function sweepBacktests({ pool, storage, signal, log }: JobContext): Promise<void> {
  // Rows first: the objects of a row that is committed are there.
  const rows = await selectAllBacktestIds(pool);
  const objects = new Map<number, string[]>();
  for await (const { key } of storage.list('users/')) {
    const id = OBJECT.exec(key)?.[1];
    if (id) objects.set(Number(id), [...(objects.get(Number(id)) ?? []), key]);
  }
  const bare = rows.filter((id) => !objects.has(id));
  if (bare.length > Math.max(FEW, rows.length / 10)) {
    throw new Error(`${bare.length} of ${rows.length} backtests have no objects: is this their storage?`);
  }
  const kept = await transaction(pool, (connection) => selectKeptIds(connection, [...objects.keys()]));
  const orphans = [...objects].filter(([id]) => !kept.has(id)).flatMap(([, keys]) => keys);
  for (const key of orphans) {
    signal.throwIfAborted();
    await storage.remove(key);
  }
  await deleteBacktestsById(pool, bare);
  if (orphans.length > 0 || bare.length > 0) {
    log.warn({ objects: orphans.length, backtests: bare.length }, 'orphans of backtests were removed');
  }
}
