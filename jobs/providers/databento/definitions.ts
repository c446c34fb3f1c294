/** Definitions of instruments: the vendor's ids, symbols, and codes on a day, and what they are here. */

import type { AdjustmentKind } from '../../../engine/market/adjust.ts';
import { type Day, formatDay } from '../../../engine/market/dates.ts';
import { isTicker } from '../../../engine/market/symbols.ts';
import { type ProvidedInstrument, venueOf } from '../provider.ts';
import type { DatabentoClient } from './client.ts';
import { answerLines, answerRecords, daysQuery } from './queries.ts';

/** Suffixes of CMS symbols (`BRK B`, `AAC WS`), which NYSE exchanges use, and their Nasdaq form. */
const CMS_SUFFIXES: readonly (readonly [RegExp, string])[] = [
  [/ WS$/, '+'],
  [/ U$/, '='],
  [/ RT$/, '^'],
  [/ PR([A-Z])$/, '-$1'],
  [/ ([A-Z])$/, '.$1'],
];

/**
 * The ticker of a vendor's symbol: the Nasdaq form with letters for its signs (`AAC+` is `AAC.WS`), because a ticker has only letters,
 * digits, dots, and dashes. Null when there is no such form.
 */
export function tickerOf(symbol: string): string | null {
  const nasdaq = CMS_SUFFIXES.reduce((text, [suffix, sign]) => text.replace(suffix, sign), symbol.trim().toUpperCase());
  const ticker = nasdaq.replace(/\+$/, '.WS').replace(/=$/, '.U').replace(/\^$/, '.RT');
  return isTicker(ticker) ? ticker : null;
}

const ASSET_TYPES: Readonly<Record<string, string>> = {
  EQS: 'stock',
  ETF: 'etf',
  DR: 'adr',
  CDI: 'adr',
  PRF: 'preferred',
  PFS: 'preferred',
  WAR: 'warrant',
  BSW: 'warrant',
  TRT: 'right',
  DRT: 'right',
  UNT: 'unit',
  MF: 'fund',
  ETC: 'etn',
  SP: 'etn',
};

export function assetTypeOf(securityType: string | null): string {
  return ASSET_TYPES[securityType ?? ''] ?? 'other';
}

/** Event codes and their kinds; the others (rights, capital repayments) are not used. */
const EVENT_KINDS: Readonly<Record<string, AdjustmentKind>> = {
  FSPLT: 'split',
  SD: 'split',
  RSPLT: 'reverse_split',
  CONSD: 'reverse_split',
  BON: 'stock_dividend',
  DIV: 'cash_dividend',
  SOFF: 'spin_off',
  DMRGR: 'spin_off',
};

export function kindOfEvent(event: string): AdjustmentKind | null {
  return EVENT_KINDS[event] ?? null;
}

/** Finds the symbol of an instrument id on a day, for answers without symbols. */
export type SymbolsById = (instrumentId: string, date: string) => Promise<string | undefined>;

const COLUMNS = {
  required: ['ts_recv', 'instrument_id', 'raw_symbol'],
  optional: ['ts_event', 'symbol', 'instrument_class', 'exchange', 'currency', 'min_lot_size_round_lot'],
} as const;

function definitions(client: DatabentoClient, dataset: string, start: Day, end: Day, signal?: AbortSignal) {
  const query = daysQuery({ dataset, schema: 'definition' }, start, end);
  return answerRecords(answerLines(client, query, signal), COLUMNS);
}

/** Symbols by instrument id and day, requested at the first call. */
export function symbolsOfDays(
  client: DatabentoClient,
  dataset: string,
  start: Day,
  end: Day,
  signal: AbortSignal,
): SymbolsById {
  let known: Promise<Map<string, string>> | null = null;
  const read = async () => {
    const symbols = new Map<string, string>();
    for await (const row of definitions(client, dataset, start, end, signal)) {
      symbols.set(`${row.instrument_id} ${(row.ts_event || row.ts_recv).slice(0, 10)}`, row.raw_symbol);
    }
    return symbols;
  };
  return async (instrumentId, date) => {
    known ??= read();
    return (await known).get(`${instrumentId} ${date}`);
  };
}

/** Instruments of one session. Definitions have no names, so the names are the tickers. */
export async function* definedInstruments(
  client: DatabentoClient,
  dataset: string,
  session: Day,
): AsyncGenerator<ProvidedInstrument> {
  const seen = new Set<string>();
  for await (const row of definitions(client, dataset, session, session)) {
    const ticker = tickerOf(row.raw_symbol || row.symbol);
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
      source: `definition of ${formatDay(session)}`,
      assetType: row.instrument_class === 'K' ? 'stock' : 'other',
      primaryVenue: venueOf(row.exchange || null),
      currency: row.currency || 'USD',
      lotSize: Number(row.min_lot_size_round_lot) > 0 ? Number(row.min_lot_size_round_lot) : 100,
    };
  }
}
