/** Instruments from the list of tickers, active and delisted, and what the vendor's tickers and codes are here. */
import { z } from 'zod';
import type { AdjustmentKind } from '../../../engine/market/adjust.ts';
import { type Day, parseDay } from '../../../engine/market/dates.ts';
import { isTicker } from '../../../engine/market/symbols.ts';
import type { PreviousTicker } from '../../../engine/market/ticker-book.ts';
import type { AccountBook } from '../file-account.ts';
import { type ProvidedInstrument, type UnreadableRow, venueOf } from '../provider.ts';
import type { MassiveClient } from './client.ts';

/** Lower-case letters have a meaning: `BACpL` is the series L of preferred shares, `XYZr` a right, `XYZw` when issued. */
const MARKS: readonly (readonly [vendor: RegExp, ours: string])[] = [
  [/^([A-Z0-9.]+)p([A-Z])$/, '$1-$2'],
  [/^([A-Z0-9.]+)p$/, '$1.PR'],
  [/^([A-Z0-9.]+)r$/, '$1.RT'],
  [/^([A-Z0-9.]+)w$/, '$1.WI'],
];

const OUR_MARKS: readonly (readonly [ours: RegExp, vendor: string])[] = [
  [/-([A-Z])$/, 'p$1'],
  [/\.PR$/, 'p'],
  [/\.RT$/, 'r'],
  [/\.WI$/, 'w'],
];

/** Null for a ticker without a form in the service, such as a when-issued preferred share. */
export function tickerOf(vendorTicker: string): string | null {
  const ticker = MARKS.reduce((text, [mark, form]) => text.replace(mark, form), vendorTicker.trim());
  return isTicker(ticker) ? ticker : null;
}

/** The inverse of `tickerOf`. */
export function vendorTickerOf(ticker: string): string {
  return OUR_MARKS.reduce((text, [mark, form]) => text.replace(mark, form), ticker);
}

const ASSET_TYPES: Readonly<Record<string, string>> = {
  CS: 'stock',
  OS: 'stock',
  NYRS: 'stock',
  ETF: 'etf',
  ETV: 'etf',
  ETS: 'etf',
  ETN: 'etn',
  SP: 'etn',
  ADRC: 'adr',
  GDR: 'adr',
  ADRP: 'preferred',
  PFD: 'preferred',
  WARRANT: 'warrant',
  ADRW: 'warrant',
  RIGHT: 'right',
  ADRR: 'right',
  UNIT: 'unit',
  FUND: 'fund',
};

function assetTypeOf(type: string | null | undefined): string {
  return ASSET_TYPES[type ?? ''] ?? 'other';
}

const SPLIT_KINDS: Readonly<Record<string, AdjustmentKind>> = {
  forward_split: 'split',
  reverse_split: 'reverse_split',
  stock_dividend: 'stock_dividend',
};

/** Null for an unknown type. */
export function kindOfSplit(type: string): AdjustmentKind | null {
  return SPLIT_KINDS[type] ?? null;
}

export const TICKERS_PATH = '/v3/reference/tickers';
const PAGE_ROWS = 1_000;
const ROUND_LOT = 100;

const text = z.string().nullish();
const tickerRow = z.object({
  ticker: z.string(),
  name: text,
  primary_exchange: text,
  type: text,
  active: z.boolean(),
  currency_name: text,
  composite_figi: text,
  delisted_utc: text,
});

/** A row of the list, with the service's ticker. */
interface Listing {
  readonly ticker: string;
  readonly row: z.output<typeof tickerRow>;
  /** The last day with this ticker; null: it still has it, or the day is not known. */
  readonly lastDay: Day | null;
  readonly source: string;
}

type Instrument = { -readonly [K in keyof ProvidedInstrument]: ProvidedInstrument[K] };

/**
 * The list has a row for each ticker that an instrument has had. Rows with the same composite FIGI are one instrument, whose current
 * ticker is the active one, or the last one.
 */
export async function* listedInstruments(
  client: MassiveClient,
  reject: (row: UnreadableRow) => void,
  book: AccountBook,
): AsyncGenerator<ProvidedInstrument> {
  const listings = new Map<string, Listing[]>();
  for (const active of ['true', 'false']) {
    const query = { market: 'stocks', active, limit: String(PAGE_ROWS), sort: 'ticker', order: 'asc' };
    for await (const { row, source } of client.list(TICKERS_PATH, query, book)) {
      const listing = toListing(row, source, reject);
      if (!listing) continue;
      const key = keyOf(listing);
      const same = listings.get(key);
      if (same) same.push(listing);
      else listings.set(key, [listing]);
    }
  }
  const instruments = [...listings].flatMap(([key, rows]) => toInstruments(key, rows));
  separateHolders(instruments);
  yield* instruments;
}

function toListing(content: unknown, source: string, reject: (row: UnreadableRow) => void): Listing | null {
  const parsed = tickerRow.safeParse(content);
  const ticker = parsed.success ? tickerOf(parsed.data.ticker) : null;
  if (!parsed.success || ticker === null) {
    reject({ source, content: JSON.stringify(content), reason: parsed.success ? 'bad_symbol' : 'unreadable' });
    return null;
  }
  const { active, delisted_utc: delisted } = parsed.data;
  return { ticker, row: parsed.data, lastDay: active || !delisted ? null : parseDay(delisted.slice(0, 10)), source };
}

function keyOf({ ticker, row, lastDay }: Listing): string {
  if (row.composite_figi) return `figi:${row.composite_figi}`;
  return row.active || lastDay === null ? `ticker:${ticker}` : `ticker:${ticker}@${row.delisted_utc?.slice(0, 10)}`;
}

/** Tickers of one FIGI that trade at the same time are separate instruments. */
function toInstruments(key: string, rows: readonly Listing[]): Instrument[] {
  const [current, ...others] = [...rows].sort(latestFirst);
  const concurrent = others.filter(({ row, ticker }) => row.active && ticker !== current.ticker);
  const earlier = others.filter(({ row }) => !row.active);
  return [
    toInstrument(key, current, earlier),
    ...concurrent.map((one) => toInstrument(`${key}:${one.ticker}`, one, [])),
  ];
}

function toInstrument(key: string, current: Listing, earlier: readonly Listing[]): Instrument {
  const { row, ticker, source } = current;
  return {
    key,
    ticker,
    source,
    name: row.name || ticker,
    assetType: assetTypeOf(row.type),
    primaryVenue: venueOf(row.primary_exchange ?? null),
    currency: (row.currency_name ?? 'usd').toUpperCase(),
    listedOn: null,
    delistedOn: current.lastDay,
    isPopular: false,
    lotSize: ROUND_LOT,
    previousTickers: earlier
      .filter((listing) => listing.ticker !== ticker)
      .flatMap((listing) => (listing.lastDay === null ? [] : [{ ticker: listing.ticker, lastDay: listing.lastDay }]))
      .sort(byLastDay),
  };
}

function latestFirst(a: Listing, b: Listing): number {
  return Number(b.row.active) - Number(a.row.active) || (b.lastDay ?? -Infinity) - (a.lastDay ?? -Infinity) || 0;
}

function byLastDay(a: PreviousTicker, b: PreviousTicker): number {
  return a.lastDay - b.lastDay;
}

/**
 * Separates the holders of a reused ticker, because the list has no listing days. A holder counts as listed from the day after the
 * delisting of the earlier one; if it was renamed to the ticker, the days until that delisting belong to the earlier one.
 */
function separateHolders(instruments: readonly Instrument[]): void {
  for (const holders of Map.groupBy(instruments, ({ ticker }) => ticker).values()) {
    holders.sort((a, b) => (a.delistedOn ?? Infinity) - (b.delistedOn ?? Infinity) || 0);
    for (const [i, holder] of holders.entries()) {
      const before = holders[i - 1];
      if (before === undefined || before.delistedOn === null) continue;
      if (holder.previousTickers.length === 0) holder.listedOn = before.delistedOn + 1;
      else before.previousTickers = [...before.previousTickers, { ticker: before.ticker, lastDay: before.delistedOn }];
    }
  }
}
