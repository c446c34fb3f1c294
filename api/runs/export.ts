/** Parts of kept runs as CSV for spreadsheets: headers in the reader's language, UTF-8 with a byte order mark, and formulas escaped. */
import Papa from 'papaparse';
import type { KeptKind } from '../../db/runs/kept-runs.ts';
import type { ResultPart } from '../../db/runs/run-results.ts';
import { ServiceError } from '../../engine/util/errors.ts';
import type { ParquetColumn } from '../../jobs/parquet/parquet-file.ts';
import { rowsOf } from '../http/answer/long-json.ts';
import { FileStream } from '../http/answer/reply.ts';
import { labelText } from '../http/language/labels.ts';
import type { Locale } from '../http/language/locale.ts';
import { type Kept, ownKept } from './keep.ts';
import type { AccountCall } from './services.ts';
import { TRADE_COLUMNS } from './trade-columns.ts';
import { openPart, storedSummary } from './view.ts';

const EQUITY_COLUMNS = ['ts', 'equity', 'drawdown_pct', 'buy_hold'] as const;

const COLUMNS = {
  backtest: {
    trades: TRADE_COLUMNS,
    klines: ['ts', 'open', 'high', 'low', 'close', 'volume'],
    equity: EQUITY_COLUMNS,
  },
  portfolio: {
    trades: ['symbol', ...TRADE_COLUMNS],
    equity: EQUITY_COLUMNS,
    positions: ['ts', 'count', 'invested_pct'],
    contributions: ['symbol', 'trades', 'pnl', 'pnl_share_pct'],
    rebalances: ['ts', 'eligible', 'scored', 'entered', 'left', 'turnover_pct', 'filter', 'weights'],
  },
} as const satisfies Record<KeptKind, Partial<Record<ResultPart, readonly string[]>>>;

type Columns = (typeof COLUMNS)[KeptKind];
type ColumnName = Columns extends infer C ? (C extends Record<string, readonly (infer N)[]> ? N : never) : never;

const BYTE_ORDER_MARK = '\uFEFF';

const NEWLINE = '\r\n';

/** The rows of `part`, given as a JSON array, as CSV in batches. */
export async function* partCsv(
  kind: KeptKind,
  part: ResultPart,
  array: AsyncIterable<Buffer>,
  locale: Locale,
): AsyncGenerator<string> {
  const parts: Partial<Record<ResultPart, readonly ColumnName[]>> = COLUMNS[kind];
  const columns = parts[part] ?? [];
  const linesOf = (lines: unknown[][]) => Papa.unparse(lines, { newline: NEWLINE, escapeFormulae: true });
  yield BYTE_ORDER_MARK + linesOf([columns.map((column) => labelText(`column.${column}`, locale))]);
  for await (const rows of rowsOf(array)) {
    if (rows.length > 0) yield NEWLINE + linesOf(rows.map((row) => columns.map((column) => cellOf(row[column]))));
  }
}

/** Lists as words, and weights as JSON. */
function cellOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.join(' ');
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : value;
}

/** The rows of `part` as a Parquet file: numbers as numbers, everything else as text. */
async function* partParquet(kind: KeptKind, part: ResultPart, array: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const parts: Partial<Record<ResultPart, readonly ColumnName[]>> = COLUMNS[kind];
  const names = parts[part] ?? [];
  const rows: Record<string, unknown>[] = [];
  for await (const batch of rowsOf(array)) rows.push(...batch);
  const values = names.map((name) => rows.map((row) => cellOf(row[name]) ?? null));
  const columns = names.map((name, i): ParquetColumn => {
    const isNumber = values[i].every((value) => value === null || typeof value === 'number');
    return { name, type: isNumber ? 'double' : 'text', isOptional: true };
  });
  const { ParquetFile } = await import('../../jobs/parquet/parquet-file.ts');
  const file = new ParquetFile(part, columns);
  const data = values.map((column, i) =>
    columns[i].type === 'double' ? column : column.map((value) => (value === null ? null : String(value))),
  );
  if (rows.length > 0) yield file.group(data, rows.length);
  yield file.finish();
}

export async function exportKept(
  call: AccountCall,
  kept: Kept,
  { kind: part, format }: { readonly kind: ResultPart; readonly format: string },
  locale: Locale,
): Promise<FileStream> {
  if (format !== 'csv' && format !== 'parquet') throw new ServiceError('invalid_format', { value: format });
  const saved = await ownKept(call, kept);
  const array = await openPart(call.services.storage, saved, part);
  const { kind, summary } = storedSummary(saved);
  const name = [kind, kept.id, ...(kind === 'portfolio' ? [] : [summary.symbol]), summary.strategy, part];
  const receipt = summary.receipt ? `</v1/${kind}s/${kept.id}/receipt.json>; rel="describedby"` : null;
  if (format === 'parquet') {
    const content = partParquet(kept.kind, part, array);
    return new FileStream(`${name.join('-')}.parquet`, 'application/vnd.apache.parquet', content, receipt);
  }
  const content = partCsv(kept.kind, part, array, locale);
  return new FileStream(`${name.join('-')}.csv`, 'text/csv; charset=utf-8', content, receipt);
}
