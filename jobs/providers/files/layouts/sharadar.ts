import type { BarLayout, EventLayout, SymbolLayout } from './layout.ts';

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
