/** Own columns of instruments, made of rows. */
import { type Day, FAR_FUTURE, requireDay } from '../../engine/market/dates.ts';
import type { OwnColumn } from '../../engine/market/own-columns.ts';

/** The day that a value is about, the session that sees it first (the same day), and the value. */
export type MadeRow = readonly [date: string, seen: string, value: number | string | null];

/** `rows`: by date, and for each date in the order in which they were known. */
export function columnOf(rows: readonly MadeRow[], facts: Partial<OwnColumn> = {}): OwnColumn {
  const found = new Set(rows.flatMap(([, , value]) => (typeof value === 'string' ? [value] : [])));
  const labels = facts.labels ?? [...found];
  const days = (at: 0 | 1) => Int32Array.from(rows, (row): Day => requireDay(row[at]));
  return {
    kind: labels.length > 0 ? 'label' : 'number',
    isMarket: false,
    dimension: 'none',
    about: 'value',
    staleAfter: null,
    through: FAR_FUTURE,
    ...facts,
    labels,
    rows: {
      date: days(0),
      seen: days(1),
      knownDay: days(1),
      knownSecond: new Int32Array(rows.length).fill(-1),
      value: Float64Array.from(rows, ([, , value]) =>
        value === null ? Number.NaN : typeof value === 'string' ? labels.indexOf(value) : value,
      ),
    },
  };
}
