import type { BarLayout } from './layout.ts';

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
