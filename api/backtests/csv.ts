/** CSV files as spreadsheets open them: headers in the reader's language, UTF-8 with its mark, and no cell that runs. */
import Papa from 'papaparse';
import type { BacktestPart } from '../../jobs/backtest/contract.ts';
import { labelText } from '../http/language/labels.ts';
import type { Locale } from '../http/language/locale.ts';

const COLUMNS = {
  trades: [
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
  ],
  klines: ['ts', 'open', 'high', 'low', 'close', 'volume'],
  equity: ['ts', 'equity', 'drawdown_pct', 'buy_hold'],
} as const satisfies Record<BacktestPart, readonly string[]>;

const BYTE_ORDER_MARK = '\uFEFF';

export function backtestCsv(part: BacktestPart, json: string, locale: Locale): string {
  const rows: readonly Record<string, unknown>[] = JSON.parse(json);
  const columns = COLUMNS[part];
  const fields = columns.map((column) => labelText(`column.${column}`, locale));
  const data = rows.map((row) => columns.map((column) => row[column]));
  return BYTE_ORDER_MARK + Papa.unparse({ fields, data }, { newline: '\r\n', escapeFormulae: true });
}
