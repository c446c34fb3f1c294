/**
 * Massive (formerly Polygon) as a provider: consolidated daily bars from flat files of day aggregates; instruments, splits, and dividends
 * from the REST API. There are no minutes by venue, so `primary_session` bars are rebuilt from consolidated minutes.
 */
import { z } from 'zod';
import type { MarketSource } from '../../../db/market/market-source.ts';
import type { SourceFile } from '../../../db/queue/sync-units.ts';
import { sessionAtOrBefore } from '../../../engine/market/calendar.ts';
import { type Day, formatDay, newYorkDay } from '../../../engine/market/dates.ts';
import type { MinuteBar } from '../../../engine/market/minute-bars.ts';
import { CONSOLIDATED_FROM, type VenueBasis } from '../../../engine/market/venue-basis.ts';
import type { S3Settings } from '../../../storage/s3.ts';
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
import { dayBars, rebuiltBars } from './aggregates.ts';
import { MassiveClient, type RestSettings } from './client.ts';
import { DIVIDENDS_PATH, dividends, SPLITS_PATH, splits } from './events.ts';
import {
  DAY_AGGREGATES,
  type FileSet,
  type FlatFile,
  FlatFiles,
  type ListedFile,
  MINUTE_AGGREGATES,
} from './flat-files.ts';
import { listedInstruments, TICKERS_PATH, vendorTickerOf } from './reference.ts';

export interface MassiveSettings {
  readonly rest: RestSettings;
  readonly flatFiles: S3Settings;
  /** First day of `primary_session` bars; null: none are loaded, because each day is a large file. */
  readonly primarySessionFrom: Day | null;
}

/** How long the first file of the plan is cached; it moves by one day per day. */
const RANGE_MS = 3_600_000;

const minutesPage = z.object({
  results: z
    .array(z.object({ t: z.number(), o: z.number(), h: z.number(), l: z.number(), c: z.number(), v: z.number() }))
    .nullish(),
});

interface KnownRange {
  readonly at: number;
  readonly range: SessionRange | null;
}

export class MassiveProvider implements Provider {
  readonly id = 'massive';
  readonly isSynthetic = false;
  readonly source: MarketSource = { provider: this.id, folder: null, sampleSymbols: null };
  readonly lists = {
    symbols: [`${TICKERS_PATH}, active and delisted`],
    adjustments: [SPLITS_PATH, DIVIDENDS_PATH],
  } as const;
  private readonly client: MassiveClient;
  private readonly files: FlatFiles;
  private readonly primarySessionFrom: Day | null;
  private readonly now: () => number;
  private readonly ranges = new Map<FileSet, KnownRange>();

  constructor({ rest, flatFiles, primarySessionFrom }: MassiveSettings, now: () => number) {
    this.client = new MassiveClient(rest);
    this.files = new FlatFiles(flatFiles);
    this.primarySessionFrom = primarySessionFrom;
    this.now = now;
  }

  instruments(reject: (row: UnreadableRow) => void, book = new AccountBook()): AsyncIterable<ProvidedInstrument> {
    return listedInstruments(this.client, rejectIn(book, reject), book);
  }

  async *adjustments(
    reject: (row: UnreadableRow) => void,
    book = new AccountBook(),
  ): AsyncIterable<ProvidedAdjustment> {
    yield* splits(this.client, rejectIn(book, reject), book);
    yield* dividends(this.client, rejectIn(book, reject), book);
  }

  async publishedSessions(venueBasis: VenueBasis): Promise<SessionRange | null> {
    if (venueBasis === 'consolidated') return this.range(DAY_AGGREGATES);
    if (venueBasis !== 'primary_session' || this.primarySessionFrom === null) return null;
    const range = await this.range(MINUTE_AGGREGATES);
    if (!range) return null;
    const first = Math.max(range.first, this.primarySessionFrom);
    const newest = Math.min(range.newest, sessionAtOrBefore(CONSOLIDATED_FROM - 1));
    return first <= newest ? { first, newest } : null;
  }

  /** One unit per session; those of `primary_session` also read the official closes in the day's file. */
  async planUnits(venueBasis: VenueBasis, start: Day, end: Day): Promise<LoadUnit[]> {
    const isRebuilt = venueBasis === 'primary_session';
    const days = await Array.fromAsync(this.files.list(DAY_AGGREGATES, start, end));
    if (!isRebuilt) return days.map((file) => unitOf(file));
    const dayFiles = new Map(days.map((file) => [file.day, file]));
    const minutes = await Array.fromAsync(this.files.list(MINUTE_AGGREGATES, start, end));
    return minutes.map((file) => unitOf(file, dayFiles.get(file.day)));
  }

  /** Only for consolidated sessions, because the others are years old. */
  async republishedSessions(venueBasis: VenueBasis, read: ReadonlyMap<Day, readonly SourceFile[]>): Promise<Day[]> {
    if (venueBasis !== 'consolidated' || read.size === 0) return [];
    const files = await Array.fromAsync(
      this.files.list(DAY_AGGREGATES, Math.min(...read.keys()), Math.max(...read.keys())),
    );
    const isAnother = ({ day, key, etag }: ListedFile) => {
      const version = read.get(day)?.find(({ name }) => name === key)?.version;
      return version !== undefined && etag !== undefined && version !== etag;
    };
    return files.filter(isAnother).map(({ day }) => day);
  }

  async estimateRead(units: readonly LoadUnit[]): Promise<ReadEstimate> {
    const files = units.reduce((sum, { parts }) => sum + parts.length, 0);
    return { requests: files, files, bytes: units.reduce((sum, { weight }) => sum + weight, 0) };
  }

  async *dailyBars(
    venueBasis: VenueBasis,
    { start: day, parts: [key, closesKey] }: LoadUnit,
    signal: AbortSignal,
    onSource?: (file: SourceFile) => void,
    book = new AccountBook(),
  ): AsyncIterable<BarBatch> {
    const read = async function* (files: FlatFiles, file: FlatFile) {
      const digest = new SourceDigest();
      yield* files.chunks(file, signal, digest);
      onSource?.(digest.end(file.key));
    };
    const file = { day, key };
    if (venueBasis === 'consolidated') {
      yield* dayBars(file, read(this.files, file), book);
      return;
    }
    const closes = new Map<string, number>();
    if (closesKey !== undefined) {
      const closesFile = { day, key: closesKey };
      for await (const { count, ticker, close } of dayBars(closesFile, read(this.files, closesFile), book)) {
        for (let i = 0; i < count; i++) closes.set(ticker[i], close[i]);
      }
    }
    yield* rebuiltBars(file, read(this.files, file), closes, book);
  }

  /** Reads one row of the REST API, and checks for minute files if they are configured. */
  async check(): Promise<void> {
    await this.client.get(TICKERS_PATH, { market: 'stocks', limit: '1' }, z.object({ results: z.array(z.unknown()) }));
    if (this.primarySessionFrom === null || (await this.range(MINUTE_AGGREGATES)) !== null) return;
    throw new ProviderError(`PRIMARY_SESSION_FROM is set, but the plan includes no file of ${MINUTE_AGGREGATES}`);
  }

  async minuteBars(day: Day, ticker: string): Promise<MinuteBar[] | null> {
    const [symbol, date] = [encodeURIComponent(vendorTickerOf(ticker)), formatDay(day)];
    const path = `/v2/aggs/ticker/${symbol}/range/1/minute/${date}/${date}`;
    const query = { adjusted: 'false', sort: 'asc', limit: '50000' };
    const { results } = await this.client.get(path, query, minutesPage);
    if (!results || results.length === 0) return null;
    return results.map(({ t, o, h, l, c, v }) => ({ startMs: t, open: o, high: h, low: l, close: c, volume: v }));
  }

  private async range(set: FileSet): Promise<SessionRange | null> {
    const now = this.now();
    const today = newYorkDay(now);
    const known = this.ranges.get(set);
    if (known?.range && now - known.at < RANGE_MS) {
      const newer = await Array.fromAsync(this.files.list(set, known.range.newest + 1, today));
      return { first: known.range.first, newest: newer.at(-1)?.day ?? known.range.newest };
    }
    const range = await this.files.range(set, today);
    this.ranges.set(set, { at: now, range });
    return range;
  }
}

function unitOf(file: ListedFile, closes?: ListedFile): LoadUnit {
  const files = closes ? [file, closes] : [file];
  return {
    key: formatDay(file.day),
    start: file.day,
    end: file.day,
    isClipped: false,
    weight: Math.max(
      1,
      files.reduce((sum, { bytes }) => sum + bytes, 0),
    ),
    parts: files.map(({ key }) => key),
  };
}
