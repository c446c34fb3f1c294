/** Tiingo (https://api.tiingo.com): daily histories as traded, with dividends and splits on their ex-days, and a zipped list of tickers. */

import { formatDay, parseDay } from '../../engine/market/dates.ts';
import { isOfMarket, type MirroredVendor, type MirrorListing } from './mirrored-vendor.ts';
import { ProviderError } from './provider.ts';
import { defineProvider, HISTORIES, requiredVariable, text, url } from './provider-entry.ts';
import { splitFields } from './text-chunks.ts';
import { askRecords, plainRefusal, VendorHttp } from './vendor-http.ts';

export const TIINGO = defineProvider({
  settings: {
    variables: {
      TIINGO_API_KEY: text().optional().describe('token of Tiingo'),
      TIINGO_BASE_URL: url('http', 'https').prefault('https://api.tiingo.com').describe("address of Tiingo's API"),
      ...HISTORIES,
    },
    required: ['TIINGO_API_KEY'],
  },
  open: async ({ TIINGO_API_KEY, TIINGO_BASE_URL, HISTORY_SYMBOLS, HISTORY_FROM }, place) => {
    const { openMirror } = await import('./mirror.ts');
    const vendor = tiingo({ baseUrl: TIINGO_BASE_URL, apiKey: requiredVariable('TIINGO_API_KEY', TIINGO_API_KEY) });
    return openMirror(vendor, { symbols: HISTORY_SYMBOLS, from: HISTORY_FROM, ...place });
  },
  label: { en: 'Tiingo end-of-day prices', 'zh-CN': 'Tiingo日终价格', 'zh-TW': 'Tiingo日終價格' },
});

export interface TiingoSettings {
  readonly baseUrl: string;
  readonly apiKey: string;
  /** First pause before a retry, when the vendor names none; doubles each time. Default 2 s. */
  readonly retryMs?: number;
}

const FIELDS = [
  ...(['date', 'close', 'high', 'low', 'open', 'volume', 'adjClose', 'adjHigh', 'adjLow', 'adjOpen'] as const),
  ...(['adjVolume', 'divCash', 'splitFactor'] as const),
];
const LIST_PATH = '/docs/tiingo/daily/supported_tickers.zip';
const TYPES: ReadonlySet<string> = new Set(['Stock', 'ETF']);
/** An instrument whose last bar is this much older than the newest of the list does not trade any more. */
const DELISTED_AFTER_DAYS = 10;

export function tiingo({ baseUrl, apiKey, retryMs = 2_000 }: TiingoSettings): MirroredVendor {
  const init = { headers: { authorization: `Token ${apiKey}` } };
  const http = new VendorHttp({
    retryMs,
    maxTries: 5,
    refusalOf: plainRefusal('TIINGO_API_KEY'),
    isFatal: ({ status }) => status === 401 || status === 403,
  });
  return {
    id: 'tiingo',
    lists: { symbols: [LIST_PATH], adjustments: ['/tiingo/daily/<ticker>/prices'] },
    header: FIELDS,
    listings: async (reject) => {
      // The list is on a host of its own, which asks for no token.
      const address = `${baseUrl.replace('://api.', '://apimedia.')}${LIST_PATH}`;
      const answer = await http.ask(LIST_PATH, address, {});
      return listingsIn(await unzip(Buffer.from(await answer.arrayBuffer().catch(() => new ArrayBuffer()))), reject);
    },
    history: async (symbol, start, end) => {
      const path = `/tiingo/daily/${encodeURIComponent(symbol)}/prices`;
      const query = new URLSearchParams({ startDate: formatDay(start), endDate: formatDay(end), format: 'json' });
      const records = await askRecords(http, path, `${baseUrl}${path}?${query}`, init);
      return records?.map(rowOf) ?? null;
    },
  };
}

function rowOf(record: unknown): readonly unknown[] {
  if (typeof record !== 'object' || record === null) return [record];
  return FIELDS.map((name) => Reflect.get(record, name));
}

async function unzip(packed: Buffer): Promise<string> {
  const { default: yauzl } = await import('yauzl');
  try {
    const archive = await yauzl.fromBufferPromise(packed);
    for await (const entry of archive.eachEntry()) {
      const content = await archive.openReadStreamPromise(entry);
      return Buffer.concat(await Array.fromAsync(content)).toString('utf8');
    }
  } catch (error) {
    throw new ProviderError(`${LIST_PATH}: the answer cannot be read`, { cause: error, isTransient: true });
  }
  throw new ProviderError(`${LIST_PATH}: the archive is empty`, { isTransient: true });
}

const LIST_HEADER = 'ticker,exchange,assetType,priceCurrency,startDate,endDate';

/** Only the last of several holders of a ticker has a history that can be asked for. */
function listingsIn(list: string, reject: (record: unknown) => void): MirrorListing[] {
  const [header, ...lines] = list.split(/\r?\n/).filter((line) => line.trim() !== '');
  if (header !== LIST_HEADER) throw new ProviderError(`${LIST_PATH}: the header is not ${LIST_HEADER}`);
  const rows = lines.map((line) => splitFields(line, ','));
  const ends = rows.map((row) => parseDay(row?.[5] ?? ''));
  const newest = ends.reduce<number>((latest, end) => Math.max(latest, end ?? latest), -Infinity);
  const lastOf = new Map<string, number>();
  for (const [i, row] of rows.entries()) {
    const ticker = row?.[0] ?? '';
    const known = lastOf.get(ticker);
    if (known === undefined || (ends[i] ?? -Infinity) > (ends[known] ?? -Infinity)) lastOf.set(ticker, i);
  }
  const listings: MirrorListing[] = [];
  for (const [i, row] of rows.entries()) {
    if (row?.length !== 6 || row[0] === '') reject(lines[i]);
    else {
      const [symbol, venue, type, currency] = row;
      const isLast = lastOf.get(symbol) === i;
      const leftOut = ends[i] === null ? 'no_bars' : leftOutReason(venue, type, currency, isLast);
      const isDelisted = (ends[i] ?? -Infinity) < newest - DELISTED_AFTER_DAYS;
      listings.push({ symbol, venue, type, currency, isDelisted, leftOut });
    }
  }
  return listings;
}

function leftOutReason(venue: string, type: string, currency: string, isLast: boolean): string | undefined {
  if (!isOfMarket(venue, currency)) return 'other_market';
  if (!TYPES.has(type)) return 'other_type';
  return isLast ? undefined : 'reused_symbol';
}
