/** The streams of a record as returns, each on the days on which it has a value. */
import type { Day } from '../market/dates.ts';
import { returnsOf } from '../statistics/moments.ts';
import { type Frequency, startOfPeriod } from './frequency.ts';

export const RECORD_FORMS = ['returns', 'equity'] as const;
export type RecordForm = (typeof RECORD_FORMS)[number];

/** A column of a record: a value for each of its days, NaN where it has none. */
export interface RecordColumn {
  readonly name: string;
  readonly values: Float64Array;
}

export interface Stream {
  readonly name: string;
  readonly frequency: Frequency;
  /** The rows of the record that have its returns, and their days. */
  readonly rows: Int32Array;
  readonly days: Int32Array;
  readonly returns: Float64Array;
  /** The day after which the first return begins. */
  readonly base: Day;
}

/** The rows in which a column has a value. */
export function rowsWithValue({ values }: RecordColumn): Int32Array {
  const rows = new Int32Array(values.length);
  let count = 0;
  for (let t = 0; t < values.length; t++) if (!Number.isNaN(values[t])) rows[count++] = t;
  return rows.subarray(0, count);
}

/**
 * `days`: of the rows of the record, ascending; `whole`: those of a stream with a value in every row, which all such streams share. Of an
 * equity curve the first value is the base of the first return. Null for a column without a return.
 */
export function streamOf(
  days: Int32Array,
  column: RecordColumn,
  form: RecordForm,
  frequency: Frequency,
  whole: Int32Array,
): Stream | null {
  const rows = rowsWithValue(column);
  const isWhole = rows.length === days.length;
  const values = isWhole ? column.values : Float64Array.from(rows, (row) => column.values[row]);
  const from = form === 'returns' ? 0 : 1;
  if (rows.length <= from) return null;
  const own = isWhole ? days : Int32Array.from(rows, (row) => days[row]);
  return {
    name: column.name,
    frequency,
    rows: rows.subarray(from),
    days: isWhole ? whole : own.subarray(from),
    returns: form === 'returns' ? values : returnsOf(values.subarray(1), values[0]),
    base: form === 'returns' ? startOfPeriod(own[0], frequency) : own[0],
  };
}
