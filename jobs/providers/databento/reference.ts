/** Reference data: the security master, with earlier tickers, and adjustment factors. Each is a separate subscription, and most accounts have neither. */
import { z } from 'zod';
import { type Day, parseDay } from '../../../engine/market/dates.ts';
import type { PreviousTicker } from '../../../engine/market/ticker-book.ts';
import { answerAccount } from '../answer-account.ts';
import type { AccountBook } from '../file-account.ts';
import { type ProvidedAdjustment, type ProvidedInstrument, type UnreadableRow, venueOf } from '../provider.ts';
import type { DatabentoClient, Form } from './client.ts';
import { assetTypeOf, kindOfEvent, tickerOf } from './definitions.ts';

const text = z.string().nullable().optional();
const id = z.union([z.string(), z.number()]).nullable().optional();

/** Every US listing. */
const MASTER = { symbols: 'ALL_SYMBOLS', stype_in: 'raw_symbol', countries: 'US', compression: 'zstd' } as const;

/** Rows that lack one of the exchanges count as main listings. */
function isMainListing(row: { readonly exchange?: string | null; readonly primary_exchange?: string | null }): boolean {
  return !row.exchange || !row.primary_exchange || row.exchange === row.primary_exchange;
}

function parseRow<T extends z.ZodType>(schema: T, content: string): z.output<T> | null {
  try {
    const parsed = schema.safeParse(JSON.parse(content));
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
}

/** The lines of an answer, each in its account. */
async function* records(client: DatabentoClient, method: string, query: Form, book: AccountBook) {
  const account = answerAccount(book, method);
  for await (const content of client.postLines(method, query)) {
    account.lines++;
    if (content === '') account.blank++;
    else {
      account.loaded++;
      yield { content, source: `${method}:${account.lines}` };
    }
  }
}

const masterRow = z.object({
  listing_id: id,
  listing_status: text,
  listing_date: text,
  delisting_date: text,
  issuer_name: text,
  security_type: text,
  primary_exchange: text,
  exchange: text,
  operating_mic: text,
  symbol: text,
  nasdaq_symbol: text,
  trading_currency: text,
  lot_size: z.number().nullable().optional(),
});

const GONE = ['D', 'H', 'U'];

/** Listings of the main exchange of each security, delisted ones included. */
export async function* securityMaster(
  client: DatabentoClient,
  reject: (row: UnreadableRow) => void,
  book: AccountBook,
): AsyncGenerator<ProvidedInstrument> {
  const histories = await tickerHistories(client);
  for await (const { content, source } of records(client, 'security_master.get_last', MASTER, book)) {
    const row = parseRow(masterRow, content);
    if (!row) {
      reject({ source, content, reason: 'unreadable' });
      continue;
    }
    if (!isMainListing(row)) {
      book.leaveOut(source, 'other_listing');
      continue;
    }
    const instrument = toInstrument(row, source, histories);
    if (instrument) yield instrument;
    else reject({ source, content, reason: 'bad_symbol' });
  }
}

/** Null when the row has no supported symbol or no listing id. */
function toInstrument(
  row: z.output<typeof masterRow>,
  source: string,
  histories: ReadonlyMap<string, readonly PreviousTicker[]>,
): ProvidedInstrument | null {
  const ticker = tickerOf(row.nasdaq_symbol ?? row.symbol ?? '');
  if (ticker === null || row.listing_id == null) return null;
  const isGone = GONE.includes(row.listing_status ?? '');
  return {
    key: `listing:${row.listing_id}`,
    ticker,
    source,
    previousTickers: histories.get(String(row.listing_id)) ?? [],
    isPopular: false,
    name: row.issuer_name || ticker,
    assetType: assetTypeOf(row.security_type ?? null),
    primaryVenue: venueOf(row.operating_mic ?? null),
    currency: row.trading_currency || 'USD',
    listedOn: dayOf(row.listing_date),
    delistedOn: isGone ? dayOf(row.delisting_date) : null,
    lotSize: row.lot_size && row.lot_size > 0 ? Math.round(row.lot_size) : 100,
  };
}

/** The first year of the history. */
const FIRST_RECORD = '2005-01-01';

const historyRow = z.object({
  listing_id: z.union([z.string(), z.number()]),
  ts_effective: z.string(),
  ts_record: text,
  primary_exchange: text,
  exchange: text,
  symbol: text,
  nasdaq_symbol: text,
});

/** A ticker of a listing, and the day from which it applies. */
interface TickerRecord {
  /** Texts that sort by time: when it took effect, then when it was recorded. */
  readonly at: string;
  readonly day: Day;
  readonly ticker: string;
}

/**
 * Earlier tickers by listing id, oldest first. A record has the ticker of its listing from its day on; records with an
 * unchanged ticker are about other changes.
 */
async function tickerHistories(client: DatabentoClient): Promise<Map<string, PreviousTicker[]>> {
  const records = new Map<string, TickerRecord[]>();
  const query = { ...MASTER, index: 'ts_effective', start: FIRST_RECORD };
  for await (const content of client.postLines('security_master.get_range', query)) {
    const row = content === '' ? null : parseRow(historyRow, content);
    const ticker = row && isMainListing(row) ? tickerOf(row.nasdaq_symbol ?? row.symbol ?? '') : null;
    const day = parseDay(row?.ts_effective.slice(0, 10) ?? '');
    if (!row || ticker === null || day === null) continue;
    const id = String(row.listing_id);
    const known = records.get(id);
    const record = { at: `${row.ts_effective} ${row.ts_record ?? ''}`, day, ticker };
    if (known) known.push(record);
    else records.set(id, [record]);
  }
  const histories = new Map<string, PreviousTicker[]>();
  for (const [id, list] of records) {
    const earlier = earlierTickers(list);
    if (earlier.length > 0) histories.set(id, earlier);
  }
  return histories;
}

/** If several records took effect on one day, the last one corrects the others. */
function earlierTickers(records: readonly TickerRecord[]): PreviousTicker[] {
  const inOrder = [...records].sort((a, b) => (a.at < b.at ? -1 : Number(a.at > b.at)));
  const byDay = [...new Map(inOrder.map((record) => [record.day, record])).values()];
  return byDay.flatMap(({ ticker }, i) => {
    const next = byDay[i + 1];
    return next && next.ticker !== ticker ? [{ ticker, lastDay: next.day - 1 }] : [];
  });
}

/** Newer rows have `event`, `symbol`, and `option`; older ones have `event_type` and `nasdaq_symbol`. */
const factorRow = z.object({
  event_id: id,
  event: text,
  event_type: text,
  symbol: text,
  nasdaq_symbol: text,
  primary_exchange: text,
  exchange: text,
  status: text,
  ex_date: z.string(),
  factor: z.number().positive().finite(),
  option: z.number().nullable().optional(),
});

const FIRST_EVENT = '2018-05-01';
const APPLIES = 'A';

/** Events that apply to main listings; of several options, the first. */
export async function* adjustmentFactors(
  client: DatabentoClient,
  reject: (row: UnreadableRow) => void,
  book: AccountBook,
): AsyncGenerator<ProvidedAdjustment> {
  const events = new Map<string, { readonly option: number; readonly adjustment: ProvidedAdjustment }>();
  const query = { ...MASTER, start: FIRST_EVENT };
  for await (const { content, source } of records(client, 'adjustment_factors.get_range', query, book)) {
    const row = parseRow(factorRow, content);
    const exDay = dayOf(row?.ex_date);
    if (!row || exDay === null) {
      reject({ source, content, reason: 'unreadable' });
      continue;
    }
    const adjustment = toAdjustment(row, exDay, source);
    if (typeof adjustment === 'string') {
      book.leaveOut(source, adjustment);
      continue;
    }
    const option = row.option ?? 1;
    const key = `${row.event_id ?? source} ${adjustment.ticker}`;
    const known = events.get(key);
    const isBetter = option < (known?.option ?? Infinity);
    if (known || !isBetter) book.leaveOut(isBetter && known ? known.adjustment.source : source, 'other_option');
    if (isBetter) events.set(key, { option, adjustment });
  }
  for (const { adjustment } of events.values()) yield adjustment;
}

/** A text is the reason for which the event is left out. */
function toAdjustment(row: z.output<typeof factorRow>, exDay: Day, source: string): ProvidedAdjustment | string {
  if ((row.status ?? APPLIES) !== APPLIES) return 'does_not_apply';
  if (!isMainListing(row)) return 'other_listing';
  const kind = kindOfEvent(row.event ?? row.event_type ?? '');
  const ticker = tickerOf(row.nasdaq_symbol ?? row.symbol ?? '');
  if (kind === null) return 'other_action';
  if (ticker === null) return 'bad_symbol';
  return { ticker, exDay, kind, factor: row.factor, source };
}

function dayOf(date: string | null | undefined): Day | null {
  return date ? parseDay(date.slice(0, 10)) : null;
}
