/** The job of a snapshot: the newest bars of every instrument, adjusted, as one file that is served once it is whole. */
import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { selectAdjustments } from '../../db/adjustments.ts';
import { selectSeriesSince } from '../../db/bars.ts';
import { selectDataVersion } from '../../db/data-versions.ts';
import { type Instrument, selectInstruments } from '../../db/instruments.ts';
import { selectNewestSession } from '../../db/loaded-sessions.ts';
import { deleteOldSnapshots, insertSnapshot, selectSnapshots } from '../../db/snapshots.ts';
import type { Adjustment } from '../../engine/adjust.ts';
import { newestDistributableDay } from '../../engine/calendar.ts';
import { civilDate, type Day, formatDay } from '../../engine/dates.ts';
import { SNAPSHOT_BARS } from '../../engine/screener/fields.ts';
import type { MarketSnapshot } from '../../engine/screener/screen.ts';
import { allocateSeries, type BarSeries, EMPTY_SERIES, sliceSeries, VALUE_COLUMNS } from '../../engine/series.ts';
import { adjustToLastBar, spliceSeries } from '../../engine/splice.ts';
import { qualifiedSymbol } from '../../engine/symbols.ts';
import { ENGINE_VERSION } from '../../engine/version.ts';
import { type JobContext, PermanentFailure } from '../job-context.ts';
import { checkNewSessions, describeHeld } from '../quality/check-sessions.ts';
import { encodeSnapshot } from './arrow-file.ts';

/** Instruments read at once: what bounds the memory beside the snapshot itself. */
const CHUNK = 400;
/** Calendar years read, up to that of the newest session: enough for the bars that are kept, also of what was halted for months. */
const YEARS = 3;
export const KEPT_SNAPSHOTS = 3;
const SNAPSHOTS_PREFIX = 'snapshots/';
/** For other readers of the files; the service itself goes by the table. */
const MANIFEST_KEY = `${SNAPSHOTS_PREFIX}manifest.json`;

export async function buildSnapshot(context: JobContext): Promise<void> {
  const { pool, storage, now, log } = context;
  const at = new Date(now());
  const dataVersion = await selectDataVersion(pool);
  const through = newestDistributableDay(at.getTime());
  const newest = await selectNewestSession(pool, 'consolidated', through);
  if (newest === null) return;
  const held = await checkNewSessions(pool, at.getTime(), log);
  if (held.length > 0) throw new PermanentFailure(`held back: ${describeHeld(held)}`);
  const collected = await collect(context, through, civilDate(newest).year - YEARS + 1);
  const bytes = encodeSnapshot(collected.snapshot, collected.symbols);
  const checksum = createHash('sha256').update(bytes).digest('hex');
  const record = {
    objectKey: `${SNAPSHOTS_PREFIX}${at.toISOString().replaceAll(/[:.]/g, '-')}-${checksum.slice(0, 12)}.arrow`,
    ...{ checksum, dataVersion, engineVersion: ENGINE_VERSION, exportedAt: at, through: formatDay(through) },
    ...{ bytes: bytes.length, bars: collected.snapshot.bars.length, asOf: formatDay(collected.asOf) },
    instruments: collected.snapshot.instrumentIds.length,
  };
  await storage.put(record.objectKey, Readable.from([Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)]));
  const manifest = JSON.stringify({
    ...{ as_of: record.asOf, exported_at: at.toISOString(), rows: record.bars, instruments: record.instruments },
    ...{ checksum_sha256: checksum, engine_version: ENGINE_VERSION, object: record.objectKey },
  });
  await storage.put(MANIFEST_KEY, Readable.from([manifest]));
  await insertSnapshot(pool, record);
  await removeOldObjects(context);
  log.debug({ asOf: record.asOf, instruments: record.instruments, bytes: bytes.length }, 'snapshot built');
}

/** Objects of snapshots that are forgotten, and of those that never came to be. */
async function removeOldObjects({ pool, storage }: JobContext): Promise<void> {
  await deleteOldSnapshots(pool, KEPT_SNAPSHOTS);
  const kept = new Set((await selectSnapshots(pool, KEPT_SNAPSHOTS)).map(({ objectKey }) => objectKey));
  for await (const { key } of storage.list(SNAPSHOTS_PREFIX)) {
    if (key !== MANIFEST_KEY && !kept.has(key)) await storage.remove(key);
  }
}

interface Collected {
  readonly snapshot: MarketSnapshot;
  readonly symbols: readonly string[];
  readonly asOf: Day;
}

async function collect({ pool, signal }: JobContext, through: Day, year: number): Promise<Collected> {
  const instruments = await selectInstruments(pool);
  const adjustments = await selectAdjustments(pool);
  const bars = allocateSeries(instruments.length * SNAPSHOT_BARS);
  const offsets = [0];
  const kept: Instrument[] = [];
  let asOf = 0;
  for (let at = 0; at < instruments.length; at += CHUNK) {
    signal.throwIfAborted();
    const chunk = instruments.slice(at, at + CHUNK);
    for (const [instrument, series] of await readChunk(pool, chunk, adjustments, { through, year })) {
      const from = offsets[offsets.length - 1];
      bars.day.set(series.day, from);
      for (const column of VALUE_COLUMNS) bars[column].set(series[column], from);
      offsets.push(from + series.length);
      kept.push(instrument);
      asOf = Math.max(asOf, series.day[series.length - 1]);
    }
  }
  return {
    snapshot: {
      bars: sliceSeries(bars, 0, offsets[offsets.length - 1]),
      offsets: Int32Array.from(offsets),
      instrumentIds: Int32Array.from(kept, ({ id }) => id),
    },
    symbols: kept.map(({ symbol }) => qualifiedSymbol(symbol)),
    asOf,
  };
}

/** The newest bars of each instrument of a chunk, adjusted as `qfq`; those without bars are left out. */
async function readChunk(
  pool: JobContext['pool'],
  chunk: readonly Instrument[],
  adjustments: ReadonlyMap<number, readonly Adjustment[]>,
  { through, year }: { readonly through: Day; readonly year: number },
): Promise<[Instrument, BarSeries][]> {
  const ids = chunk.map(({ id }) => id);
  const [primary, consolidated] = await Promise.all([
    selectSeriesSince(pool, ids, 'primary_session', year),
    selectSeriesSince(pool, ids, 'consolidated', year),
  ]);
  return chunk.flatMap((instrument): [Instrument, BarSeries][] => {
    const of = (found: Map<number, BarSeries>) => found.get(instrument.id) ?? EMPTY_SERIES;
    const series = spliceSeries(of(primary), of(consolidated), through);
    if (series.length === 0) return [];
    const newest = sliceSeries(series, Math.max(0, series.length - SNAPSHOT_BARS), series.length);
    return [[instrument, adjustToLastBar(newest, adjustments.get(instrument.id) ?? [])]];
  });
}
