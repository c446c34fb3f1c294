/** EODHD (https://eodhd.com): daily histories as traded, dividends and splits as answers of their own, and lists of what is and was listed. */
import { z } from 'zod';
import { type Day, formatDay, parseDay } from '../../engine/market/dates.ts';
import { isOfMarket, type MirroredVendor, type MirrorListing, type MirrorRow } from './mirrored-vendor.ts';
import { ProviderError } from './provider.ts';
import { defineProvider, HISTORIES, requiredVariable, text, url } from './provider-entry.ts';
import { askRecords, plainRefusal, VendorHttp } from './vendor-http.ts';

export const EODHD = defineProvider({
  settings: {
    variables: {
      EODHD_API_KEY: text().optional().describe('token of EODHD'),
      EODHD_BASE_URL: url('http', 'https').prefault('https://eodhd.com').describe("address of EODHD's API"),
      ...HISTORIES,
    },
    required: ['EODHD_API_KEY'],
  },
  open: async ({ EODHD_API_KEY, EODHD_BASE_URL, HISTORY_SYMBOLS, HISTORY_FROM }, place) => {
    const { openMirror } = await import('./mirror.ts');
    const vendor = eodhd({ baseUrl: EODHD_BASE_URL, apiKey: requiredVariable('EODHD_API_KEY', EODHD_API_KEY) });
    return openMirror(vendor, { symbols: HISTORY_SYMBOLS, from: HISTORY_FROM, ...place });
  },
  label: { en: 'EODHD end-of-day prices', 'zh-CN': 'EODHD日终价格', 'zh-TW': 'EODHD日終價格' },
});

export interface EodhdSettings {
  readonly baseUrl: string;
  readonly apiKey: string;
  /** First pause before a retry, when the vendor names none; doubles each time. Default 2 s. */
  readonly retryMs?: number;
}

const LIST_PATH = '/api/exchange-symbol-list/US';
const BAR_FIELDS = ['date', 'open', 'high', 'low', 'close', 'adjusted_close', 'volume'] as const;
/** A wrong key, a spent allowance of the day, a plan without these data. */
const FATAL: ReadonlySet<number> = new Set([401, 402, 403]);

export function eodhd({ baseUrl, apiKey, retryMs = 2_000 }: EodhdSettings): MirroredVendor {
  const http = new VendorHttp({
    retryMs,
    maxTries: 5,
    refusalOf: plainRefusal('EODHD_API_KEY'),
    isFatal: ({ status }) => FATAL.has(status),
  });
  /** The key is a part of the address, which is neither logged nor told. */
  const ask = (path: string, query: Readonly<Record<string, string>>) =>
    askRecords(
      http,
      path,
      `${baseUrl}${path}?${new URLSearchParams({ ...query, fmt: 'json', api_token: apiKey })}`,
      {},
    );
  return {
    id: 'eodhd',
    lists: {
      symbols: [`${LIST_PATH}, active and delisted`],
      adjustments: ['/api/div/<symbol>', '/api/splits/<symbol>'],
    },
    header: [...BAR_FIELDS, 'dividend', 'split'],
    listings: async (reject) => {
      const lists = [await ask(LIST_PATH, {}), await ask(LIST_PATH, { delisted: '1' })];
      return lists.flatMap((records, i) => {
        if (records === null) throw new ProviderError(`${LIST_PATH}: there is no such list`);
        return records.flatMap((record) => listingOf(record, i === 1, reject));
      });
    },
    history: async (symbol, start, end) => {
      const range = { from: formatDay(start), to: formatDay(end) };
      const name = `${encodeURIComponent(symbol)}.US`;
      const bars = await ask(`/api/eod/${name}`, { ...range, period: 'd' });
      if (bars === null) return null;
      const dividends = (await ask(`/api/div/${name}`, range)) ?? [];
      const splits = (await ask(`/api/splits/${name}`, range)) ?? [];
      return inOrder([...eventRows(dividends, splits), ...bars.map(barRow)]);
    },
  };
}

const listed = z.object({
  Code: z.string().min(1),
  Name: z.string().nullish(),
  Exchange: z.string().nullish(),
  Currency: z.string().nullish(),
  Type: z.string().nullish(),
});

/** The vendor marks a delisted symbol that another instrument has now: `ABC_old`. */
function listingOf(record: unknown, isDelisted: boolean, reject: (record: unknown) => void): MirrorListing[] {
  const { data } = listed.safeParse(record);
  if (!data) {
    reject(record);
    return [];
  }
  const [venue, currency] = [data.Exchange ?? '', data.Currency ?? ''];
  const leftOut = isOfMarket(venue, currency) ? undefined : 'other_market';
  const ticker = data.Code.replace(/_old\d*$/i, '');
  return [
    {
      symbol: data.Code,
      ticker,
      name: data.Name ?? undefined,
      type: data.Type ?? '',
      venue,
      currency,
      isDelisted,
      leftOut,
    },
  ];
}

/** A record that is none becomes a row that cannot be read either. */
function barRow(record: unknown): MirrorRow {
  if (typeof record !== 'object' || record === null) return [record];
  return [...BAR_FIELDS.map((name) => Reflect.get(record, name)), null, null];
}

const NO_BAR = [null, null, null, null, null, null] as const;
const dividendRecord = z.object({
  date: z.string(),
  value: z.number().positive(),
  /** As it was paid; `value` is on the share count of today. */
  unadjustedValue: z.number().positive().nullish(),
});
const splitRecord = z.object({ date: z.string(), split: z.string().regex(/^\d+(\.\d+)?\/\d+(\.\d+)?$/) });

/** A row without prices for each event; a split shares that of the day's first dividend, whose amount is per share after it. */
function eventRows(dividends: readonly unknown[], splits: readonly unknown[]): MirrorRow[] {
  const rows: MirrorRow[] = [];
  const splitOf = new Map<string, number>();
  for (const record of splits) {
    const { data } = splitRecord.safeParse(record);
    const [shares, before] = data?.split.split('/').map(Number) ?? [];
    if (!data || !(shares > 0 && before > 0) || splitOf.has(data.date)) rows.push(unreadable(record));
    else splitOf.set(data.date, shares / before);
  }
  for (const record of dividends) {
    const { data } = dividendRecord.safeParse(record);
    if (!data) rows.push(unreadable(record));
    else rows.push([data.date, ...NO_BAR, data.unadjustedValue ?? data.value, splitOf.get(data.date)]);
    if (data) splitOf.delete(data.date);
  }
  for (const [date, split] of splitOf) rows.push([date, ...NO_BAR, null, split]);
  return rows;
}

function unreadable(record: unknown): MirrorRow {
  return typeof record === 'object' && record !== null ? [Reflect.get(record, 'date'), record] : [record];
}

/** By day; events of a day come before its bar, so that the close before is that of another day. */
function inOrder(rows: readonly MirrorRow[]): MirrorRow[] {
  const dayOf = ([date]: MirrorRow): Day => parseDay(String(date)) ?? -Infinity;
  return [...rows].sort((a, b) => dayOf(a) - dayOf(b) || 0);
}
