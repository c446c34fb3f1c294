/** The tables of a tear sheet as CSV files. */
import { saveCsv } from '../download.ts';
import type { TearSheet } from '../types.ts';

type Row = Readonly<Record<string, string | number | null>>;

const TABLES = [
  { name: 'series', rowsOf: ({ series }) => series },
  { name: 'regression', rowsOf: ({ regression }) => regression?.terms ?? [] },
  { name: 'months', rowsOf: ({ time }) => time.months },
  { name: 'years', rowsOf: ({ time }) => time.years },
  { name: 'rolling_63', rowsOf: ({ time }) => time.rolling['63'] },
  { name: 'rolling_252', rowsOf: ({ time }) => time.rolling['252'] },
  { name: 'drawdowns', rowsOf: ({ time }) => time.drawdowns },
  { name: 'underwater', rowsOf: ({ time }) => time.underwater },
  { name: 'by_exit_reason', rowsOf: ({ trades }) => trades.by_exit_reason },
  { name: 'by_symbol', rowsOf: ({ trades }) => trades.by_symbol },
  { name: 'by_entry_month', rowsOf: ({ trades }) => trades.by_entry_month },
  { name: 'bands', rowsOf: ({ chance }) => chance.bootstrap?.bands ?? [] },
] as const satisfies readonly { readonly name: string; readonly rowsOf: (sheet: TearSheet) => readonly Row[] }[];

interface Table {
  readonly name: (typeof TABLES)[number]['name'];
  readonly rows: readonly Row[];
}

/** The tables that have rows. */
export function tablesOf(sheet: TearSheet): Table[] {
  return TABLES.map(({ name, rowsOf }) => ({ name, rows: rowsOf(sheet) })).filter(({ rows }) => rows.length > 0);
}

export function saveTable({ name, rows }: Table): void {
  const columns = Object.keys(rows[0]);
  saveCsv(`tear-sheet-${name}.csv`, [columns, ...rows.map((row) => columns.map((column) => row[column] ?? ''))]);
}
