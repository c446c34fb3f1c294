/** Faults of the data: files that cannot be read or are wrong, and a vendor that answers slowly. */
import { brotliCompressSync } from 'node:zlib';
import type { Cluster } from './cluster.ts';
import type { Fault } from './desk.ts';
import { inventBars, type WrittenBar } from './file-layouts.ts';
import { HistoryServer, VENDOR_KEY } from './history-server.ts';
import { BARS_HEADER, createMarketFolder, type MarketFolder } from './market-folder.ts';

const FIRST = '2024-08-01';
/** Labor Day is between them. */
const LOADED = '2024-08-30';
const NEWEST = '2024-09-03';
/** Enough that jumps of half of them are no chance. */
const SYMBOLS = ['SPY', ...Array.from({ length: 39 }, (_, i) => `S${i}`)];
const EVENTS_HEADER = 'symbol,ex_date,kind,factor\n';

const bars = inventBars(SYMBOLS, FIRST, NEWEST);
const isLoaded = ({ date }: WrittenBar) => date <= LOADED;
const linesOf = (of: readonly WrittenBar[], priceOf = (price: number, _: WrittenBar) => price) =>
  of.map((bar) => {
    const prices = [bar.open, bar.high, bar.low, bar.close].map((price) => priceOf(price, bar));
    return [bar.symbol, bar.date, ...prices, bar.volume].join(',');
  });
const fileOf = (lines: readonly string[]) => `${BARS_HEADER}${lines.join('\n')}\n`;

let folder: MarketFolder;
const newest = bars.filter((bar) => !isLoaded(bar));
const NEWEST_FILE = `daily/consolidated/${NEWEST}.csv.gz`;
const writeNewest = async () => folder.write(NEWEST_FILE, fileOf(linesOf(newest)));

/** The settings of a service whose files end before the newest session. */
export async function withFiles(): Promise<NodeJS.ProcessEnv> {
  folder = createMarketFolder({
    'symbols.csv': `symbol\n${SYMBOLS.join('\n')}\n`,
    'adjustments.csv': EVENTS_HEADER,
    'daily/consolidated/2024-08.csv': fileOf(linesOf(bars.filter(isLoaded))),
  });
  return { PROVIDER: 'files', PROVIDER_DIR: folder.path };
}

export const FILE_FAULTS = {
  'an unreadable file': {
    sentence: /^Load \d+ failed/,
    inject: async () => {
      folder.write(NEWEST_FILE, brotliCompressSync(fileOf(linesOf(newest))));
      return writeNewest;
    },
  },
  'wrong prices': {
    sentence: /^The session of .* is held/,
    inject: async () => {
      const inCents = (price: number, { symbol }: WrittenBar) => (symbol.length === 2 ? price : 100 * price);
      folder.write(NEWEST_FILE, fileOf(linesOf(newest, inCents)));
      return writeNewest;
    },
  },
  'few rows': {
    sentence: /^The session of .* is held/,
    inject: async () => {
      folder.write(NEWEST_FILE, fileOf(linesOf(newest.slice(20))));
      return writeNewest;
    },
  },
  'a split that no price shows': {
    sentence: /^1 doubt about events and prices to decide/,
    inject: async () => {
      folder.write('adjustments.csv', `${EVENTS_HEADER}S1,${LOADED},split,0.25\n`);
      return async () => folder.write('adjustments.csv', EVENTS_HEADER);
    },
  },
} as const satisfies Record<string, Fault>;

let vendor: HistoryServer;
const instrumentsTo = (last: string) =>
  SYMBOLS.map((symbol) => ({
    symbol,
    name: symbol,
    type: symbol === 'SPY' ? { tiingo: 'ETF', eodhd: 'ETF' } : { tiingo: 'Stock', eodhd: 'Common Stock' },
    venue: 'NYSE',
    bars: bars.filter((bar) => bar.symbol === symbol && bar.date <= last),
  }));

/** The settings of a service on the day before the newest session may be distributed. */
export async function withVendor(): Promise<NodeJS.ProcessEnv> {
  vendor = await HistoryServer.start();
  vendor.market = instrumentsTo(LOADED);
  return {
    PROVIDER: 'tiingo',
    TIINGO_API_KEY: VENDOR_KEY,
    TIINGO_BASE_URL: vendor.baseUrl,
    HISTORY_FROM: FIRST,
    FIXED_NOW: '2024-09-03T16:00:00Z',
  };
}

/** Starts every process again on the next day. */
async function nextDay(cluster: Cluster): Promise<void> {
  for (const part of ['api', 'worker', 'scheduler'] as const)
    for (const i of [0, 1]) {
      await cluster.end(part, i, 'SIGTERM');
      await cluster.run(part, i, undefined, { FIXED_NOW: '2024-09-04T16:00:00Z' });
    }
}

export const VENDOR_FAULTS = {
  'a slow vendor': {
    sentence: /^\s*The loaded data is 1 session behind\s+load \d+ \(symbols\) since .* UTC: \d+%/,
    selector: 'ops-status-line section',
    inject: async (cluster) => {
      vendor.market = instrumentsTo(NEWEST);
      vendor.delayMs = 10_000;
      await nextDay(cluster);
      return async () => {
        vendor.delayMs = 0;
      };
    },
  },
} as const satisfies Record<string, Fault>;

export function endMarkets(): void {
  folder?.remove();
  vendor?.stop();
}
