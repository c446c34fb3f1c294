/** The layouts of files of vendors and of sites. */
import type { BarLayout, EventLayout, SymbolLayout } from './layout.ts';

export const ALPHA_VANTAGE: BarLayout = {
  id: 'alpha_vantage',
  kind: 'bars',
  has: ['timestamp', 'open', 'high', 'low', 'close', 'volume'],
  lacks: ['symbol', 'ticker'],
  columns: { date: 'timestamp' },
  prices: 'as_traded',
  splits: 'split_coefficient',
  dividends: 'dividend_amount',
};

export const ALPHA_VANTAGE_LISTINGS: SymbolLayout = {
  id: 'alpha_vantage',
  kind: 'symbols',
  has: ['symbol', 'name', 'exchange', 'assettype', 'ipodate', 'delistingdate'],
  columns: {
    symbol: 'symbol',
    name: 'name',
    venue: 'exchange',
    type: 'assettype',
    listed: 'ipodate',
    delisted: 'delistingdate',
  },
};

export const EODHD: BarLayout = {
  id: 'eodhd',
  kind: 'bars',
  has: ['date', 'open', 'high', 'low', 'close', 'adjusted_close', 'volume'],
  lacks: ['timestamp'],
  prices: 'as_traded',
  splits: 'split',
  dividends: 'dividend',
};

/** `Date,Stock Splits` of one symbol, `4.000000/1.000000`. */
export const EODHD_SPLITS: EventLayout = {
  id: 'eodhd',
  kind: 'events',
  has: ['date', 'stock splits'],
  lacks: ['open'],
  columns: { date: 'date', value: 'stock splits' },
  actions: { '': 'new_per_old' },
};

/** `Date,Dividends` of one symbol, in amounts on the share count of the newest day. */
export const EODHD_DIVIDENDS: EventLayout = {
  id: 'eodhd',
  kind: 'events',
  has: ['date', 'dividends'],
  lacks: ['open'],
  columns: { date: 'date', value: 'dividends' },
  actions: { '': 'amount' },
};

export const EODHD_LISTINGS: SymbolLayout = {
  id: 'eodhd',
  kind: 'symbols',
  has: ['code', 'name', 'country', 'exchange', 'currency', 'type'],
  columns: { symbol: 'code', name: 'name', venue: 'exchange', currency: 'currency', type: 'type' },
};

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

/** Equity prices: adjusted for splits, with the close as traded beside them. */
export const SHARADAR: BarLayout = {
  id: 'sharadar',
  kind: 'bars',
  has: ['ticker', 'date', 'open', 'high', 'low', 'close', 'volume', 'closeadj', 'closeunadj'],
  columns: { symbol: 'ticker' },
  prices: 'as_traded',
  closeAsTraded: 'closeunadj',
};

export const SHARADAR_ACTIONS: EventLayout = {
  id: 'sharadar',
  kind: 'events',
  has: ['date', 'action', 'ticker', 'value'],
  columns: { date: 'date', symbol: 'ticker', action: 'action', value: 'value' },
  actions: { split: 'new_per_old', adrratiosplit: 'new_per_old' },
};

export const SHARADAR_TICKERS: SymbolLayout = {
  id: 'sharadar',
  kind: 'symbols',
  has: ['table', 'permaticker', 'ticker', 'name', 'isdelisted', 'category'],
  columns: {
    symbol: 'ticker',
    name: 'name',
    venue: 'exchange',
    type: 'category',
    currency: 'currency',
    listed: 'firstpricedate',
    delisted: 'lastpricedate',
  },
  only: { column: 'table', value: 'SEP' },
  isDelisted: 'isdelisted',
};

/** Archives of the site: `<TICKER>,<PER>,<DATE>,<TIME>,<OPEN>,…`. Prices are adjusted for splits and dividends. */
export const STOOQ: BarLayout = {
  id: 'stooq',
  kind: 'bars',
  has: ['ticker', 'per', 'date', 'open', 'high', 'low', 'close', 'vol'],
  columns: { symbol: 'ticker', volume: 'vol' },
  prices: 'total_adjusted',
};

export const STOOQ_SYMBOL: BarLayout = {
  id: 'stooq',
  kind: 'bars',
  has: ['date', 'open', 'high', 'low', 'close', 'volume'],
  lacks: ['symbol', 'ticker', 'adj close'],
  fileName: /\.us\.txt$|_us_d\.csv$/i,
  prices: 'total_adjusted',
};

export const TIINGO: BarLayout = {
  id: 'tiingo',
  kind: 'bars',
  has: ['date', 'close', 'high', 'low', 'open', 'volume', 'adjclose', 'divcash', 'splitfactor'],
  prices: 'as_traded',
  splits: 'splitfactor',
  dividends: 'divcash',
};

const FIGURES = ['date', 'open', 'high', 'low', 'close', 'volume'];

/** Downloads of the site, and of programs that read it: with `Adj Close`, other prices are adjusted for splits alone. */
export const YAHOO: BarLayout = {
  id: 'yahoo',
  kind: 'bars',
  has: [...FIGURES, 'adj close'],
  prices: 'split_adjusted',
  splits: 'stock splits',
  dividends: 'dividends',
};

/** Histories with `auto_adjust`: every price is adjusted for dividends too. */
export const YAHOO_ADJUSTED: BarLayout = {
  id: 'yahoo',
  kind: 'bars',
  has: [...FIGURES, 'dividends', 'stock splits'],
  lacks: ['adj close'],
  prices: 'total_adjusted',
};

/** `yf.download` of one ticker: `Price,…`, `Ticker,…`, `Date,…`. */
export const YAHOO_DOWNLOAD: BarLayout = {
  id: 'yahoo',
  kind: 'bars',
  has: ['price', 'open', 'high', 'low', 'close', 'volume', 'adj close'],
  columns: { date: 'price' },
  headerLines: 3,
  prices: 'split_adjusted',
};

export const YAHOO_DOWNLOAD_ADJUSTED: BarLayout = {
  ...YAHOO_DOWNLOAD,
  has: ['price', 'open', 'high', 'low', 'close', 'volume'],
  lacks: ['adj close'],
  prices: 'total_adjusted',
};

/** Bars of Alpaca's API, written as CSV. */
export const ALPACA: BarLayout = {
  id: 'alpaca',
  kind: 'bars',
  has: ['t', 'o', 'h', 'l', 'c', 'v'],
  columns: { date: 't', open: 'o', high: 'h', low: 'l', close: 'c', volume: 'v' },
  prices: 'as_traded',
};

/** Flat files of Massive (Polygon). */
export const MASSIVE: BarLayout = {
  id: 'massive',
  kind: 'bars',
  has: ['ticker', 'volume', 'open', 'close', 'high', 'low', 'window_start'],
  columns: { symbol: 'ticker', date: 'window_start' },
  prices: 'as_traded',
};

export const DATABENTO: BarLayout = {
  id: 'databento',
  kind: 'bars',
  has: ['ts_event', 'open', 'high', 'low', 'close', 'volume', 'symbol'],
  columns: { date: 'ts_event' },
  prices: 'as_traded',
  hasNanoPrices: true,
};
