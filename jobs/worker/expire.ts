/** Once an hour: removes files whose time is over. */

import { selectKnownRuns } from '../../db/runs/runs.ts';
import { runOfSqlResult, SQL_RESULTS_PREFIX } from '../../storage/keys.ts';
import type { JobContext } from '../contracts/job-context.ts';
import { expireExports } from '../export/expire.ts';

export async function removeExpired(context: JobContext): Promise<void> {
  await expireExports(context);
  await removeSqlResults(context);
}

export async function removeSqlResults({ pool, storage, signal, log }: JobContext): Promise<void> {
  const keys: string[] = [];
  for await (const { key } of storage.list(SQL_RESULTS_PREFIX)) keys.push(key);
  // Rows are read after objects: a run is recorded before its result is stored.
  const known = await selectKnownRuns(pool, [...new Set(keys.map(runOfSqlResult))]);
  const expired = keys.filter((key) => !known.has(runOfSqlResult(key)));
  for (const key of expired) {
    signal.throwIfAborted();
    await storage.remove(key);
  }
  if (expired.length > 0) log.debug({ objects: expired.length }, 'expired results of queries were removed');
}
