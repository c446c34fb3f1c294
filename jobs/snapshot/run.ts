/**
 * The job of a snapshot: the newest bars of every instrument, adjusted, with the running means of the bars before them. The overviews
 * of the market are made from the same histories.
 */
import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { selectDataVersion } from '../../db/market/data-versions.ts';
import { selectNewestSession, selectNewestSessions } from '../../db/market/loaded-sessions.ts';
import {
  deleteOldSnapshots,
  insertSnapshot,
  replaceMarketOverviews,
  selectSnapshots,
} from '../../db/market/snapshots.ts';
import { transaction } from '../../db/pool.ts';
import { endStep } from '../../db/queue/session-steps.ts';
import { newestDistributableDay } from '../../engine/market/calendar.ts';
import { formatDay } from '../../engine/market/dates.ts';
import { CONSOLIDATED_FROM } from '../../engine/market/venue-basis.ts';
import { OVERVIEW_SESSIONS, RANKED_SESSIONS } from '../../engine/screener/market-overview.ts';
import { OverviewCollector } from '../../engine/screener/overview-collector.ts';
import { ENGINE_VERSION } from '../../engine/version.ts';
import { SNAPSHOT_MANIFEST_KEY, SNAPSHOT_PREFIXES, snapshotKeys } from '../../storage/keys.ts';
import type { JobContext } from '../contracts/job-context.ts';
import { KEPT_SNAPSHOTS, SNAPSHOT_FORMAT } from '../contracts/snapshot.ts';
import { assertNoneHeld, checkFindings } from '../quality/check-sessions.ts';
import { collectSnapshot, storeSnapshotObject } from './collect.ts';
import { encodeBars, encodeMeans } from './files.ts';

export type SnapshotContext = Pick<JobContext, 'pool' | 'storage' | 'now' | 'log' | 'signal'>;

export async function buildSnapshot(context: SnapshotContext): Promise<void> {
  try {
    await build(context);
  } catch (error) {
    // If this fails, the next build repeats it.
    await removeOldObjects(context).catch(() => {});
    throw error;
  }
}

async function build(context: SnapshotContext): Promise<void> {
  const { pool, now, log } = context;
  const at = new Date(now());
  // A snapshot of the same data was made after their check.
  const [last] = await selectSnapshots(pool, 1);
  if (last?.dataVersion !== (await selectDataVersion(pool)))
    await checkFindings(pool, at.getTime(), log, context.signal);
  const dataVersion = await selectDataVersion(pool);
  const through = newestDistributableDay(at.getTime());
  const newest = await selectNewestSession(pool, 'consolidated', through);
  if (newest === null) return;
  await assertNoneHeld(pool, at.getTime(), log);
  const sessions = await selectNewestSessions(pool, {
    count: OVERVIEW_SESSIONS + RANKED_SESSIONS,
    through,
    consolidatedFrom: CONSOLIDATED_FROM,
  });
  const overviews = new OverviewCollector(sessions);
  const { snapshot, symbols, asOf } = await collectSnapshot(context, through, newest, null, overviews);
  const keys = snapshotKeys(at, randomUUID().slice(0, 8));
  const record = {
    ...(await storeSnapshotObject(context, keys.bars, encodeBars(snapshot, symbols))),
    format: SNAPSHOT_FORMAT,
    means: await storeSnapshotObject(context, keys.means, encodeMeans(snapshot)),
    dataVersion,
    engineVersion: ENGINE_VERSION,
    exportedAt: at,
    through: formatDay(through),
    bars: snapshot.bars.length,
    asOf: formatDay(asOf),
    instruments: snapshot.instrumentIds.length,
  };
  const manifest = JSON.stringify({
    as_of: record.asOf,
    exported_at: at.toISOString(),
    rows: record.bars,
    instruments: record.instruments,
    checksum_sha256: record.checksum,
    engine_version: ENGINE_VERSION,
    object: record.objectKey,
  });
  await context.storage.put(SNAPSHOT_MANIFEST_KEY, Readable.from([manifest]));
  // Before the snapshot, whose row tells readers that there is something new.
  await replaceMarketOverviews(pool, SNAPSHOT_FORMAT, overviews.end());
  await transaction(pool, async (connection) => {
    await insertSnapshot(connection, record);
    await endStep(connection, { step: 'snapshot', days: [asOf], at: new Date(now()), rows: record.bars });
  });
  await removeOldObjects(context);
  log.debug({ asOf: record.asOf, instruments: record.instruments, bytes: record.bytes }, 'snapshot built');
}

/** Removes the objects of old snapshots and of unfinished ones. */
async function removeOldObjects({ pool, storage }: SnapshotContext): Promise<void> {
  await deleteOldSnapshots(pool, KEPT_SNAPSHOTS);
  const records = await selectSnapshots(pool, KEPT_SNAPSHOTS);
  const kept = new Set([
    SNAPSHOT_MANIFEST_KEY,
    ...records.flatMap(({ objectKey, means }) => [objectKey, means?.objectKey]),
  ]);
  for (const prefix of SNAPSHOT_PREFIXES) {
    for await (const { key } of storage.list(prefix)) if (!kept.has(key)) await storage.remove(key);
  }
}
