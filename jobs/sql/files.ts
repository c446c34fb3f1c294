/** The result of a query as a file. Text columns have the texts of the JSON result; the metadata shows whether rows were cut off. */
import { Bool, DateDay, Float64, Int64, Table, tableToIPC, Utf8, vectorFromArray } from 'apache-arrow';
import Papa from 'papaparse';
import { requireDay } from '../../engine/market/dates.ts';
import type { SqlFormat, SqlResult } from '../contracts/sql.ts';
import { type ColumnData, type ParquetColumn, ParquetFile } from '../parquet/parquet-file.ts';

type Column = SqlResult['columns'][number];
type Cell = SqlResult['rows'][number][number];

/** Metadata of a file whose rows were cut off at the limit. */
const CUT = { truncated: 'true' } as const;

const PARQUET_TYPES = {
  boolean: 'boolean',
  integer: 'int64',
  number: 'double',
  date: 'date',
  text: 'text',
} as const satisfies Record<Column['type'], ParquetColumn['type']>;

/** The bytes of a result in a format. */
export function fileOf(result: SqlResult, format: Exclude<SqlFormat, 'json'>): Buffer {
  return WRITERS[format](result);
}

const WRITERS = { csv: csvFile, parquet: parquetFile, arrow: arrowFile } as const;

/** With a byte order mark, and with cells escaped so that spreadsheets do not run them as formulas. */
function csvFile({ columns, rows }: SqlResult): Buffer {
  const fields = columns.map(({ name }) => name);
  return Buffer.from(`\uFEFF${Papa.unparse({ fields, data: rows }, { escapeFormulae: true, newline: '\r\n' })}\r\n`);
}

function parquetFile({ columns, rows, truncated }: SqlResult): Buffer {
  const kinds = columns.map((column, i) => kindOf(column, rows, i));
  const file = new ParquetFile(
    'query',
    columns.map(({ name }, i): ParquetColumn => ({ name, type: PARQUET_TYPES[kinds[i]], isOptional: true })),
    { metadata: truncated ? CUT : {} },
  );
  const data = columns.map((_, i): ColumnData => rows.map((row) => storedValue(row[i], kinds[i])));
  const group = rows.length > 0 ? file.group(data, rows.length) : Buffer.alloc(0);
  return Buffer.concat([group, file.finish()]);
}

const ARROW_TYPES = {
  boolean: () => new Bool(),
  integer: () => new Int64(),
  number: () => new Float64(),
  date: () => new DateDay(),
  text: () => new Utf8(),
} as const;

function arrowFile({ columns, rows, truncated }: SqlResult): Buffer {
  const vectors = columns.map((column, i) => {
    const kind = kindOf(column, rows, i);
    const values = rows.map((row) => (kind === 'date' ? dateOf(row[i]) : storedValue(row[i], kind)));
    return [column.name, vectorFromArray(values, ARROW_TYPES[kind]())] as const;
  });
  const table = new Table(Object.fromEntries(vectors));
  if (truncated) for (const [key, value] of Object.entries(CUT)) table.schema.metadata.set(key, value);
  return Buffer.from(tableToIPC(table, 'file'));
}

/** Columns with an integer beyond 64 bits or a date outside of four-digit years are text. */
function kindOf({ type }: Column, rows: SqlResult['rows'], i: number): Column['type'] {
  const fits = (cell: Cell) => {
    if (cell === null) return true;
    if (type === 'integer') return BigInt.asIntN(64, BigInt(String(cell))) === BigInt(String(cell));
    return type !== 'date' || /^\d{4}-\d\d-\d\d$/.test(String(cell));
  };
  return rows.every((row) => fits(row[i])) ? type : 'text';
}

function storedValue(cell: Cell, kind: Column['type']) {
  if (cell === null) return null;
  if (kind === 'integer') return BigInt(String(cell));
  if (kind === 'date') return requireDay(String(cell));
  return kind === 'text' ? String(cell) : cell;
}

const dateOf = (cell: Cell) => (cell === null ? null : new Date(`${cell}T00:00:00Z`));
