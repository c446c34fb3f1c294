import type { BarLayout } from './layout.ts';

/** The project's own layout, below `daily/<basis>/` alone. */
export const OWN: BarLayout = {
  id: 'own',
  kind: 'bars',
  has: ['symbol', 'date', 'open', 'high', 'low', 'close', 'volume'],
  prices: 'as_traded',
};
