/** The kinds of columns that tables have, with the types in which the driver returns their values. */

type Values = readonly string[] | null;

export interface Column<Value, Allowed extends Values = Values> {
  /** As PostgreSQL writes it. */
  readonly type: string;
  readonly isNullable: boolean;
  /** The texts that a CHECK allows; null: any value of the type. */
  readonly values: Allowed;
  /** Never set. It holds the type of the values for the compiler. */
  readonly value?: Value;
}

function column<Value>(type: string): Column<Value> {
  return { type, isNullable: false, values: null };
}

export const boolean = column<boolean>('boolean');
export const smallint = column<number>('smallint');
export const integer = column<number>('integer');
/** Counts, ids and volumes, all below 2^53. */
export const bigint = column<number>('bigint');
export const real = column<number>('real');
export const double = column<number>('double precision');
export const text = column<string>('text');
export const uuid = column<string>('uuid');
export const bytea = column<Buffer>('bytea');
/** YYYY-MM-DD. */
export const date = column<string>('date');
export const timestamptz = column<Date>('timestamp with time zone');
export const textArray = column<readonly string[]>('text[]');
/** YYYY-MM-DD each. */
export const dateArray = column<readonly string[]>('date[]');
export const integerArray = column<readonly number[]>('integer[]');
export const bigintArray = column<readonly number[]>('bigint[]');
export const realArray = column<readonly number[]>('real[]');
export const doubleArray = column<readonly number[]>('double precision[]');

/** The driver parses the text. `Value` is what our code writes; PostgreSQL checks only that it is JSON. */
export const json = <Value>(): Column<Value> => column('json');
export const jsonb = <Value>(): Column<Value> => column('jsonb');

/** A text that a CHECK restricts to `values`. */
export function oneOf<const Texts extends readonly string[]>(...values: Texts): Column<Texts[number], Texts> {
  return { type: 'text', isNullable: false, values };
}

/** A column of an enumerated type. */
export function enumeration<const Texts extends readonly string[]>(
  type: string,
  ...values: Texts
): Column<Texts[number], Texts> {
  return { type, isNullable: false, values };
}

export function nullable<Value, const Allowed extends Values>(
  given: Column<Value, Allowed>,
): Column<Value | null, Allowed> {
  return { type: given.type, isNullable: true, values: given.values };
}

/** A row of a table with these columns, as the driver returns it. */
export type RowOf<Columns extends Readonly<Record<string, Column<unknown>>>> = {
  readonly [Name in keyof Columns]: Columns[Name] extends Column<infer Value> ? Value : never;
};

/** A selection of columns of one table, by the names that they have in code. */
export interface Selection<Row, Names> {
  /** Name in code → column, as knex takes it. */
  readonly columns: Names;
  /** The list of a SELECT or RETURNING. */
  readonly sql: string;
  /** Never set. It holds the type of a row for the compiler. */
  readonly row?: Row;
}

/** A row of a selection. */
export type Selected<Given extends Selection<unknown, unknown>> = NonNullable<Given['row']>;
