import type { BarLayout, SymbolLayout } from './layout.ts';

/** Historical quotes of the site: prices with `$`, days as MM/DD/YYYY, the newest first. */
export const NASDAQ: BarLayout = {
  id: 'nasdaq',
  kind: 'bars',
  has: ['date', 'close/last', 'volume', 'open', 'high', 'low'],
  columns: { close: 'close/last' },
  prices: 'split_adjusted',
};

const TRAILER = /^File Creation Time/;

/** `nasdaqlisted.txt` of Nasdaq Trader. */
export const NASDAQ_LISTED: SymbolLayout = {
  id: 'nasdaq',
  kind: 'symbols',
  has: ['symbol', 'security name', 'market category', 'etf'],
  columns: { symbol: 'symbol', name: 'security name', etf: 'etf', lot: 'round lot size', test: 'test issue' },
  trailer: TRAILER,
};

/** `otherlisted.txt` of Nasdaq Trader. */
export const OTHER_LISTED: SymbolLayout = {
  id: 'nasdaq',
  kind: 'symbols',
  has: ['act symbol', 'security name', 'exchange', 'etf'],
  columns: {
    symbol: 'act symbol',
    name: 'security name',
    venue: 'exchange',
    etf: 'etf',
    lot: 'round lot size',
    test: 'test issue',
  },
  trailer: TRAILER,
};
