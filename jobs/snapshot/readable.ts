/** Which snapshots this version can serve: those of its own layout and of its own indicators. */

import { type SnapshotRecord, selectSnapshots } from '../../db/market/snapshots.ts';
import type { Queryable } from '../../db/pool.ts';
import { ENGINE_VERSION } from '../../engine/version.ts';

/** Of the objects of a snapshot; to be raised with every change that another version would read wrongly. */
export const SNAPSHOT_FORMAT = 2;
export const KEPT_SNAPSHOTS = 3;

/** Where the objects of snapshots lie. */
export const SNAPSHOT_PREFIXES = {
  bars: 'snapshots/',
  /** Of its own: the version before removes what it does not know under that of the bars. */
  means: 'snapshot-means/',
} as const;

export function isReadable({ format, engineVersion }: SnapshotRecord): boolean {
  return format === SNAPSHOT_FORMAT && engineVersion === ENGINE_VERSION;
}

/** Newest first. */
export async function selectReadableSnapshots(db: Queryable): Promise<SnapshotRecord[]> {
  return (await selectSnapshots(db, KEPT_SNAPSHOTS)).filter(isReadable);
}
