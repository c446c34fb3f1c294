/** The dry run of a load. */
import { selectLoadedSessions } from '../../db/market/loaded-sessions.ts';
import type { SyncJobType } from '../../db/queue/sync-jobs.ts';
import { sessionsBetween } from '../../engine/market/calendar.ts';
import { formatDay } from '../../engine/market/dates.ts';
import { openProvider } from '../../jobs/providers/open-provider.ts';
import type { SyncSpec } from '../../jobs/sync/contract.ts';
import { loadRanges } from '../../jobs/sync/load-range.ts';
import { clockOf } from '../config.ts';
import { providerSettings } from '../settings.ts';
import { tableOf } from './tables.ts';
import type { Tools } from './tools.ts';

/** A table of the sessions, loaded sessions, units, and cost per venue basis. */
export async function describePlan({ config, pool }: Tools, jobType: SyncJobType, spec: SyncSpec): Promise<string> {
  if (jobType !== 'daily_bars') return `${jobType}: the whole list is read and compared`;
  const provider = openProvider(providerSettings(config), clockOf(config));
  const rows: (string | number | null)[][] = [];
  for (const { venueBasis, start, end } of await loadRanges(provider, spec)) {
    const sessions = sessionsBetween(start, end);
    const loaded = new Set(await selectLoadedSessions(pool, venueBasis));
    const units = await provider.planUnits(venueBasis, start, end);
    const cost = await provider.estimateCost?.(venueBasis, start, end);
    const span = sessions.length > 0 ? `${formatDay(sessions[0])} … ${formatDay(sessions[sessions.length - 1])}` : '';
    const again = sessions.filter((day) => loaded.has(day)).length;
    rows.push([
      venueBasis,
      span,
      sessions.length,
      again,
      units.length,
      cost === undefined ? 'free' : `$${cost.toFixed(2)}`,
    ]);
  }
  if (rows.length === 0) return 'the provider has published no bars on this venue basis';
  return tableOf(['basis', 'sessions', 'count', 'loaded already', 'pieces', 'cost'], rows);
}
