/** Failed loads that still matter. */
import { selectProviderRanges } from '../../db/market/loaded-sessions.ts';
import type { Queryable } from '../../db/pool.ts';
import { type SyncJob, selectFailedSyncJobs } from '../../db/queue/sync-jobs.ts';
import { countDaysNotLoaded } from '../../db/queue/sync-units.ts';
import { sessionsBetween } from '../../engine/market/calendar.ts';
import { requireDay } from '../../engine/market/dates.ts';
import { syncSpecSchema } from '../contracts/sync.ts';

/** Failed loads, newest first, whose own days no load has loaded since. One of days that were never published has none. */
export async function selectFailingLoads(db: Queryable): Promise<SyncJob[]> {
  const ranges = await selectProviderRanges(db);
  const failing: SyncJob[] = [];
  for (const job of await selectFailedSyncJobs(db)) {
    const { start, end, venue_mode } = syncSpecSchema.parse(job.request);
    const asked = ranges.filter(({ venueBasis }) => venue_mode === undefined || venueBasis === venue_mode);
    // Published days are not known, or the load is not one of days.
    let isFailing = job.job_type !== 'daily_bars' || asked.length === 0;
    for (const { venueBasis, firstSession, newestSession } of asked) {
      if (isFailing) break;
      const days = sessionsBetween(
        Math.max(start === undefined ? firstSession : requireDay(start), firstSession),
        Math.min(end === undefined ? newestSession : requireDay(end), newestSession),
      );
      isFailing = (await countDaysNotLoaded(db, job.id, venueBasis, days)) > 0;
    }
    if (isFailing) failing.push(job);
  }
  return failing;
}
