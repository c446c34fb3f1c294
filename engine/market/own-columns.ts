/**
 * Own columns: what an account knows beside prices. A value has the day that it is about and the moment it was known, and is never
 * seen before. Sessions are those of the exchange's calendar.
 */
import { isSession } from './calendar.ts';
import { type Day, dayOf } from './dates.ts';

export const COLUMN_KINDS = ['number', 'label'] as const;
export const COLUMN_DIMENSIONS = ['none', 'shares', 'price', 'money'] as const;
export const COLUMN_ABOUT = ['value', 'later'] as const;

/** The facts of a column by which a rule that names it is checked. */
export interface ColumnFacts {
  readonly kind: (typeof COLUMN_KINDS)[number];
  /** Whether it has one value for all instruments. */
  readonly isMarket: boolean;
  readonly dimension: (typeof COLUMN_DIMENSIONS)[number];
}

export interface NamedColumn extends ColumnFacts {
  readonly name: string;
}

/** By name. */
export type KnownColumns = ReadonlyMap<string, ColumnFacts>;

export function knownColumns(columns: readonly NamedColumn[]): KnownColumns {
  return new Map(columns.map((column) => [column.name, column]));
}

/** Rows of one instrument, oldest date first; rows of one date in the order in which they are seen and known. */
export interface ColumnRows {
  /** The day that the value is about. */
  readonly date: Int32Array;
  /** The session at whose close the row is seen first. */
  readonly seen: Int32Array;
  readonly knownDay: Int32Array;
  /** The second of that day in New York; negative: only the day is known. */
  readonly knownSecond: Int32Array;
  /** A label is its index. NaN: the column ends here. */
  readonly value: Float64Array;
}

/** A column of one instrument, or of the market. */
export interface OwnColumn extends ColumnFacts {
  /** `later`: of forecasts, whose dates may be in the future. The row that was known last counts. */
  readonly about: (typeof COLUMN_ABOUT)[number];
  /** Sessions after its date at which a value is too old; null: it never is. */
  readonly staleAfter: number | null;
  /** The texts of a column of labels, by number. */
  readonly labels: readonly string[];
  readonly rows: ColumnRows;
  /** Rows that are seen later are cut off. */
  readonly through: Day;
}

/** The columns of one instrument, by name. */
export type OwnColumns = ReadonlyMap<string, OwnColumn>;

export function columnsThrough(columns: OwnColumns, day: Day): OwnColumns {
  return new Map([...columns].map(([name, column]) => [name, { ...column, through: Math.min(column.through, day) }]));
}

/** For each of some ascending days the row of a column that counts at its close; -1: there is none, or it is too old. */
export function rowsOn(column: OwnColumn, days: Int32Array, within = column.staleAfter): Int32Array {
  const { rows, about, through } = column;
  const { date, seen } = rows;
  const order = orderSeen(rows);
  const known = (row: number) => secondOf(rows, row);
  const out = new Int32Array(days.length).fill(-1);
  const isNewer = (row: number, other: number) =>
    about === 'later' ? known(row) >= known(other) : date[row] >= date[other];
  let next = 0;
  let current = -1;
  for (let t = 0; t < days.length; t++) {
    for (; next < order.length && seen[order[next]] <= Math.min(days[t], through); next++) {
      const row = order[next];
      if (current < 0 || isNewer(row, current)) current = row;
    }
    if (current < 0) continue;
    const isStale = within !== null && sessionsUpTo(days[t]) - sessionsUpTo(date[current]) > within;
    if (!isStale) out[t] = current;
  }
  return out;
}

const DAY_S = 86_400;

/** When a row was known, seconds; where only the day is known, at its end. */
function secondOf({ knownDay, knownSecond }: ColumnRows, row: number): number {
  return knownDay[row] * DAY_S + (knownSecond[row] < 0 ? DAY_S : knownSecond[row]);
}

/** Rows by the session at which they are seen, and of one session by date. */
function orderSeen({ seen }: ColumnRows): Int32Array {
  const order = Int32Array.from(seen.keys());
  const isAscending = seen.every((session, row) => row === 0 || session >= seen[row - 1]);
  return isAscending ? order : order.sort((a, b) => seen[a] - seen[b] || a - b);
}

/** The values that count at the closes of a series, on its basis; NaN: none. */
export function valuesOn(column: OwnColumn, series: Bars, within?: number | null): Float64Array {
  const rows = rowsOn(column, series.day, within ?? undefined);
  const { date, value } = column.rows;
  const carry = carrier(column, series.adjustedFor);
  return Float64Array.from(rows, (row, t) => (row < 0 ? Number.NaN : value[row] * carry(date[row], series.day[t])));
}

/** 1 where the label that counts is `label`, 0 where it is another one; NaN: there is none. */
export function isLabelOn(column: OwnColumn, label: string, series: Bars, within?: number | null): Float64Array {
  const wanted = column.labels.indexOf(label);
  return valuesOn(column, series, within).map((code) => (Number.isNaN(code) ? code : Number(code === wanted)));
}

/** The bars that values stand beside: their days, and the events that they are adjusted for (`AppliedEvent`). */
interface Bars {
  readonly day: Int32Array;
  readonly adjustedFor: readonly { readonly day: Day; readonly price: number; readonly shares: number }[];
}

/** Factor that takes a value about a day, seen at another day, to the basis of a series: over the splits between them, and as its bars from then on. */
type Carry = (date: Day, day: Day) => number;

function carrier({ dimension }: ColumnFacts, events: Bars['adjustedFor']): Carry {
  if (events.length === 0 || (dimension !== 'shares' && dimension !== 'price')) return () => 1;
  const splits = after(events, ({ shares }) => shares);
  if (dimension === 'shares') return (date) => 1 / splits(date);
  const prices = after(events, ({ price }) => price);
  return (date, day) => (splits(date) / splits(day)) * prices(day);
}

/** The product of the factors of all events after a day. `events`: oldest first. */
function after(
  events: Bars['adjustedFor'],
  factor: (event: Bars['adjustedFor'][number]) => number,
): (day: Day) => number {
  const products = new Float64Array(events.length + 1).fill(1);
  for (let i = events.length - 1; i >= 0; i--) products[i] = products[i + 1] * factor(events[i]);
  return (day) => {
    let first = events.length;
    while (first > 0 && events[first - 1].day > day) first--;
    return products[first];
  };
}

const FIRST_DAY = dayOf(1900, 1, 1);
const LAST_DAY = dayOf(2200, 1, 1);
let counts: Int32Array | null = null;

/** The number of sessions of the exchange's calendar up to a day. */
export function sessionsUpTo(day: Day): number {
  if (counts === null) {
    counts = new Int32Array(LAST_DAY - FIRST_DAY + 1);
    for (let i = 1; i < counts.length; i++) counts[i] = counts[i - 1] + Number(isSession(FIRST_DAY + i));
  }
  return counts[Math.min(Math.max(day, FIRST_DAY), LAST_DAY) - FIRST_DAY];
}
