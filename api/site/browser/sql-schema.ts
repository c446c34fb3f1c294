/** The views that SQL reads, with their columns: for the list beside the editor, and for its completion. */

type ColumnType = 'text' | 'number' | 'integer' | 'date' | 'boolean';

export interface SqlView {
  readonly name: string;
  readonly columns: Readonly<Record<string, ColumnType>>;
}

const BAR = { symbol: 'text', date: 'date', open: 'number', high: 'number', low: 'number', close: 'number' } as const;
const FACTORS = { split_factor: 'number', total_factor: 'number' } as const;
const PARTITION = { venue_mode: 'text', year: 'integer' } as const;

export const SQL_SCHEMA: readonly SqlView[] = [
  { name: 'bars', columns: { ...BAR, volume: 'integer', ...FACTORS, ...PARTITION } },
  { name: 'bars_adjusted', columns: { ...BAR, volume: 'number', total_return_close: 'number', ...PARTITION } },
  {
    name: 'symbols',
    columns: {
      symbol: 'text',
      ticker: 'text',
      name: 'text',
      asset_type: 'text',
      primary_venue: 'text',
      currency: 'text',
      listed_on: 'date',
      delisted_on: 'date',
      delisting_return_pct: 'number',
      lot_size: 'integer',
      ...FACTORS,
    },
  },
  { name: 'events', columns: { symbol: 'text', ex_date: 'date', kind: 'text', factor: 'number' } },
  { name: 'sessions', columns: { venue_mode: 'text', date: 'date', rows: 'integer', is_complete: 'boolean' } },
  {
    name: 'screener_daily',
    columns: {
      symbol: 'text',
      date: 'date',
      close: 'number',
      change_pct: 'number',
      gap_pct: 'number',
      volume: 'number',
      dollar_volume: 'number',
      volume_ratio_20: 'number',
      sma_50: 'number',
      ema_20: 'number',
      price_vs_sma_pct_50: 'number',
      sma_slope_pct_50: 'number',
      above_sma_50: 'boolean',
      roc_pct_20: 'number',
      rsi_14: 'number',
      atr_pct_14: 'number',
      volatility_pct_20: 'number',
      near_high_pct_252: 'number',
      new_high_252: 'boolean',
      new_low_252: 'boolean',
      pullback_from_high_pct_60: 'number',
      range_position_pct_20: 'number',
      days_since_high_252: 'number',
    },
  },
];
