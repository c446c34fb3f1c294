/** The tables of a tear sheet as CSV, for spreadsheets and programs: columns have the names of the interface. */
import Papa from 'papaparse';
import type { TearSheet } from '../../engine/tear-sheet/tear-sheet.ts';

type Rows = readonly object[];

const TABLES = {
  series: ({ series }) => series,
  regression: ({ regression }) => regression?.terms ?? [],
  months: ({ time }) => time.months,
  years: ({ time }) => time.years,
  rolling_63: ({ time }) => time.rolling['63'],
  rolling_252: ({ time }) => time.rolling['252'],
  drawdowns: ({ time }) => time.drawdowns,
  underwater: ({ time }) => time.underwater,
  by_exit_reason: ({ trades }) => trades.by_exit_reason,
  by_symbol: ({ trades }) => trades.by_symbol,
  by_entry_month: ({ trades }) => trades.by_entry_month,
  bands: ({ chance }) => chance.bootstrap?.bands ?? [],
} as const satisfies Readonly<Record<string, (sheet: TearSheet) => Rows>>;

export type TableName = keyof typeof TABLES;
export const TABLE_NAMES: readonly [TableName, ...TableName[]] = [
  'series',
  'regression',
  'months',
  'years',
  'rolling_63',
  'rolling_252',
  'drawdowns',
  'underwater',
  'by_exit_reason',
  'by_symbol',
  'by_entry_month',
  'bands',
];

/** `sheet`: JSON text. */
export function tableCsv(sheet: string, name: TableName): string {
  const parsed: TearSheet = JSON.parse(sheet);
  const rows = TABLES[name](parsed);
  return `\uFEFF${Papa.unparse([...rows], { newline: '\r\n', escapeFormulae: true })}\r\n`;
}
