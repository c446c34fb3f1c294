/**
 * Databento as a provider: consolidated daily bars of `EQUS.SUMMARY`, sessions rebuilt from the minutes of listing venues, and
 * reference data where the account has it. Without the reference subscriptions it has prices only: instruments come from the
 * definitions of the newest session, and there are no adjustment events.
 */
import { z } from 'zod';
import type { MarketSource } from '../../../db/market/market-source.ts';
import type { SourceFile } from '../../../db/queue/sync-units.ts';
import { sessionAtOrBefore, sessionsBetween } from '../../../engine/market/calendar.ts';
import { civilDate, type Day, dayOf, formatDay, parseDay } from '../../../engine/market/dates.ts';
import { CONSOLIDATED_FROM, type VenueBasis } from '../../../engine/market/venue-basis.ts';
import {
  type BarBatch,
  type LoadUnit,
  type ProvidedAdjustment,
  type ProvidedInstrument,
  type Provider,
  ProviderError,
  type ReadEstimate,
  type SessionRange,
  type UnreadableRow,
} from '../provider.ts';
import { SourceDigest } from '../source-digest.ts';
import { barBatches } from './bars.ts';
import { DatabentoClient, type DatabentoSettings, isNotSubscribed } from './client.ts';
import { type DayCondition, dayConditions, newestChange } from './conditions.ts';
import { definedInstruments, symbolsOfDays } from './definitions.ts';
import { answerLines, daysQuery, measure, type Query, withinAvailable } from './queries.ts';
import { adjustmentFactors, securityMaster } from './reference.ts';
import { type ListingVenue, listingVenues, VENUE_SCHEMAS, VENUES, venueBars } from './venue-minutes.ts';

const SUMMARY = { dataset: 'EQUS.SUMMARY', schema: 'ohlcv-1d' } as const;
/** The sources of a session that is rebuilt. */
const VENUE_SOURCES = VENUES.flatMap(({ dataset }) => VENUE_SCHEMAS.map((schema) => ({ dataset, schema })));
/** Days at the end of the dataset that may still be prepared. */
const PENDING_DAYS = 14;
/** Ranges with more sessions than this are requested by month. */
const MAX_DAY_UNITS = 5;

const span = z.object({ start: z.string(), end: z.string() });
const datasetRange = span.extend({ schema: z.record(z.string(), span).optional() });

export class DatabentoProvider implements Provider {
  readonly id = 'databento';
  readonly isSynthetic = false;
  readonly description = 'Databento US Equities Summary';
  readonly source: MarketSource = { provider: this.id, folder: null, sampleSymbols: null };
  readonly lists = {
    symbols: ['security_master.get_last', 'security_master.get_range'],
    adjustments: ['adjustment_factors.get_range'],
  } as const;
  private readonly client: DatabentoClient;
  private readonly primarySessionFrom: Day | null;
  /** The listing venues of the load that was planned last. */
  private listings: Promise<ListingVenue> | null = null;

  constructor(settings: DatabentoSettings) {
    this.client = new DatabentoClient(settings);
    this.primarySessionFrom = settings.primarySessionFrom;
  }

  async *instruments(reject: (row: UnreadableRow) => void): AsyncIterable<ProvidedInstrument> {
    try {
      yield* securityMaster(this.client, reject);
    } catch (error) {
      if (!isNotSubscribed(error)) throw error;
      const published = await this.publishedSessions('consolidated');
      if (published) yield* definedInstruments(this.client, SUMMARY.dataset, published.newest);
    }
  }

  async *adjustments(reject: (row: UnreadableRow) => void): AsyncIterable<ProvidedAdjustment> {
    try {
      yield* adjustmentFactors(this.client, reject);
    } catch (error) {
      // With prices only, candles say that they are not adjusted.
      if (!isNotSubscribed(error)) throw error;
    }
  }

  async publishedSessions(venueBasis: VenueBasis): Promise<SessionRange | null> {
    if (venueBasis === 'consolidated') return this.completeSessions(await this.datasetRange(SUMMARY));
    if (venueBasis !== 'primary_session' || this.primarySessionFrom === null) return null;
    const range = await this.datasetRange(VENUE_SOURCES[0]);
    const first = Math.max(range.first, this.primarySessionFrom);
    const newest = Math.min(range.newest, sessionAtOrBefore(CONSOLIDATED_FROM - 1));
    return first <= newest ? { first, newest } : null;
  }

  async planUnits(venueBasis: VenueBasis, start: Day, end: Day): Promise<LoadUnit[]> {
    this.listings = null;
    const sessions = sessionsBetween(start, end);
    const unit = (key: string, from: Day, to: Day): LoadUnit => ({
      key,
      start: from,
      end: to,
      isClipped: false,
      weight: to - from + 1,
      parts: [],
    });
    const isByDay = venueBasis === 'primary_session' || sessions.length <= MAX_DAY_UNITS;
    if (isByDay) return sessions.map((day) => unit(formatDay(day), day, day));
    const months = Map.groupBy(sessions, (day) => formatDay(day).slice(0, 7));
    return [...months].map(([month, days]) => {
      const { year, month: number } = civilDate(days[0]);
      const last = dayOf(year, number + 1, 1) - 1;
      return unit(month, Math.max(start, dayOf(year, number, 1)), Math.min(end, last));
    });
  }

  async *dailyBars(
    venueBasis: VenueBasis,
    { start, end }: LoadUnit,
    signal: AbortSignal,
    onSource?: (file: SourceFile) => void,
  ): AsyncIterable<BarBatch> {
    if (venueBasis === 'primary_session') {
      this.listings ??= listingVenues(this.instruments(() => {}));
      yield* venueBars(this.client, start, await this.listings, signal, onSource);
      return;
    }
    const available = await withinAvailable(start, end, (from, to) =>
      measure(this.client, 'get_record_count', daysQuery(SUMMARY, from, to)),
    );
    signal.throwIfAborted();
    if (!available) return;
    const digest = new SourceDigest();
    // Asked before the bars, so that a change in between is noticed later.
    digest.version = newestChange(await this.conditions(available.start, available.end));
    const lines = answerLines(this.client, daysQuery(SUMMARY, available.start, available.end), signal, digest);
    const symbolOf = symbolsOfDays(this.client, SUMMARY.dataset, available.start, available.end, signal);
    yield* barBatches(lines, available.answer, symbolOf);
    onSource?.(digest.end(`timeseries.get_range ${formatDay(available.start)}..${formatDay(available.end)}`));
  }

  /** Only of consolidated sessions: others are rebuilt from years ago. The vendor dates its changes, so versions are days. */
  async publishedAnew(venueBasis: VenueBasis, read: ReadonlyMap<Day, readonly SourceFile[]>): Promise<Day[]> {
    if (venueBasis !== 'consolidated' || read.size === 0) return [];
    const days = await this.conditions(Math.min(...read.keys()), Math.max(...read.keys()));
    const isNewer = ({ day, modifiedOn }: DayCondition) => {
      const version = read.get(day)?.at(0)?.version;
      return version !== undefined && modifiedOn !== null && modifiedOn > version;
    };
    return days.filter(isNewer).map(({ day }) => day);
  }

  async estimateCost(venueBasis: VenueBasis, start: Day, end: Day): Promise<number> {
    return this.sum('get_cost', venueBasis, start, end);
  }

  /** Requests and bytes; every answer is counted before it is asked for. */
  async estimateRead(units: readonly LoadUnit[], venueBasis: VenueBasis): Promise<ReadEstimate> {
    const answers = units.length * sourcesOf(venueBasis).length;
    const [first, last] = [units.at(0), units.at(-1)];
    const bytes = first && last ? await this.sum('get_billable_size', venueBasis, first.start, last.end) : 0;
    return { requests: 2 * answers, files: null, bytes };
  }

  // Sessions are rebuilt from whole days of venues by `dailyBars`.
  async minuteDays(): Promise<Day[]> {
    return [];
  }

  async minuteTickers(): Promise<string[]> {
    return [];
  }

  async minuteBars(): Promise<null> {
    return null;
  }

  async officialCloses(): Promise<ReadonlyMap<string, number>> {
    return new Map();
  }

  /** The figure of a range over all its sources, as far as they have its days. */
  private async sum(
    method: 'get_cost' | 'get_billable_size',
    venueBasis: VenueBasis,
    start: Day,
    end: Day,
  ): Promise<number> {
    let sum = 0;
    for (const source of sourcesOf(venueBasis)) {
      const ask = (from: Day, to: Day) => measure(this.client, method, daysQuery(source, from, to));
      sum += (await withinAvailable(start, end, ask))?.answer ?? 0;
    }
    return sum;
  }

  private conditions(start: Day, end: Day): Promise<DayCondition[]> {
    return dayConditions(this.client, SUMMARY.dataset, start, end);
  }

  /** The sessions of a range without the last ones, as long as the vendor still prepares them. */
  private async completeSessions({ first, newest }: SessionRange): Promise<SessionRange | null> {
    const days = await this.conditions(Math.max(first, newest - PENDING_DAYS), newest);
    const pending = new Set(days.filter(({ isPending }) => isPending).map(({ day }) => day));
    let last = newest;
    while (pending.has(last)) last = sessionAtOrBefore(last - 1);
    return first <= last ? { first, newest: last } : null;
  }

  private async datasetRange({ dataset, schema }: Pick<Query, 'dataset' | 'schema'>): Promise<SessionRange> {
    const range = await this.client.getJson('metadata.get_dataset_range', { dataset }, datasetRange);
    const { start, end } = range.schema?.[schema] ?? range;
    const [first, endDay] = [parseDay(start.slice(0, 10)), parseDay(end.slice(0, 10))];
    if (first === null || endDay === null) throw new ProviderError(`metadata.get_dataset_range: ${start} … ${end}?`);
    // `end` is exclusive: its day is included only when it names a moment after midnight.
    const last = /T00:00:00(\.0+)?Z?$/.test(end) || end.length === 10 ? endDay - 1 : endDay;
    return { first, newest: sessionAtOrBefore(last) };
  }
}

function sourcesOf(venueBasis: VenueBasis): readonly Pick<Query, 'dataset' | 'schema'>[] {
  return venueBasis === 'consolidated' ? [SUMMARY] : VENUE_SOURCES;
}
