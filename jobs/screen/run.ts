/** The job of a screen: builds the snapshot of its day, unless there is one, and computes what needs whole histories. */
import { randomUUID } from 'node:crypto';
import {
  deleteUnusedPastSnapshots,
  finishPastSnapshot,
  insertPastSnapshot,
  selectPastSnapshotKeys,
  usePastSnapshot,
} from '../../db/market/snapshots.ts';
import { newYorkTime, requireDay } from '../../engine/market/dates.ts';
import { ENGINE_VERSION } from '../../engine/version.ts';
import { PAST_SNAPSHOT_PREFIXES, pastSnapshotKeys } from '../../storage/keys.ts';
import { refusedLoad } from '../contracts/load.ts';
import { PAST_SNAPSHOT_KEPT_HOURS, PAST_SNAPSHOTS_MAX, screenSpecSchema, versionOfLoad } from '../contracts/screen.ts';
import { SNAPSHOT_FORMAT } from '../contracts/snapshot.ts';
import { finishUncached, type RunContext, runFrame } from '../runs/frame.ts';
import { collectSnapshot, type Seen, storeSnapshotObject } from '../snapshot/collect.ts';
import { encodeBars, encodeMeans } from '../snapshot/files.ts';
import type { SnapshotContext } from '../snapshot/run.ts';
import { type LakeState, lakeAt } from '../tables/lake-at.ts';
import { pastHistories } from '../tables/past-histories.ts';
import { screenHistory } from './history.ts';
import { longFigures } from './long-rules.ts';

const HOUR_MS = 3_600_000;

export function runScreenJob(
  context: RunContext & SnapshotContext,
  { runId }: { readonly runId: string },
): Promise<void> {
  return runFrame(context, runId, async (run) => {
    const { asOf, isPast, load, long, history: wanted } = screenSpecSchema.parse(JSON.parse(run.spec));
    const day = requireDay(asOf);
    const state = load && (await lakeAt(context, load.name));
    if (load && !state) return { code: 'load_not_kept', details: await refusedLoad(context.pool, load.name) };
    const seen = state ? readLoad(context, state) : isPast ? seenAt(asOf) : null;
    const version = load ? versionOfLoad(load) : run.dataVersion;
    const snapshotId = isPast ? await ensurePastSnapshot(context, asOf, version, seen) : null;
    const figures = long && (await longFigures(context, long, day, seen));
    const history = wanted && (await screenHistory(context, wanted, day, seen));
    await finishUncached(context, { snapshot_id: snapshotId, long: figures, history });
    return null;
  });
}

/** The moment at which a session was served first: midnight in New York after it. */
function seenAt(day: string): Date {
  return new Date(newYorkTime(requireDay(day) + 1, 0));
}

const readLoad =
  ({ storage }: Pick<SnapshotContext, 'storage'>, state: LakeState): Seen =>
  (through) =>
    pastHistories(storage, state, through);

/** The id of the snapshot of a day, which is built unless there is one. */
export async function ensurePastSnapshot(
  context: SnapshotContext,
  day: string,
  dataVersion: string,
  seen: Seen = seenAt(day),
): Promise<number> {
  const { pool, now, log } = context;
  const key = { day, dataVersion, engineVersion: ENGINE_VERSION, format: SNAPSHOT_FORMAT };
  const known = await usePastSnapshot(pool, key, new Date(now()));
  if (known) return known.id;
  const { snapshot, symbols } = await collectSnapshot(context, requireDay(day), requireDay(day), seen);
  const keys = pastSnapshotKeys(day, randomUUID());
  const id = await insertPastSnapshot(pool, key, keys, new Date(now()));
  const built = {
    bars: await storeSnapshotObject(context, keys.bars, encodeBars(snapshot, symbols)),
    means: await storeSnapshotObject(context, keys.means, encodeMeans(snapshot)),
    instruments: snapshot.instrumentIds.length,
    count: snapshot.bars.length,
  };
  await finishPastSnapshot(pool, id, built, new Date(now()));
  await removeUnused(context);
  log.debug({ day, instruments: built.instruments }, 'snapshot of a past day built');
  return id;
}

async function removeUnused({ pool, storage, now }: SnapshotContext): Promise<void> {
  const usedBefore = new Date(now() - PAST_SNAPSHOT_KEPT_HOURS * HOUR_MS);
  for (const key of await deleteUnusedPastSnapshots(pool, usedBefore, PAST_SNAPSHOTS_MAX)) await storage.remove(key);
}

/** Removes snapshots that are no longer used, and objects that no row names. */
export async function removePastSnapshots(context: SnapshotContext): Promise<void> {
  const { pool, storage, signal } = context;
  await removeUnused(context);
  const stored: string[] = [];
  for (const prefix of PAST_SNAPSHOT_PREFIXES) for await (const { key } of storage.list(prefix)) stored.push(key);
  // Rows are read after objects: a snapshot is recorded before anything of it is stored.
  const known = await selectPastSnapshotKeys(pool);
  for (const key of stored.filter((one) => !known.has(one))) {
    signal.throwIfAborted();
    await storage.remove(key);
  }
}
