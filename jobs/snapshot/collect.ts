/** Reads the market into a snapshot. */
import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { selectAdjustments } from '../../db/market/adjustments.ts';
import { selectSeriesBetween, selectSeriesUntil } from '../../db/market/bars.ts';
import { type Instrument, selectInstruments } from '../../db/market/instruments.ts';
import type { SnapshotObject } from '../../db/market/snapshots.ts';
import type { Adjustment } from '../../engine/market/adjust.ts';
import { civilDate, type Day, dayOf } from '../../engine/market/dates.ts';
import { type BarSeries, EMPTY_SERIES } from '../../engine/market/series.ts';
import { CONSOLIDATED_FROM, spliceSeries } from '../../engine/market/splice.ts';
import type { VenueBasis } from '../../engine/market/venue-basis.ts';
import type { JobContext } from '../contracts/job-context.ts';
import { type Collected, SnapshotCollector } from './collector.ts';
import { PastMarket } from './past-market.ts';

/** Instruments read at once; it bounds the memory beside the snapshot itself. */
const CHUNK = 200;
/** A snapshot has the instruments with a bar in this many calendar years, the last of which is that of its newest session. */
const YEARS = 3;
const SPLICE_YEAR = civilDate(CONSOLIDATED_FROM).year;

/** A history as traded. */
interface MarketHistory {
  readonly instrument: Instrument;
  readonly traded: BarSeries;
  readonly events: readonly Adjustment[];
}

/**
 * The newest bars up to `through` of each instrument that has recent ones, on the share count of the last of them, and the
 * means from before them.
 */
export async function collectSnapshot(
  context: Pick<JobContext, 'pool' | 'signal'>,
  through: Day,
  newest: Day,
  seenAt: Date | null = null,
): Promise<Collected> {
  const instruments = await selectInstruments(context.pool);
  const collector = new SnapshotCollector(instruments.length);
  const span = { through, newest, seenAt };
  for await (const { instrument, traded, events } of marketHistories(context, instruments, span)) {
    collector.add(instrument, traded, events);
  }
  return collector.end();
}

/**
 * The histories up to `through` of instruments that have recent bars, one after the other. Instruments that were delisted since are part of
 * it. `newest` is the newest session; `seenAt`: bars and events as they were served then (null: as they are).
 */
export async function* marketHistories(
  { pool, signal }: Pick<JobContext, 'pool' | 'signal'>,
  instruments: readonly Instrument[],
  { through, newest, seenAt }: { readonly through: Day; readonly newest: Day; readonly seenAt: Date | null },
): AsyncGenerator<MarketHistory> {
  const oldest = dayOf(civilDate(newest).year - YEARS + 1, 1, 1);
  const adjustments = await selectAdjustments(pool);
  const read = (at: number) => readChunk(pool, instruments.slice(at, at + CHUNK), through, seenAt);
  let next = read(0);
  for (let at = 0; at < instruments.length; at += CHUNK) {
    const { chunk, past } = await next;
    signal.throwIfAborted();
    // The database reads the next chunk while this one is computed.
    next = read(at + CHUNK);
    next.catch(() => {});
    for (const [instrument, primary, consolidated] of chunk) {
      const { id } = instrument;
      const series = (venueBasis: VenueBasis, now: BarSeries) => past?.series(id, venueBasis, now) ?? now;
      const traded = spliceSeries(series('primary_session', primary), series('consolidated', consolidated), through);
      if (traded.length === 0 || traded.day[traded.length - 1] < oldest) continue;
      const events = adjustments.get(id) ?? [];
      yield { instrument, traded, events: (await past?.events(pool, id, events)) ?? events };
    }
  }
}

interface Chunk {
  /** The series, as traded, from which histories are spliced. */
  readonly chunk: readonly [instrument: Instrument, primary: BarSeries, consolidated: BarSeries][];
  /** The changes since then, which are undone; null: none are. */
  readonly past: PastMarket | null;
}

async function readChunk(
  pool: JobContext['pool'],
  chunk: readonly Instrument[],
  through: Day,
  seenAt: Date | null,
): Promise<Chunk> {
  if (chunk.length === 0) return { chunk: [], past: null };
  const ids = chunk.map(({ id }) => id);
  const last = civilDate(through).year;
  const none = new Map<number, BarSeries>();
  const [primary, consolidated, past] = await Promise.all([
    selectSeriesUntil(pool, ids, 'primary_session', Math.min(last, SPLICE_YEAR)),
    through < CONSOLIDATED_FROM ? none : selectSeriesBetween(pool, ids, 'consolidated', { first: SPLICE_YEAR, last }),
    seenAt && PastMarket.at(pool, ids, seenAt),
  ]);
  const of = (found: Map<number, BarSeries>, { id }: Instrument) => found.get(id) ?? EMPTY_SERIES;
  return {
    chunk: chunk.map((instrument) => [instrument, of(primary, instrument), of(consolidated, instrument)]),
    past,
  };
}

/** Stores one of the objects of a snapshot. */
export async function storeSnapshotObject(
  { storage }: Pick<JobContext, 'storage'>,
  objectKey: string,
  bytes: Uint8Array,
): Promise<SnapshotObject> {
  const checksum = createHash('sha256').update(bytes).digest('hex');
  await storage.put(objectKey, Readable.from([Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)]));
  return { objectKey, checksum, bytes: bytes.length };
}
