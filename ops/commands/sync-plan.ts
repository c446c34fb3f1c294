/** The dry run of a load. */
import { selectLoadedSessions } from '../../db/market/loaded-sessions.ts';
import type { Pool } from '../../db/pool.ts';
import type { SyncJobType } from '../../db/queue/sync-jobs.ts';
import { sessionsBetween } from '../../engine/market/calendar.ts';
import { formatDay } from '../../engine/market/dates.ts';
import type { SyncSpec } from '../../jobs/contracts/sync.ts';
import type { Provider } from '../../jobs/providers/provider.ts';
import { openProvider } from '../../jobs/providers/providers.ts';
import { type LoadRange, loadRanges } from '../../jobs/sync/load-range.ts';
import { providerSettings } from '../settings.ts';
import { tableOf } from './terminal.ts';
import type { Tools } from './tools.ts';

/** A table of the sessions, loaded sessions, units, and the data that is read from a vendor, per venue basis. */
export async function describePlan(
  { config, pool, now }: Pick<Tools, 'config' | 'pool' | 'now'>,
  jobType: SyncJobType,
  spec: SyncSpec,
): Promise<string> {
  const provider = await openProvider(providerSettings(config), now);
  if (jobType !== 'daily_bars') return describeList(provider, jobType);
  const rows: (string | number | null)[][] = [];
  for (const range of await loadRanges(provider, spec)) rows.push(await describeRange(provider, pool, range));
  if (rows.length === 0) return 'the provider has published no bars on this venue basis';
  return tableOf(['basis', 'sessions', 'count', 'loaded already', 'units', 'requests', 'files', 'size', 'cost'], rows);
}

/** Describes the load of a list, whose length is not known before it is read. */
function describeList(provider: Provider, jobType: 'symbols' | 'adjustments'): string {
  const from = provider.lists?.[jobType];
  return `${jobType}: the whole list is read${from ? `, in pages: ${from.join(', ')}` : ''}`;
}

async function describeRange(
  provider: Provider,
  pool: Pool,
  { venueBasis, start, end }: LoadRange,
): Promise<(string | number | null)[]> {
  const sessions = sessionsBetween(start, end);
  const loaded = new Set(await selectLoadedSessions(pool, venueBasis));
  const units = sessions.length === 0 ? [] : await provider.planUnits(venueBasis, start, end);
  const read = await provider.estimateRead?.(units, venueBasis);
  const cost = sessions.length === 0 ? 0 : await provider.estimateCost?.(venueBasis, start, end);
  return [
    venueBasis,
    sessions.length > 0 ? `${formatDay(sessions[0])} … ${formatDay(sessions[sessions.length - 1])}` : '',
    sessions.length,
    sessions.filter((day) => loaded.has(day)).length,
    units.length,
    read?.requests ?? 0,
    read?.files ?? null,
    read ? sizeText(read.bytes) : null,
    cost === undefined ? 'free' : `$${cost.toFixed(2)}`,
  ];
}

function sizeText(bytes: number): string {
  if (bytes >= 1e9) return `${(bytes / 1e9).toFixed(1)} GB`;
  return bytes >= 1e6 ? `${(bytes / 1e6).toFixed(1)} MB` : `${Math.ceil(bytes / 1e3)} KB`;
}
