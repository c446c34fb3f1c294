/**
 * `primary_session` bars from the minutes of listing venues. The dataset of a venue has all instruments that were traded there; a bar
 * counts only the trades at the venue that lists its instrument.
 */
import type { SourceFile } from '../../../db/queue/sync-units.ts';
import { type Day, formatDay } from '../../../engine/market/dates.ts';
import { UNKNOWN_INSTRUMENT } from '../../../engine/market/faults.ts';
import { PrimarySessionBuilder, sessionHours } from '../../../engine/market/minute-bars.ts';
import { TickerBook, tickerSpans } from '../../../engine/market/ticker-book.ts';
import { BarBatchBuilder, numberIn } from '../bar-batch.ts';
import { SourceDigest } from '../file-account.ts';
import type { BarBatch, ProvidedInstrument } from '../provider.ts';
import type { DatabentoClient } from './client.ts';
import { symbolsOfDays, tickerOf } from './definitions.ts';
import { answerLines, answerRecords, hoursQuery, measure, type Query, withinAvailable } from './queries.ts';

interface Venue {
  /** Its name in `primaryVenue` of instruments. */
  readonly name: string;
  readonly dataset: string;
}

export const VENUES: readonly Venue[] = [
  { name: 'NASDAQ', dataset: 'XNAS.ITCH' },
  { name: 'NYSE', dataset: 'XNYS.PILLAR' },
  { name: 'NYSEARCA', dataset: 'ARCX.PILLAR' },
  { name: 'NYSEAMERICAN', dataset: 'XASE.PILLAR' },
  { name: 'BATS', dataset: 'BATS.PITCH' },
];
export const VENUE_SCHEMAS = ['ohlcv-1m', 'statistics'] as const;

/** The venue that listed the instrument with a ticker on a day; null: no instrument had the ticker. */
export type ListingVenue = (ticker: string, day: Day) => string | null;

export async function listingVenues(instruments: AsyncIterable<ProvidedInstrument>): Promise<ListingVenue> {
  const venues: string[] = [];
  const spans: ReturnType<typeof tickerSpans> = [];
  for await (const instrument of instruments) {
    spans.push(...tickerSpans(venues.length, instrument));
    venues.push(instrument.primaryVenue);
  }
  const tickers = new TickerBook(spans);
  return (ticker, day) => {
    const index = tickers.instrumentOn(ticker, day);
    return index === null ? null : venues[index];
  };
}

/** The columns that name the instrument of a record. */
type Identity = 'instrument_id' | 'symbol';

const MINUTE = {
  required: ['ts_event', 'instrument_id', 'open', 'high', 'low', 'close', 'volume'],
  optional: ['symbol'],
} as const;
const STATISTIC = {
  required: ['ts_recv', 'instrument_id', 'price', 'stat_type', 'update_action'],
  optional: ['symbol'],
} as const;
const OFFICIAL_CLOSE = '11';
const DELETED = '2';

interface VenueDay {
  readonly client: DatabentoClient;
  readonly venue: Venue;
  readonly day: Day;
  readonly signal: AbortSignal;
  readonly onSource: ((file: SourceFile) => void) | undefined;
}

/** Bars of one session. A venue whose dataset lacks the day has none. */
export async function* venueBars(
  client: DatabentoClient,
  day: Day,
  listingVenue: ListingVenue,
  signal: AbortSignal,
  onSource?: (file: SourceFile) => void,
): AsyncGenerator<BarBatch> {
  const unknown = new Set<string>();
  for (const [i, venue] of VENUES.entries()) {
    const work = { client, venue, day, signal, onSource };
    const builders = new Map<string, PrimarySessionBuilder>();
    await readMinutes(work, builders, (ticker) => {
      const listedAt = listingVenue(ticker, day);
      if (listedAt === null) unknown.add(ticker);
      return listedAt === venue.name;
    });
    const closes = builders.size > 0 ? await readCloses(work) : new Map<string, number>();
    yield toBatch(work, builders, closes, (i + 1) / VENUES.length);
  }
  yield unlisted(day, [...unknown]);
}

async function readMinutes(
  work: VenueDay,
  builders: Map<string, PrimarySessionBuilder>,
  isWanted: (ticker: string) => boolean,
): Promise<void> {
  const hours = sessionHours(work.day);
  const wanted = new Map<string, boolean>();
  for await (const { ticker, record } of recordsOf(work, 'ohlcv-1m', MINUTE)) {
    const isOurs = wanted.get(ticker) ?? isWanted(ticker);
    wanted.set(ticker, isOurs);
    if (!isOurs) continue;
    const builder = builders.get(ticker) ?? new PrimarySessionBuilder(hours);
    builders.set(ticker, builder);
    const { open, high, low, close, volume } = record;
    const startMs = Date.parse(`${record.ts_event.slice(0, 'YYYY-MM-DDTHH:mm:ss'.length)}Z`);
    builder.add(startMs, numberIn(open), numberIn(high), numberIn(low), numberIn(close), numberIn(volume));
  }
}

/** Official closes by ticker; of several, the last received one. */
async function readCloses(work: VenueDay): Promise<Map<string, number>> {
  const last = new Map<string, { readonly at: string; readonly close: number | null }>();
  for await (const { ticker, record } of recordsOf(work, 'statistics', STATISTIC)) {
    if (record.stat_type !== OFFICIAL_CLOSE || record.ts_recv < (last.get(ticker)?.at ?? '')) continue;
    const isGone = record.update_action === DELETED || record.price === '';
    last.set(ticker, { at: record.ts_recv, close: isGone ? null : Number(record.price) });
  }
  const closes = new Map<string, number>();
  for (const [ticker, { close }] of last) if (close !== null) closes.set(ticker, close);
  return closes;
}

/** Records of the venue's day with their tickers; none if its dataset lacks the day. */
async function* recordsOf<const N extends string>(
  { client, venue, day, signal, onSource }: VenueDay,
  schema: Query['schema'],
  columns: { readonly required: readonly (N | Identity)[]; readonly optional: readonly Identity[] },
): AsyncGenerator<{ ticker: string; record: Readonly<Record<N | Identity, string>> }> {
  const query = hoursQuery({ dataset: venue.dataset, schema }, day);
  const available = await withinAvailable(day, day, () => measure(client, 'get_record_count', query));
  signal.throwIfAborted();
  if (!available || available.answer === 0) return;
  const symbolOf = symbolsOfDays(client, venue.dataset, day, day, signal);
  const digest = new SourceDigest();
  const lines = answerLines(client, query, signal, digest);
  for await (const record of answerRecords<N | Identity>(lines, columns, available.answer)) {
    const symbol = record.symbol || (await symbolOf(record.instrument_id, formatDay(day))) || '';
    const ticker = tickerOf(symbol);
    if (ticker !== null) yield { ticker, record };
  }
  onSource?.(digest.end(`${venue.dataset} ${schema} ${formatDay(day)}`));
}

function toBatch(
  { venue, day }: VenueDay,
  builders: ReadonlyMap<string, PrimarySessionBuilder>,
  closes: ReadonlyMap<string, number>,
  progress: number,
): BarBatch {
  const tickers = [...builders.keys()];
  const source = `${venue.dataset} ohlcv-1m ${formatDay(day)}`;
  const batch = new BarBatchBuilder(tickers.length, (row) => ({ source, content: tickers[row] }));
  for (const [row, ticker] of tickers.entries()) {
    const bar = builders.get(ticker)?.build(closes.get(ticker));
    if (bar) batch.add(row, ticker, day, bar.open, bar.high, bar.low, bar.close, bar.volume);
  }
  return batch.build(progress);
}

/** Traded tickers that no instrument had, as rejected rows. */
function unlisted(day: Day, tickers: readonly string[]): BarBatch {
  const source = `ohlcv-1m ${formatDay(day)}`;
  const batch = new BarBatchBuilder(0, (row) => ({ source, content: tickers[row] }));
  for (const row of tickers.keys()) batch.rejectRow(row, UNKNOWN_INSTRUMENT);
  return batch.build(1);
}
