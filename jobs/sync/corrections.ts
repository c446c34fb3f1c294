/** Finds recent sessions that the provider has published anew since they were loaded. */
import type { Pool } from '../../db/pool.ts';
import { selectSourcesOfDays } from '../../db/queue/sync-units.ts';
import type { Day } from '../../engine/market/dates.ts';
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
    const first = days.at(0);
    const last = days.at(-1);
    if (first === undefined || last === undefined) continue;
    const published = await provider.sourceVersions?.(venueBasis, first, last);
    if (!published || published.length === 0) continue;
    const known = await selectSourcesOfDays(pool, venueBasis, days);
    const isCorrected = (day: Day, name: string, version: string) => {
      const read = known.get(day)?.find((source) => source.name === name)?.version;
      return read !== undefined && read !== version;
    };
    const corrected = published.find(
      ({ day, name, version }) => isCorrected(day, name, version) && !isHeldBack(recent, venueBasis, day),
    );
    if (!corrected) continue;
    const date = formatDay(corrected.day);
    due.push({ jobType: 'daily_bars', spec: { venue_mode: venueBasis, start: date, end: date } });
  }
  return due;
}
