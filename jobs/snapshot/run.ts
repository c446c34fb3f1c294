/** The job of a snapshot: the newest bars of every instrument, adjusted, with the running means of the bars before them. */
import { createHash, randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { selectAdjustments } from '../../db/market/adjustments.ts';
import { selectSeries, selectSeriesSince } from '../../db/market/bars.ts';
import { selectDataVersion } from '../../db/market/data-versions.ts';
import { type Instrument, selectInstruments } from '../../db/market/instruments.ts';
import { selectNewestSession } from '../../db/market/loaded-sessions.ts';
import { deleteOldSnapshots, insertSnapshot, type SnapshotObject, selectSnapshots } from '../../db/market/snapshots.ts';
import { newestDistributableDay } from '../../engine/market/calendar.ts';
import { civilDate, type Day, dayOf, formatDay } from '../../engine/market/dates.ts';
import { type BarSeries, EMPTY_SERIES } from '../../engine/market/series.ts';
import { CONSOLIDATED_FROM, spliceSeries } from '../../engine/market/splice.ts';
import { ENGINE_VERSION } from '../../engine/version.ts';
import { SNAPSHOT_MANIFEST_KEY, SNAPSHOT_PREFIXES, snapshotKeys } from '../../storage/keys.ts';
import { type JobContext, PermanentFailure } from '../job-context.ts';
import { checkNewSessions, describeHeld } from '../quality/check-sessions.ts';
import { encodeBars } from './bars-file.ts';
import { type Collected, SnapshotCollector } from './collector.ts';
import { KEPT_SNAPSHOTS, SNAPSHOT_FORMAT } from './contract.ts';
import { encodeMeans } from './means-file.ts';

type SnapshotContext = Pick<JobContext, 'pool' | 'storage' | 'now' | 'log' | 'signal'>;

/** Instruments read at once; it bounds the memory beside the snapshot itself. */
const CHUNK = 200;
/** The snapshot has the instruments with a bar in this many calendar years, the last of which is that of the newest session. */
const YEARS = 3;

export async function buildSnapshot(context: SnapshotContext): Promise<void> {
  try {
    await build(context);
  } catch (error) {
    // The next build removes what cannot be removed now.
    await removeOldObjects(context).catch(() => {});
    throw error;
  }
}

async function build(context: SnapshotContext): Promise<void> {
  const { pool, now, log } = context;
  const at = new Date(now());
  const dataVersion = await selectDataVersion(pool);
  const through = newestDistributableDay(at.getTime());
  const newest = await selectNewestSession(pool, 'consolidated', through);
  if (newest === null) return;
  const held = await checkNewSessions(pool, at.getTime(), log);
  if (held.length > 0) throw new PermanentFailure(`held back: ${describeHeld(held)}`);
  const { snapshot, symbols, asOf } = await collect(context, through, dayOf(civilDate(newest).year - YEARS + 1, 1, 1));
  const keys = snapshotKeys(at, randomUUID().slice(0, 8));
  const record = {
    ...(await store(context, keys.bars, encodeBars(snapshot, symbols))),
    format: SNAPSHOT_FORMAT,
    means: await store(context, keys.means, encodeMeans(snapshot)),
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
  await insertSnapshot(pool, record);
  await removeOldObjects(context);
  log.debug({ asOf: record.asOf, instruments: record.instruments, bytes: record.bytes }, 'snapshot built');
}

async function store({ storage }: SnapshotContext, objectKey: string, bytes: Uint8Array): Promise<SnapshotObject> {
  const checksum = createHash('sha256').update(bytes).digest('hex');
  await storage.put(objectKey, Readable.from([Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)]));
  return { objectKey, checksum, bytes: bytes.length };
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

/** The newest bars of each instrument that has one since `oldest`, adjusted as `qfq`, and the means from before them. */
async function collect({ pool, signal }: SnapshotContext, through: Day, oldest: Day): Promise<Collected> {
  const instruments = await selectInstruments(pool);
  const adjustments = await selectAdjustments(pool);
  const collector = new SnapshotCollector(instruments.length);
  const read = (at: number) => readChunk(pool, instruments.slice(at, at + CHUNK));
  let next = read(0);
  for (let at = 0; at < instruments.length; at += CHUNK) {
    const chunk = await next;
    signal.throwIfAborted();
    // The database reads the next chunk while this one is computed.
    next = read(at + CHUNK);
    next.catch(() => {});
    for (const [instrument, primary, consolidated] of chunk) {
      const traded = spliceSeries(primary, consolidated, through);
      if (traded.length === 0 || traded.day[traded.length - 1] < oldest) continue;
      collector.add(instrument, traded, adjustments.get(instrument.id) ?? []);
    }
  }
  return collector.end();
}

/** The series, as traded, from which the histories of a chunk are spliced. */
async function readChunk(
  pool: SnapshotContext['pool'],
  chunk: readonly Instrument[],
): Promise<[instrument: Instrument, primary: BarSeries, consolidated: BarSeries][]> {
  if (chunk.length === 0) return [];
  const ids = chunk.map(({ id }) => id);
  const [primary, consolidated] = await Promise.all([
    selectSeries(pool, ids, 'primary_session'),
    selectSeriesSince(pool, ids, 'consolidated', civilDate(CONSOLIDATED_FROM).year),
  ]);
  const of = (found: Map<number, BarSeries>, { id }: Instrument) => found.get(id) ?? EMPTY_SERIES;
  return chunk.map((instrument) => [instrument, of(primary, instrument), of(consolidated, instrument)]);
}
