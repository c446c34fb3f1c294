import type { BarLayout, EventLayout, SymbolLayout } from './layout.ts';

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
