/** Reference data: security master and adjustment factors. Each is a separate subscription, and most accounts have neither. */
import { z } from 'zod';
import { type Day, parseDay } from '../../../engine/market/dates.ts';
import type { PreviousTicker } from '../../../engine/market/ticker-book.ts';
import type { ProvidedAdjustment, ProvidedInstrument, UnreadableRow } from '../provider.ts';
import { venueOf } from '../venues.ts';
import type { DatabentoClient } from './client.ts';
import { isMainListing, MASTER, parseRow, tickerHistories } from './renames.ts';
import { assetTypeOf, kindOfEvent, tickerOf } from './symbols.ts';

const text = z.string().nullable().optional();
const id = z.union([z.string(), z.number()]).nullable().optional();

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
): AsyncGenerator<ProvidedInstrument> {
  const histories = await tickerHistories(client);
  let line = 0;
  for await (const content of client.postLines('security_master.get_last', MASTER)) {
    line++;
    if (content === '') continue;
    const source = `security_master.get_last:${line}`;
    const row = parseRow(masterRow, content);
    if (!row) {
      reject({ source, content, reason: 'unreadable' });
      continue;
    }
    if (!isMainListing(row)) continue;
    const instrument = toInstrument(row, source, histories);
    if (instrument) yield instrument;
    else reject({ source, content, reason: 'bad_symbol' });
  }
}

/** Null when the row has no supported symbol or no id of the listing. */
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

/** Events that apply, one option of each, on the main listing. */
export async function* adjustmentFactors(
  client: DatabentoClient,
  reject: (row: UnreadableRow) => void,
): AsyncGenerator<ProvidedAdjustment> {
  const events = new Map<string, { readonly option: number; readonly adjustment: ProvidedAdjustment }>();
  let line = 0;
  for await (const content of client.postLines('adjustment_factors.get_range', { ...MASTER, start: FIRST_EVENT })) {
    line++;
    if (content === '') continue;
    const source = `adjustment_factors.get_range:${line}`;
    const row = parseRow(factorRow, content);
    const exDay = dayOf(row?.ex_date);
    if (!row || exDay === null) {
      reject({ source, content, reason: 'unreadable' });
      continue;
    }
    const adjustment = toAdjustment(row, exDay, source);
    if (!adjustment) continue;
    const option = row.option ?? 1;
    const key = `${row.event_id ?? source} ${adjustment.ticker}`;
    if (option < (events.get(key)?.option ?? Infinity)) events.set(key, { option, adjustment });
  }
  for (const { adjustment } of events.values()) yield adjustment;
}

/** Null when the event does not apply, belongs to another listing, or has an unused kind. */
function toAdjustment(row: z.output<typeof factorRow>, exDay: Day, source: string): ProvidedAdjustment | null {
  if ((row.status ?? APPLIES) !== APPLIES || !isMainListing(row)) return null;
  const kind = kindOfEvent(row.event ?? row.event_type ?? '');
  const ticker = tickerOf(row.nasdaq_symbol ?? row.symbol ?? '');
  if (kind === null || ticker === null) return null;
  return { ticker, exDay, kind, factor: row.factor, source };
}

function dayOf(date: string | null | undefined): Day | null {
  return date ? parseDay(date.slice(0, 10)) : null;
}
