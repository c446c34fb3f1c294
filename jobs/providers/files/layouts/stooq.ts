import type { BarLayout } from './layout.ts';

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
