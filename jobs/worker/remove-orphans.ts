/** The nightly job that removes stored objects that dead processes have left behind. */
import { deleteOldDifferences, selectComparisonIds } from '../../db/market/comparisons.ts';
import { transaction } from '../../db/pool.ts';
import { deleteFormerVersions } from '../../db/research/column-writes.ts';
import { deleteBacktestsById, selectAllBacktestIds, selectKeptIds } from '../../db/runs/kept-runs.ts';
import { selectKnownSweeps, selectSweepsEndedBefore } from '../../db/sweeps/sweeps.ts';
import { MS_PER_DAY } from '../../engine/market/dates.ts';
import {
  ACCOUNTS_PREFIX,
  backtestOfKey,
  COMPARISONS_PREFIX,
  comparisonKey,
  isExpiringSweepFile,
  sweepOfKey,
  uploadTimeOf,
} from '../../storage/keys.ts';
import type { JobContext } from '../contracts/job-context.ts';
import { CELLS_KEPT_DAYS } from '../contracts/sweep.ts';
import { removeExportOrphans } from '../export/expire.ts';
import { removePastSnapshots } from '../screen/run.ts';
import { assertFew, type CleanupContext } from '../storage/remove-objects.ts';
import { expireTables } from '../tables/expire.ts';

/** Comparisons whose differences are listed. Files are kept longer. */
const LISTED_COMPARISONS = 20;

export async function removeUnknownComparisons({ pool, storage, signal }: CleanupContext): Promise<void> {
  await deleteOldDifferences(pool, LISTED_COMPARISONS);
  const stored: string[] = [];
  for await (const { key } of storage.list(COMPARISONS_PREFIX)) stored.push(key);
  // Rows are read after objects: a comparison is recorded before its file is stored.
  const known = new Set((await selectComparisonIds(pool)).map(comparisonKey));
  for (const key of stored.filter((one) => !known.has(one))) {
    signal.throwIfAborted();
    await storage.remove(key);
  }
}

export async function removeOrphans(context: CleanupContext & Pick<JobContext, 'tableSnapshotDays'>): Promise<void> {
  const { storage, now, log } = context;
  const unfinished = await storage.removeUnfinished(new Date(now() - MS_PER_DAY));
  if (unfinished > 0) log.warn({ writes: unfinished }, 'unfinished writes were removed');
  await removeExportOrphans(context);
  await removeBacktestOrphans(context);
  await removeSweepOrphans(context);
  await removeOldUploads(context);
  await removePastSnapshots(context);
  await removeUnknownComparisons(context);
  await expireTables(context);
}

export async function removeBacktestOrphans({ pool, storage, signal, log }: CleanupContext): Promise<void> {
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

/** Files of columns whose jobs end within a day. */
export async function removeOldUploads({ pool, storage, now, signal, log }: CleanupContext): Promise<void> {
  const before = now() - MS_PER_DAY;
  let files = 0;
  for await (const { key } of storage.list(ACCOUNTS_PREFIX)) {
    signal.throwIfAborted();
    const at = uploadTimeOf(key);
    if (at === null || at >= before) continue;
    await storage.remove(key);
    files++;
  }
  if (files > 0) log.warn({ files }, 'files of columns whose jobs were lost were removed');
  await deleteFormerVersions(pool, new Date(before));
}

async function removeSweepOrphans({ pool, storage, now, signal, log }: CleanupContext): Promise<void> {
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
  const old = new Set(expired.map(({ id }) => id));
  const orphans = [...keys].filter(([key, id]) => !known.has(id) || (old.has(id) && isExpiringSweepFile(key)));
  for (const [key] of orphans) {
    signal.throwIfAborted();
    await storage.remove(key);
  }
  if (orphans.length > 0) log.info({ objects: orphans.length }, 'expired cells and orphans of sweeps were removed');
}
