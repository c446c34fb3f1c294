import type { BarLayout } from './layout.ts';

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
