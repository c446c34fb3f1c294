/**
 * Databento as a provider: consolidated daily bars of `EQUS.SUMMARY`, and reference data where the account has it. Without
 * the reference subscriptions it has prices only: instruments come from the definitions of the newest session, and there are no
 * adjustment events.
 */

import Papa from 'papaparse';
import { z } from 'zod';
import type { MarketSource } from '../../../db/market/market-source.ts';
import type { SourceFile } from '../../../db/queue/sync-units.ts';
import { sessionAtOrBefore, sessionsBetween } from '../../../engine/market/calendar.ts';
import { civilDate, type Day, dayOf, formatDay, parseDay } from '../../../engine/market/dates.ts';
import type { VenueBasis } from '../../../engine/market/venue-basis.ts';
import {
  type BarBatch,
  type LoadUnit,
  type ProvidedAdjustment,
  type ProvidedInstrument,
  type Provider,
  ProviderError,
  type SessionRange,
  type UnreadableRow,
} from '../provider.ts';
import { SourceDigest } from '../source-digest.ts';
import { venueOf } from '../venues.ts';
import { barBatches, type SymbolsById } from './bars.ts';
import { DatabentoClient, DatabentoError, type DatabentoSettings, type Form, isNotSubscribed } from './client.ts';
import { adjustmentFactors, securityMaster } from './reference.ts';
import { tickerOf } from './symbols.ts';

const DATASET = 'EQUS.SUMMARY';
const SCHEMA = 'ohlcv-1d';
/** Ranges with more sessions than this are requested by month. */
const MAX_DAY_UNITS = 5;

const span = z.object({ start: z.string(), end: z.string() });
const datasetRange = span.extend({ schema: z.record(z.string(), span).optional() });

export class DatabentoProvider implements Provider {
  readonly id = 'databento';
  readonly isSynthetic = false;
  readonly description = 'Databento US Equities Summary';
  readonly source: MarketSource = { provider: this.id, folder: null, sampleSymbols: null };
  private readonly client: DatabentoClient;

  constructor(settings: DatabentoSettings) {
    this.client = new DatabentoClient(settings);
  }

  async *instruments(reject: (row: UnreadableRow) => void): AsyncIterable<ProvidedInstrument> {
    try {
      yield* securityMaster(this.client, reject);
    } catch (error) {
      if (!isNotSubscribed(error)) throw error;
      yield* this.definedInstruments();
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
    if (venueBasis !== 'consolidated') return null;
    const range = await this.client.getJson('metadata.get_dataset_range', { dataset: DATASET }, datasetRange);
    const { start, end } = range.schema?.[SCHEMA] ?? range;
    const [first, endDay] = [parseDay(start.slice(0, 10)), parseDay(end.slice(0, 10))];
    if (first === null || endDay === null) throw new ProviderError(`metadata.get_dataset_range: ${start} … ${end}?`);
    // `end` is exclusive: its day is included only when it names a moment after midnight.
    const last = /T00:00:00(\.0+)?Z?$/.test(end) || end.length === 10 ? endDay - 1 : endDay;
    return { first, newest: sessionAtOrBefore(last) };
  }

  async planUnits(_venueBasis: VenueBasis, start: Day, end: Day): Promise<LoadUnit[]> {
    const sessions = sessionsBetween(start, end);
    const unit = (key: string, from: Day, to: Day): LoadUnit => ({
      key,
      start: from,
      end: to,
      isClipped: false,
      weight: to - from + 1,
      parts: [],
    });
    if (sessions.length <= MAX_DAY_UNITS) return sessions.map((day) => unit(formatDay(day), day, day));
    const months = Map.groupBy(sessions, (day) => formatDay(day).slice(0, 7));
    return [...months].map(([month, days]) => {
      const { year, month: number } = civilDate(days[0]);
      const last = dayOf(year, number + 1, 1) - 1;
      return unit(month, Math.max(start, dayOf(year, number, 1)), Math.min(end, last));
    });
  }

  async *dailyBars(
    _venueBasis: VenueBasis,
    { start, end }: LoadUnit,
    signal: AbortSignal,
    onSource?: (file: SourceFile) => void,
  ): AsyncIterable<BarBatch> {
    const range = await this.availableRange(start, end, signal);
    if (!range) return;
    const form = { ...barsForm(range.start, range.end), ...TEXT };
    const digest = new SourceDigest();
    const lines = digestedLines(this.client.postLines('timeseries.get_range', form, signal), digest);
    yield* barBatches(lines, range.records, this.symbolsOfDays(range.start, range.end, signal));
    onSource?.(digest.end(`timeseries.get_range ${formatDay(range.start)}..${formatDay(range.end)}`));
  }

  async estimateCost(_venueBasis: VenueBasis, start: Day, end: Day): Promise<number> {
    return this.client.postJson('metadata.get_cost', barsForm(start, end), z.number());
  }

  // Minute bars of primary venues are sold by symbol and are not part of this subscription.
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

  /** Limits a range to the available days that the vendor's refusal names, and counts its records; null: none is available. */
  private async availableRange(start: Day, end: Day, signal: AbortSignal) {
    const count = (from: Day, to: Day) =>
      this.client.postJson('metadata.get_record_count', barsForm(from, to), z.number());
    try {
      return { start, end, records: await count(start, end) };
    } catch (error) {
      signal.throwIfAborted();
      const limits = error instanceof DatabentoError ? limitsOf(error) : null;
      if (!limits) throw error;
      const cut = { start: Math.max(start, limits.first), end: Math.min(end, limits.last) };
      return cut.start <= cut.end ? { ...cut, records: await count(cut.start, cut.end) } : null;
    }
  }

  /** Instruments of the newest session, from its definitions. */
  private async *definedInstruments(): AsyncIterable<ProvidedInstrument> {
    const published = await this.publishedSessions('consolidated');
    if (!published) return;
    const seen = new Set<string>();
    for await (const row of this.definitions(published.newest, published.newest)) {
      const ticker = tickerOf(row.raw_symbol || row.symbol || '');
      if (ticker === null || seen.has(ticker)) continue;
      seen.add(ticker);
      yield {
        key: `symbol:${ticker}`,
        ticker,
        name: ticker,
        previousTickers: [],
        isPopular: false,
        listedOn: null,
        delistedOn: null,
        source: `definition of ${formatDay(published.newest)}`,
        assetType: row.instrument_class === 'K' ? 'stock' : 'other',
        primaryVenue: venueOf(row.exchange || null),
        currency: row.currency || 'USD',
        lotSize: Number(row.min_lot_size_round_lot) > 0 ? Number(row.min_lot_size_round_lot) : 100,
      };
    }
  }

  private async *definitions(start: Day, end: Day, signal?: AbortSignal): AsyncGenerator<Record<string, string>> {
    const form = { ...barsForm(start, end), schema: 'definition', ...TEXT };
    let header: string[] | null = null;
    for await (const line of this.client.postLines('timeseries.get_range', form, signal)) {
      const [fields] = Papa.parse<string[]>(line).data;
      if (header === null) header = fields;
      else if (line !== '') yield Object.fromEntries(header.map((name, i) => [name, fields[i] ?? '']));
    }
  }

  /** Symbols by instrument id and day, requested when an answer has no symbols. */
  private symbolsOfDays(start: Day, end: Day, signal: AbortSignal): SymbolsById {
    let known: Promise<Map<string, string>> | null = null;
    const read = async () => {
      const symbols = new Map<string, string>();
      for await (const row of this.definitions(start, end, signal)) {
        symbols.set(`${row.instrument_id} ${(row.ts_event || row.ts_recv).slice(0, 10)}`, row.raw_symbol);
      }
      return symbols;
    };
    return async (instrumentId, date) => {
      known ??= read();
      return (await known).get(`${instrumentId} ${date}`);
    };
  }
}

/** Requested as text, so that only the header defines the columns. */
const TEXT = { encoding: 'csv', compression: 'zstd', pretty_px: true, pretty_ts: true, map_symbols: true } as const;

function barsForm(start: Day, end: Day): Form {
  return {
    dataset: DATASET,
    schema: SCHEMA,
    symbols: 'ALL_SYMBOLS',
    stype_in: 'raw_symbol',
    stype_out: 'instrument_id',
    start: formatDay(start),
    end: formatDay(end + 1),
  };
}

/** The available days that a refusal names, first and last included; null when the refusal has another reason. */
function limitsOf({ status, case: name, message, payload }: DatabentoError): { first: Day; last: Day } | null {
  const dayIn = (value: unknown) => (typeof value === 'string' ? parseDay(value.slice(0, 10)) : null);
  if (status === 422 && name?.startsWith('data_')) {
    const first = dayIn(payload.available_start) ?? 0;
    const end = dayIn(payload.available_end);
    return end === null ? null : { first, last: end - 1 };
  }
  if (status === 403 && name === 'license_not_found_unauthorized') {
    const after = dayIn(/after (\d{4}-\d{2}-\d{2})/.exec(message)?.[1]);
    return after === null ? null : { first: 0, last: after - 1 };
  }
  return null;
}

/** Lines of the answer as text, however it was compressed. */
async function* digestedLines(lines: AsyncIterable<string>, digest: SourceDigest): AsyncGenerator<string> {
  for await (const line of lines) {
    digest.add(`${line}\n`);
    yield line;
  }
}
