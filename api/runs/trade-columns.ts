/** The columns of trades in CSV files, by field name. Pages of the site import them too. */
export const TRADE_COLUMNS = [
  'seq',
  'entry_date',
  'entry_price',
  'exit_date',
  'exit_price',
  'shares',
  'pnl',
  'pnl_pct',
  'bars_held',
  'commission',
  'mae_pct',
  'mfe_pct',
  'entry_reason',
  'exit_reason',
] as const;
