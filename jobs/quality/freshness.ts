/** How many sessions the loaded data is behind the published data, and the screener's snapshot behind the loaded data. */
import { selectLake } from '../../db/lake/lake-files.ts';
import { selectNewestSession, selectProviderRanges } from '../../db/market/loaded-sessions.ts';
import type { SnapshotRecord } from '../../db/market/snapshots.ts';
import type { Pool } from '../../db/pool.ts';
import { newestDistributableDay, sessionsAfter } from '../../engine/market/calendar.ts';
import { type Day, requireDay } from '../../engine/market/dates.ts';
import { selectReadableSnapshots } from '../contracts/snapshot.ts';
import { CHECKED_VENUE_BASIS } from './check-sessions.ts';

/** A snapshot that lacks more loaded sessions is not served. It is built some minutes after a load. */
export const MAX_SNAPSHOT_SESSIONS_BEHIND = 1;

/** A feed whose newest session is so many sessions of the calendar old is late, and then has stopped. */
export const FEED_LATE_SESSIONS = 3;
export const FEED_STOPPED_SESSIONS = 10;

/** Published sessions after `loaded` that may be distributed at `at`, in Unix milliseconds. */
export function sessionsBehind(loaded: Day, newestPublished: Day, at: number): number {
  return sessionsAfter(loaded, Math.min(newestPublished, newestDistributableDay(at)));
}

/** Whether a snapshot as of `asOf` is too old to be served when sessions up to `loaded` are. */
export function isSnapshotStale(asOf: Day, loaded: Day): boolean {
  return sessionsAfter(asOf, loaded) > MAX_SNAPSHOT_SESSIONS_BEHIND;
}

export interface LoadFreshness {
  /** Newest session that is loaded and may be distributed; null: none. */
  readonly loaded: Day | null;
  /** Published sessions after it; null: nothing is loaded, or the published sessions are not known. */
  readonly behind: number | null;
  readonly isPublished: boolean;
  /** The newest published session; null: not known. */
  readonly published: Day | null;
  /** Sessions of the calendar after the loaded one that may be distributed; null: nothing is loaded. */
  readonly age: number | null;
}

export async function loadFreshness(pool: Pool, at: number): Promise<LoadFreshness> {
  const through = newestDistributableDay(at);
  const loaded = await selectNewestSession(pool, CHECKED_VENUE_BASIS, through);
  const published = (await selectProviderRanges(pool)).find(({ venueBasis }) => venueBasis === CHECKED_VENUE_BASIS);
  const isKnown = loaded !== null && published !== undefined;
  const behind = isKnown ? sessionsBehind(loaded, published.newestSession, at) : null;
  const age = loaded === null ? null : sessionsAfter(loaded, through);
  return { loaded, behind, isPublished: published !== undefined, published: published?.newestSession ?? null, age };
}

export interface SnapshotFreshness {
  /** The newest one that this version can serve; null: none. */
  readonly snapshot: SnapshotRecord | null;
  /** Loaded sessions after it; null: there is no such snapshot, or nothing is loaded. */
  readonly behind: number | null;
  /** Whether the screener refuses the snapshot because it is too old. */
  readonly isStale: boolean;
  readonly isLoaded: boolean;
}

export async function snapshotFreshness(pool: Pool, at: number): Promise<SnapshotFreshness> {
  const [snapshot = null] = await selectReadableSnapshots(pool);
  const loaded = await selectNewestSession(pool, CHECKED_VENUE_BASIS, newestDistributableDay(at));
  if (snapshot === null || loaded === null)
    return { snapshot, behind: null, isStale: false, isLoaded: loaded !== null };
  const asOf = requireDay(snapshot.asOf);
  return { snapshot, behind: sessionsAfter(asOf, loaded), isStale: isSnapshotStale(asOf, loaded), isLoaded: true };
}

/** Loaded sessions that the files and tables of the market lack; null: nothing is loaded, or none have been written. */
export async function lakeSessionsBehind(pool: Pool, at: number): Promise<number | null> {
  const loaded = await selectNewestSession(pool, CHECKED_VENUE_BASIS, newestDistributableDay(at));
  const lake = await selectLake(pool);
  return loaded === null || !lake ? null : sessionsAfter(requireDay(lake.newestSession), loaded);
}
