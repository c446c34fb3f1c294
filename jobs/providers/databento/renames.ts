/** Earlier tickers of listings, from the history of the security master. */
import { z } from 'zod';
import { type Day, parseDay } from '../../../engine/market/dates.ts';
import type { PreviousTicker } from '../../../engine/market/ticker-book.ts';
import type { DatabentoClient } from './client.ts';
import { tickerOf } from './symbols.ts';

/** Every US listing. */
export const MASTER = { symbols: 'ALL_SYMBOLS', stype_in: 'raw_symbol', countries: 'US', compression: 'zstd' } as const;

/** Rows that do not name both exchanges count as main listings. */
export function isMainListing(row: {
  readonly exchange?: string | null;
  readonly primary_exchange?: string | null;
}): boolean {
  return !row.exchange || !row.primary_exchange || row.exchange === row.primary_exchange;
}

export function parseRow<T extends z.ZodType>(schema: T, content: string): z.output<T> | null {
  try {
    const parsed = schema.safeParse(JSON.parse(content));
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
}

/** The first year of the history. */
const FIRST_RECORD = '2005-01-01';

const text = z.string().nullable().optional();
const historyRow = z.object({
  listing_id: z.union([z.string(), z.number()]),
  ts_effective: z.string(),
  ts_record: text,
  primary_exchange: text,
  exchange: text,
  symbol: text,
  nasdaq_symbol: text,
});

/** A ticker of a listing and since when it is so. */
interface TickerRecord {
  /** Texts that sort by time: when it took effect, then when it was recorded. */
  readonly at: string;
  readonly day: Day;
  readonly ticker: string;
}

/**
 * Earlier tickers by listing id, oldest first. A record has the ticker of its listing from its day on; records that
 * repeat it are about other changes.
 */
export async function tickerHistories(client: DatabentoClient): Promise<Map<string, PreviousTicker[]>> {
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

/** The last record of several that took effect on one day corrects the others. */
function earlierTickers(records: readonly TickerRecord[]): PreviousTicker[] {
  const inOrder = [...records].sort((a, b) => (a.at < b.at ? -1 : Number(a.at > b.at)));
  const byDay = [...new Map(inOrder.map((record) => [record.day, record])).values()];
  return byDay.flatMap(({ ticker }, i) => {
    const next = byDay[i + 1];
    return next && next.ticker !== ticker ? [{ ticker, lastDay: next.day - 1 }] : [];
  });
}
