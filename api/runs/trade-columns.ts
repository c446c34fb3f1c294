/** The columns of trades as CSV, by the names of the fields; pages import them too. */
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
