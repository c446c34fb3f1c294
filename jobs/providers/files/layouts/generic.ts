/** Layouts that belong to no vendor. */
import type { BarLayout } from './layout.ts';

/** The project's own layout, below `daily/<basis>/` alone. */
export const OWN: BarLayout = {
  id: 'own',
  kind: 'bars',
  has: ['symbol', 'date', 'open', 'high', 'low', 'close', 'volume'],
  prices: 'as_traded',
};

const FIGURES = ['open', 'high', 'low', 'close', 'volume'];

/** The collection "all stocks, 5 years": the symbol is in the last column, `Name`. */
export const KAGGLE: BarLayout = {
  id: 'kaggle',
  kind: 'bars',
  has: ['date', ...FIGURES, 'name'],
  lacks: ['symbol', 'ticker', 'code', 'act_symbol'],
  columns: { symbol: 'name' },
  prices: 'split_adjusted',
};

export const TEXT: BarLayout = {
  id: 'text',
  kind: 'bars',
  has: ['date', ...FIGURES],
  fileName: /\.txt$/i,
  prices: 'unknown',
};

export const TEXT_DATETIME: BarLayout = {
  id: 'text',
  kind: 'bars',
  has: ['datetime', ...FIGURES],
  columns: { date: 'datetime' },
  prices: 'unknown',
};

export const GENERIC: BarLayout = {
  id: 'generic',
  kind: 'bars',
  has: ['date', ...FIGURES],
  prices: 'unknown',
};

/** Columns that name the symbol of a line, the first that is there. */
export const SYMBOL_COLUMNS = ['symbol', 'ticker', 'code', 'act_symbol', 'name'] as const;
