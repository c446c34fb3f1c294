/** Reads the market into a snapshot. */
import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { type KeyedEvent, selectAdjustments, selectKeyedEvents } from '../../db/market/adjustments.ts';
import { selectSeriesBetween, selectSeriesUntil } from '../../db/market/bars.ts';
import { type Instrument, selectInstruments } from '../../db/market/instruments.ts';
import {
  type RevisedBar,
  type RevisedEvent,
  type Revision,
  selectFirstRevisionsSince,
} from '../../db/market/revisions.ts';
import type { SnapshotObject } from '../../db/market/snapshots.ts';
import type { Pool, Queryable } from '../../db/pool.ts';
import { type Adjustment, adjustToLastBar, effectiveSplits, priceFactors } from '../../engine/market/adjust.ts';
import { civilDate, type Day, dayOf, requireDay } from '../../engine/market/dates.ts';
import {
  allocateSeries,
  type BarSeries,
  EMPTY_SERIES,
  sliceSeries,
  VALUE_COLUMNS,
  withBars,
} from '../../engine/market/series.ts';
import { qualifiedSymbol } from '../../engine/market/symbols.ts';
import { CONSOLIDATED_FROM, SPLICE_YEAR, spliceSeries, type VenueBasis } from '../../engine/market/venue-basis.ts';
import type { OverviewCollector } from '../../engine/screener/overview-collector.ts';
import {
  allocateMeans,
  keepMeans,
  PERIOD_COUNT,
  type RunningMeans,
  SNAPSHOT_BARS,
} from '../../engine/screener/running-means.ts';
import type { StoredSnapshot } from '../../engine/screener/snapshot.ts';
import type { JobContext } from '../contracts/job-context.ts';
import { ColumnBatches, type UsedColumns } from '../runs/own-columns.ts';
import type { PastHistory } from '../tables/past-histories.ts';

interface Collected {
  readonly snapshot: StoredSnapshot;
  readonly symbols: readonly string[];
  /** Newest session with a bar. */
  readonly asOf: Day;
}

/** A snapshot under construction: columns with room for every instrument. */
class SnapshotCollector {
  private readonly bars: BarSeries;
  private readonly running: RunningMeans;
  private readonly lastSplits: Float64Array;
  private readonly offsets = [0];
  private readonly kept: Instrument[] = [];
  private asOf: Day = 0;

  constructor(instruments: number) {
    this.bars = allocateSeries(instruments * SNAPSHOT_BARS);
    this.running = allocateMeans(instruments);
    this.lastSplits = new Float64Array(instruments);
  }

  /** Adds the newest bars of a whole history: `traded` as traded, `series` on the share count of its last bar. */
  add(instrument: Instrument, traded: BarSeries, series: BarSeries, events: readonly Adjustment[]): void {
    const { bars, kept, offsets } = this;
    const { length } = traded;
    const newest = traded.day[length - 1];
    const first = Math.max(0, length - SNAPSHOT_BARS);
    const from = offsets[kept.length];
    bars.day.set(series.day.subarray(first), from);
    for (const column of VALUE_COLUMNS) bars[column].set(series[column].subarray(first), from);
    if (first > 0) keepMeans(this.running, kept.length, series, first);
    const [split] = priceFactors(traded.day.subarray(Math.max(0, length - 2)), effectiveSplits(events, newest));
    this.lastSplits[kept.length] = split;
    offsets.push(from + length - first);
    kept.push(instrument);
    this.asOf = Math.max(this.asOf, newest);
  }

  end(): Collected {
    const { bars, running, lastSplits, offsets, kept, asOf } = this;
    const count = kept.length;
    const { barsBefore, means } = running;
    const of = (column: Float32Array) => column.subarray(0, count * PERIOD_COUNT);
    return {
      snapshot: {
        bars: sliceSeries(bars, 0, offsets[count]),
        offsets: Int32Array.from(offsets),
        instrumentIds: Int32Array.from(kept, ({ id }) => id),
        running: {
          barsBefore: barsBefore.subarray(0, count),
          means: { close: of(means.close), gain: of(means.gain), loss: of(means.loss), range: of(means.range) },
        },
        lastSplits: lastSplits.subarray(0, count),
      },
      symbols: kept.map(({ symbol }) => qualifiedSymbol(symbol)),
      asOf,
    };
  }
}

/** The market as it was served at an instant: the present one with its later revisions undone. */
class PastMarket {
  private readonly revisions: ReadonlyMap<number, readonly Revision[]>;

  private constructor(revisions: ReadonlyMap<number, readonly Revision[]>) {
    this.revisions = revisions;
  }

  /** Reads the revisions of some instruments since an instant. */
  static async at(db: Queryable, instrumentIds: readonly number[], at: Date): Promise<PastMarket> {
    const revisions = await selectFirstRevisionsSince(db, instrumentIds, at);
    return new PastMarket(Map.groupBy(revisions, ({ instrumentId }) => instrumentId));
  }

  series(instrumentId: number, venueBasis: VenueBasis, now: BarSeries): BarSeries {
    const changed = new Map<Day, RevisedBar | null>();
    for (const revision of this.revisions.get(instrumentId) ?? []) {
      if ('venueBasis' in revision && revision.venueBasis === venueBasis)
        changed.set(requireDay(revision.day), revision.was);
    }
    return withBars(now, changed);
  }

  async events(db: Queryable, instrumentId: number, now: readonly Adjustment[]): Promise<readonly Adjustment[]> {
    const changed = new Map<string, RevisedEvent | null>();
    for (const revision of this.revisions.get(instrumentId) ?? []) {
      if ('eventKey' in revision) changed.set(revision.eventKey, revision.was);
    }
    if (changed.size === 0) return now;
    const kept = (await selectKeyedEvents(db, instrumentId)).filter(({ eventKey }) => !changed.has(eventKey));
    const added = [...changed].flatMap(([eventKey, was]): KeyedEvent[] =>
      was ? [{ eventKey, exDay: requireDay(was.ex_date), kind: was.kind, factor: was.factor }] : [],
    );
    return [...kept, ...added].sort((a, b) => a.exDay - b.exDay || (a.eventKey < b.eventKey ? -1 : 1));
  }
}

/** Instruments read at once; bounds the memory in addition to the snapshot. */
const CHUNK = 200;
/** A snapshot has the instruments with a bar in this many calendar years up to that of the newest session. */
const YEARS = 3;

/** Reads the histories up to a day that a load has left. */
export type ReadLoad = (through: Day) => AsyncIterable<PastHistory>;

/** The market as it was served at an instant, as a load left it, or (null) as it is now. */
export type Seen = Date | ReadLoad | null;

interface HistorySpan {
  readonly through: Day;
  readonly newest: Day;
  readonly seen: Seen;
  /** Default: so long ago that every instrument that a screen may find is among them. */
  readonly oldest?: Day;
  /** Own columns that come with the bars. */
  readonly own?: UsedColumns;
}

/** A history as traded. */
interface MarketHistory {
  readonly instrument: Instrument;
  readonly traded: BarSeries;
  readonly events: readonly Adjustment[];
}

/**
 * The newest bars up to `through` of each instrument that has recent ones, on the share count of the last of them, and the
 * means from before them. The same histories are added to `overviews`.
 */
export async function collectSnapshot(
  context: Pick<JobContext, 'pool' | 'signal'>,
  through: Day,
  newest: Day,
  seen: Seen = null,
  overviews: OverviewCollector | null = null,
): Promise<Collected> {
  const instruments = await selectInstruments(context.pool);
  const collector = new SnapshotCollector(instruments.length);
  const span = { through, newest, seen };
  for await (const { instrument, traded, events } of marketHistories(context, instruments, span)) {
    const adjusted = adjustToLastBar(traded, events);
    collector.add(instrument, traded, adjusted, events);
    overviews?.add(instrument, traded, adjusted);
  }
  return collector.end();
}

/**
 * The histories up to `through` of instruments that have bars from `oldest` on, one after the other; some may be delisted by now.
 * `newest` is the newest session.
 */
export async function* marketHistories(
  context: Pick<JobContext, 'pool' | 'signal'>,
  instruments: readonly Instrument[],
  { through, seen, own, ...span }: HistorySpan,
): AsyncGenerator<MarketHistory> {
  const { oldest = dayOf(civilDate(span.newest).year - YEARS + 1, 1, 1) } = span;
  const histories =
    typeof seen === 'function'
      ? historiesOfLoad(context, instruments, seen(through))
      : storedHistories(context, instruments, through, seen);
  const columns = new ColumnBatches(
    context.pool,
    own,
    instruments.map(({ id }) => id),
  );
  for await (const history of histories) {
    const { day, length } = history.traded;
    if (length === 0 || day[length - 1] < oldest) continue;
    const { traded, instrument } = history;
    const own = await columns.of(instrument.id);
    yield { ...history, traded: { ...traded, own, listedOn: instrument.listedOn ?? undefined } };
  }
}

/** Instruments that the load knew by an earlier ticker are found by that one. */
async function* historiesOfLoad(
  { signal }: Pick<JobContext, 'signal'>,
  instruments: readonly Instrument[],
  histories: AsyncIterable<PastHistory>,
): AsyncGenerator<MarketHistory> {
  const earlier = instruments.flatMap((one) => one.previousTickers.map(({ ticker }) => [ticker, one] as const));
  const present = instruments.map((one) => [one.symbol, one] as const);
  const byTicker = new Map([...earlier, ...present].map(([ticker, one]) => [qualifiedSymbol(ticker), one]));
  for await (const { symbol, series: traded, events } of histories) {
    signal.throwIfAborted();
    const instrument = byTicker.get(symbol);
    if (instrument) yield { instrument, traded, events };
  }
}

async function* storedHistories(
  { pool, signal }: Pick<JobContext, 'pool' | 'signal'>,
  instruments: readonly Instrument[],
  through: Day,
  seenAt: Date | null,
): AsyncGenerator<MarketHistory> {
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
      const events = adjustments.get(id) ?? [];
      yield { instrument, traded, events: (await past?.events(pool, id, events)) ?? events };
    }
  }
}

interface Chunk {
  /** The series from which histories are spliced, as traded. */
  readonly chunk: readonly [instrument: Instrument, primary: BarSeries, consolidated: BarSeries][];
  /** The changes since `seenAt`, to undo; null: the present market is read. */
  readonly past: PastMarket | null;
}

async function readChunk(pool: Pool, chunk: readonly Instrument[], through: Day, seenAt: Date | null): Promise<Chunk> {
  if (chunk.length === 0) return { chunk: [], past: null };
  const ids = chunk.map(({ id }) => id);
  const last = civilDate(through).year;
  const none = new Map<number, BarSeries>();
  const [primary, consolidated, past] = await Promise.all([
    selectSeriesUntil(pool, ids, 'primary_session', Math.min(last, SPLICE_YEAR)),
    through < CONSOLIDATED_FROM ? none : selectSeriesBetween(pool, ids, 'consolidated', SPLICE_YEAR, last),
    seenAt && PastMarket.at(pool, ids, seenAt),
  ]);
  const of = (found: Map<number, BarSeries>, { id }: Instrument) => found.get(id) ?? EMPTY_SERIES;
  return {
    chunk: chunk.map((instrument) => [instrument, of(primary, instrument), of(consolidated, instrument)]),
    past,
  };
}

/** Stores one of the two objects of a snapshot. */
export async function storeSnapshotObject(
  { storage }: Pick<JobContext, 'storage'>,
  objectKey: string,
  bytes: Uint8Array,
): Promise<SnapshotObject> {
  const checksum = createHash('sha256').update(bytes).digest('hex');
  await storage.put(objectKey, Readable.from([Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)]));
  return { objectKey, checksum, bytes: bytes.length };
}
