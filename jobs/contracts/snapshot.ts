/** The screener's snapshot: a job builds it, and every API process reads it. */
import { type SnapshotRecord, selectSnapshots } from '../../db/market/snapshots.ts';
import type { Queryable } from '../../db/pool.ts';
import { ENGINE_VERSION } from '../../engine/version.ts';
import { emptyPayload, ONE_AT_A_TIME, type QueueContract } from './queue-contract.ts';

export const SNAPSHOT_QUEUE = {
  name: 'snapshot.build',
  record: null,
  runbook: 'snapshot',
  lane: 'background',
  payload: emptyPayload,
  options: ONE_AT_A_TIME,
} as const satisfies QueueContract;

/** Format of the objects of a snapshot, and of the overviews made with it. Raise it with every change that other versions would misread. */
export const SNAPSHOT_FORMAT = 3;
export const KEPT_SNAPSHOTS = 3;

/** Whether this version can serve a snapshot: format and engine must be those of this version. */
export function isReadable({ format, engineVersion }: SnapshotRecord): boolean {
  return format === SNAPSHOT_FORMAT && engineVersion === ENGINE_VERSION;
}

/** Newest first. */
export async function selectReadableSnapshots(db: Queryable): Promise<SnapshotRecord[]> {
  return (await selectSnapshots(db, KEPT_SNAPSHOTS)).filter(isReadable);
}
