import type { BarLayout } from './layout.ts';

export const TIINGO: BarLayout = {
  id: 'tiingo',
  kind: 'bars',
  has: ['date', 'close', 'high', 'low', 'open', 'volume', 'adjclose', 'divcash', 'splitfactor'],
  prices: 'as_traded',
  splits: 'splitfactor',
  dividends: 'divcash',
};
