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
import { rejectIn } from '../answer-account.ts';
import { AccountBook, SourceDigest } from '../file-account.ts';
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
import { barBatches } from './bars.ts';
import { DatabentoClient, type DatabentoSettings, isNotSubscribed } from './client.ts';
import { definedInstruments, symbolsOfDays } from './definitions.ts';
import { answerLines, daysQuery, measure, type Query, withinAvailable } from './queries.ts';
import { adjustmentFactors, securityMaster } from './reference.ts';
import { type ListingVenue, listingVenues, VENUE_SCHEMAS, VENUES, venueBars } from './venue-minutes.ts';

const SUMMARY = { dataset: 'EQUS.SUMMARY', schema: 'ohlcv-1d' } as const;
/** The sources from which a session is rebuilt. */
const VENUE_SOURCES = VENUES.flatMap(({ dataset }) => VENUE_SCHEMAS.map((schema) => ({ dataset, schema })));
/** The newest days of the dataset, which may be incomplete. */
const PENDING_DAYS = 14;
/** Longer ranges of sessions are requested by month. */
const MAX_DAY_UNITS = 5;

const span = z.object({ start: z.string(), end: z.string() });
const datasetRange = span.extend({ schema: z.record(z.string(), span).optional() });

export class DatabentoProvider implements Provider {
  readonly id = 'databento';
  readonly isSynthetic = false;
  readonly source: MarketSource = { provider: this.id, folder: null, sampleSymbols: null };
  readonly lists = {
    symbols: ['security_master.get_last', 'security_master.get_range'],
    adjustments: ['adjustment_factors.get_range'],
  } as const;
  private readonly client: DatabentoClient;
  private readonly primarySessionFrom: Day | null;
  /** The listing venues for the load that was planned last. */
  private listings: Promise<ListingVenue> | null = null;

  constructor(settings: DatabentoSettings) {
    this.client = new DatabentoClient(settings);
    this.primarySessionFrom = settings.primarySessionFrom;
  }

  async *instruments(
    reject: (row: UnreadableRow) => void,
    book = new AccountBook(),
  ): AsyncIterable<ProvidedInstrument> {
    try {
      yield* securityMaster(this.client, rejectIn(book, reject), book);
    } catch (error) {
      if (!isNotSubscribed(error)) throw error;
      const published = await this.publishedSessions('consolidated');
      if (published) yield* definedInstruments(this.client, SUMMARY.dataset, published.newest);
    }
  }

  async *adjustments(
    reject: (row: UnreadableRow) => void,
    book = new AccountBook(),
  ): AsyncIterable<ProvidedAdjustment> {
    try {
      yield* adjustmentFactors(this.client, rejectIn(book, reject), book);
    } catch (error) {
      // Without events, candles are reported as unadjusted.
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
    book = new AccountBook(),
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
    // Read before the bars, so that a change in between is noticed later.
    digest.version = newestChange(await this.conditions(available.start, available.end));
    const lines = answerLines(this.client, daysQuery(SUMMARY, available.start, available.end), signal, digest);
    const symbolOf = symbolsOfDays(this.client, SUMMARY.dataset, available.start, available.end, signal);
    const path = `timeseries.get_range ${formatDay(available.start)}..${formatDay(available.end)}`;
    yield* barBatches(lines, available.answer, symbolOf, path, book);
    onSource?.(digest.end(path));
  }

  /** Only for consolidated sessions, because the others are years old. The version of a day is the vendor's date of its last change. */
  async republishedSessions(venueBasis: VenueBasis, read: ReadonlyMap<Day, readonly SourceFile[]>): Promise<Day[]> {
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

  /** Requests and bytes; each answer costs two requests, because its records are counted first. */
  async estimateRead(units: readonly LoadUnit[], venueBasis: VenueBasis): Promise<ReadEstimate> {
    const answers = units.length * sourcesOf(venueBasis).length;
    const [first, last] = [units.at(0), units.at(-1)];
    const bytes = first && last ? await this.sum('get_billable_size', venueBasis, first.start, last.end) : 0;
    return { requests: 2 * answers, files: null, bytes };
  }

  /** The figure for a range over all its sources, for the days that they have. */
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

  /** The sessions of a range without the last ones that the vendor has not completed yet. */
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
    if (first === null || endDay === null)
      throw new ProviderError(`metadata.get_dataset_range: no days in ${start} and ${end}`);
    // `end` is exclusive: its day is included only if it is a time after midnight.
    const last = /T00:00:00(\.0+)?Z?$/.test(end) || end.length === 10 ? endDay - 1 : endDay;
    return { first, newest: sessionAtOrBefore(last) };
  }
}

function sourcesOf(venueBasis: VenueBasis): readonly Pick<Query, 'dataset' | 'schema'>[] {
  return venueBasis === 'consolidated' ? [SUMMARY] : VENUE_SOURCES;
}

/** Whether a day of a dataset is complete, and when it was last changed. */
interface DayCondition {
  readonly day: Day;
  /** Whether the vendor has not completed the day yet. */
  readonly isPending: boolean;
  /** Date (YYYY-MM-DD) of the last change; null: not known. */
  readonly modifiedOn: string | null;
}

const conditions = z.array(
  z.object({ date: z.string(), condition: z.string(), last_modified_date: z.string().nullish() }),
);

/** The conditions of the days from `start` to `end` that the dataset has, oldest first. */
async function dayConditions(client: DatabentoClient, dataset: string, start: Day, end: Day): Promise<DayCondition[]> {
  const query = { dataset, start_date: formatDay(start), end_date: formatDay(end) };
  const answer = await client.getJson('metadata.get_dataset_condition', query, conditions);
  const known = answer.flatMap(({ date, condition, last_modified_date: modifiedOn }) => {
    const day = parseDay(date);
    return day === null ? [] : [{ day, isPending: condition === 'pending', modifiedOn: modifiedOn ?? null }];
  });
  return known.sort((a, b) => a.day - b.day);
}

/** The version of an answer about some days: the newest date on which one of them was changed; undefined: none is named. */
function newestChange(days: readonly DayCondition[]): string | undefined {
  return days
    .flatMap(({ modifiedOn }) => modifiedOn ?? [])
    .sort()
    .at(-1);
}
