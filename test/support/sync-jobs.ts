/** Waiting for sync jobs that worker processes run, and for what they load to be served. */

import { listen } from '../../db/listener.ts';
import { selectDataVersion } from '../../db/market/data-versions.ts';
import { SYNC_JOBS_CHANNEL, type SyncJob, selectSyncJob } from '../../db/queue/sync-jobs.ts';
import type { TestApi } from './api.ts';
import type { TestDatabase } from './database.ts';
import { eventually } from './eventually.ts';

/** Resolves with the record as soon as it meets the condition. */
export async function untilSyncJob(
  { url, pool }: TestDatabase,
  id: number,
  isWanted: (job: SyncJob) => boolean,
): Promise<SyncJob> {
  const reached = Promise.withResolvers<SyncJob>();
  const poll = async () => {
    const job = await selectSyncJob(pool, id);
    if (job && isWanted(job)) reached.resolve(job);
  };
  const listener = await listen({
    url,
    applicationName: 'test',
    channels: { [SYNC_JOBS_CHANNEL]: poll },
  });
  await poll();
  const job = await reached.promise;
  await listener.close();
  return job;
}

/** Resolves when the API serves what is loaded. */
export async function untilServed({ services: { market, pool } }: TestApi): Promise<void> {
  await eventually(
    () => selectDataVersion(pool),
    (version) => version === market.version,
  );
}
