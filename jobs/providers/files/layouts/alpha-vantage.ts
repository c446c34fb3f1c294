import type { BarLayout, SymbolLayout } from './layout.ts';

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
