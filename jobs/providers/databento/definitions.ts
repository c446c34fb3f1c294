/** Definitions of instruments: the vendor's ids and symbols on a day. */
import type { Day } from '../../../engine/market/dates.ts';
import { formatDay } from '../../../engine/market/dates.ts';
import { type ProvidedInstrument, venueOf } from '../provider.ts';
import type { DatabentoClient } from './client.ts';
import { answerLines, answerRecords, daysQuery } from './queries.ts';
import { tickerOf } from './symbols.ts';

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
