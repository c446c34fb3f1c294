/**
 * Every table and its columns: the types of rows follow from here, and so do the lists of values that a column may hold. Each
 * room declares its own tables. A test compares all of them with the live schema.
 */
import { ACCOUNT_TABLES } from './accounts.ts';
import { BACK_OFFICE_TABLES } from './back-office.ts';
import type { RowOf, Selection } from './columns.ts';
import { LAKE_TABLES } from './lake.ts';
import { MARKET_DATA_TABLES } from './market.ts';
import { LOAD_TABLES, type QUEUE_TABLES } from './queue.ts';
import { RESEARCH_TABLES } from './research.ts';
import { RUN_TABLES, SWEEP_TABLES } from './runs.ts';
import { WEBHOOK_TABLES } from './webhooks.ts';

export const TABLES = {
  ...MARKET_DATA_TABLES,
  ...LAKE_TABLES,
  ...LOAD_TABLES,
  ...RUN_TABLES,
  ...SWEEP_TABLES,
  ...RESEARCH_TABLES,
  ...WEBHOOK_TABLES,
  ...ACCOUNT_TABLES,
  ...BACK_OFFICE_TABLES,
};

type Declared = typeof TABLES & typeof QUEUE_TABLES;

/** Table → a row of it. */
export type Rows = { readonly [Table in keyof Declared]: RowOf<Declared[Table]> };
export type TableName = keyof Rows;

declare module 'knex/types/tables.js' {
  interface Tables extends Rows {}
}

/** Columns of a table as `{ nameInCode: 'column' }`; `alias` names the table in the statement. */
export function selection<
  Table extends TableName,
  const Names extends Readonly<Record<string, keyof Rows[Table] & string>>,
>(
  table: Table,
  columns: Names,
  alias: string = table,
): Selection<{ readonly [Name in keyof Names]: Rows[Table][Names[Name]] }, Names> {
  const list = Object.entries(columns).map(([name, column]) => `${alias}."${column}" as "${name}"`);
  return { columns, sql: list.join(', ') };
}
