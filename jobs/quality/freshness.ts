/** How many sessions the served data lag behind the published data, and the screener's snapshot behind the loaded data. */
import { selectNewestSession } from '../../db/market/loaded-sessions.ts';
import { selectProviderRanges } from '../../db/market/provider-ranges.ts';
import type { SnapshotRecord } from '../../db/market/snapshots.ts';
import type { Pool } from '../../db/pool.ts';
import { newestDistributableDay, sessionsAfter } from '../../engine/market/calendar.ts';
import { type Day, requireDay } from '../../engine/market/dates.ts';
import { selectReadableSnapshots } from '../snapshot/contract.ts';
import { CHECKED_VENUE_BASIS } from './check-sessions.ts';

export interface LoadFreshness {
  /** Newest session that is loaded and may be distributed; null: none. */
  readonly loaded: Day | null;
  /** Published sessions after it; null: nothing is loaded, or it is not known what is published. */
  readonly behind: number | null;
  readonly isPublished: boolean;
}

export async function loadFreshness(pool: Pool, at: number): Promise<LoadFreshness> {
  const limit = newestDistributableDay(at);
  const loaded = await selectNewestSession(pool, CHECKED_VENUE_BASIS, limit);
  const published = (await selectProviderRanges(pool)).find(({ venueBasis }) => venueBasis === CHECKED_VENUE_BASIS);
  const isKnown = loaded !== null && published !== undefined;
  const behind = isKnown ? sessionsAfter(loaded, Math.min(published.newestSession, limit)) : null;
  return { loaded, behind, isPublished: published !== undefined };
}

export interface SnapshotFreshness {
  /** The newest one that this version can serve; null: none. */
  readonly snapshot: SnapshotRecord | null;
  /** Loaded sessions after it; null: there is no such snapshot, or nothing is loaded. */
  readonly behind: number | null;
  readonly isLoaded: boolean;
}

export async function snapshotFreshness(pool: Pool, at: number): Promise<SnapshotFreshness> {
  const [snapshot = null] = await selectReadableSnapshots(pool);
  const loaded = await selectNewestSession(pool, CHECKED_VENUE_BASIS, newestDistributableDay(at));
  const isKnown = snapshot !== null && loaded !== null;
  const behind = isKnown ? sessionsAfter(requireDay(snapshot.asOf), loaded) : null;
  return { snapshot, behind, isLoaded: loaded !== null };
}
