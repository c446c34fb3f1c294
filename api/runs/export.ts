/** Parts of kept runs as CSV for spreadsheets: headers in the reader's language, UTF-8 with a byte order mark, and formulas escaped. */

import { Readable } from 'node:stream';
import Papa from 'papaparse';
import type { KeptRun } from '../../db/runs/kept-runs.ts';
import { RESULT_PARTS } from '../../db/schema/runs.ts';
import { ServiceError } from '../../engine/util/errors.ts';
import { required } from '../../engine/util/values.ts';
import { RUN_KINDS } from '../../jobs/contracts/run-kinds.ts';
import type { ParquetColumn } from '../../jobs/parquet/parquet-file.ts';
import type { BacktestSummary } from '../../jobs/runs/summary.ts';
import { rowsOf } from '../http/answer/long-json.ts';
import { FileStream } from '../http/answer/reply.ts';
import { type LabelKey, labelText } from '../http/language/labels.ts';
import type { Locale } from '../http/language/locale.ts';
import { type Kept, ownKept } from './keep.ts';
import type { AccountCall } from './services.ts';
import { openPart, storedSummary } from './view.ts';

/** The columns of its parts as files, in order, by field name; each has a label. */
export type ExportedColumns = Readonly<Record<string, readonly ColumnName[]>>;

/** The rows of a part of a kept run. */
export type KeptRows = (saved: KeptRun, part: string) => readonly object[];

type ColumnName = LabelKey extends infer K ? (K extends `column.${infer Name}` ? Name : never) : never;

const BYTE_ORDER_MARK = '\uFEFF';

const NEWLINE = '\r\n';

/** The rows of a part, given as a JSON array, as CSV in batches. */
export async function* partCsv(
  columns: readonly ColumnName[],
  array: AsyncIterable<Buffer>,
  locale: Locale,
): AsyncGenerator<string> {
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
async function* partParquet(
  part: string,
  names: readonly ColumnName[],
  array: AsyncIterable<Buffer>,
): AsyncGenerator<Buffer> {
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

export interface WantedExport {
  readonly kind: string;
  readonly format: string;
  readonly columns: ExportedColumns;
  readonly rows?: KeptRows | undefined;
  /** Whether the kind offers receipts. */
  readonly hasReceipt: boolean;
}

export async function exportKept(
  call: AccountCall,
  kept: Kept,
  { kind: part, format, columns: { [part]: columns = [] }, rows, hasReceipt }: WantedExport,
  locale: Locale,
): Promise<FileStream> {
  if (format !== 'csv' && format !== 'parquet') throw new ServiceError('invalid_format', { value: format });
  const saved = await ownKept(call, kept);
  const array = rows
    ? Readable.from([Buffer.from(JSON.stringify(rows(saved, part)))])
    : await openPart(
        call.services.storage,
        saved,
        required(
          RESULT_PARTS.find((one) => one === part),
          'a part',
        ),
      );
  const { kind, id } = kept;
  const { symbol, strategy, receipt: made }: Partial<BacktestSummary> = storedSummary(saved);
  const name = [kind, id, symbol, strategy, part].filter((word) => word !== undefined).join('-');
  const receipt = hasReceipt && made ? `<${RUN_KINDS[kind].kept.path}/${id}/receipt.json>; rel="describedby"` : null;
  return format === 'parquet'
    ? new FileStream(`${name}.parquet`, 'application/vnd.apache.parquet', partParquet(part, columns, array), receipt)
    : new FileStream(`${name}.csv`, 'text/csv; charset=utf-8', partCsv(columns, array, locale), receipt);
}
