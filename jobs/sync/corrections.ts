/** Finds recent sessions that the provider has published again since they were loaded. */
import type { Pool } from '../../db/pool.ts';
import { selectSourcesOfDays } from '../../db/queue/sync-units.ts';
import { formatDay } from '../../engine/market/dates.ts';
import type { Provider } from '../providers/provider.ts';
import { isHeldBack, type SyncState } from './due-syncs.ts';
import type { WantedSync } from './enqueue.ts';

/**
 * A load of the oldest corrected session of each venue basis, among the `revisited` newest loaded ones. What changes in it becomes
 * revisions. Sessions whose load has failed lately wait.
 */
export async function dueCorrections(
  pool: Pool,
  provider: Provider,
  { ranges, loaded, recent }: SyncState,
  revisited: number,
): Promise<Omit<WantedSync, 'requestedBy'>[]> {
  const due: Omit<WantedSync, 'requestedBy'>[] = [];
  for (const { venueBasis } of revisited > 0 ? ranges : []) {
    const days = [...(loaded.get(venueBasis) ?? [])].sort((a, b) => a - b).slice(-revisited);
    const read = await selectSourcesOfDays(pool, venueBasis, days);
    const corrected = await provider.publishedAnew?.(venueBasis, read);
    const day = corrected?.find((one) => !isHeldBack(recent, venueBasis, one));
    if (day === undefined) continue;
    const date = formatDay(day);
    due.push({ jobType: 'daily_bars', spec: { venue_mode: venueBasis, start: date, end: date } });
  }
  return due;
}
