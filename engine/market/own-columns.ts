/**
 * Own columns: what an account knows beside prices. A value has the day that it is about and the moment it was known, and is never
 * seen before. Sessions are those of the exchange's calendar.
 */
import { lowerBound } from '../util/values.ts';
import type { Day } from './dates.ts';
import { sessionAt, sessionsUpTo } from './session-index.ts';

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
  /** The version of the column that brought each row. Absent until they are stored. */
  readonly version?: Int32Array;
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

/** Rows that count, oldest first: each at the days of the index `from` (included) to `to` (excluded). */
interface Spell {
  readonly row: number;
  readonly from: number;
  to: number;
}

/** The spells of a column among some ascending days. No day has a row that is too old. */
export function spellsOn(column: OwnColumn, days: Int32Array, within = column.staleAfter): readonly Spell[] {
  const { rows, about, through } = column;
  const { date, seen } = rows;
  const order = orderSeen(rows);
  const known = (row: number) => secondOf(rows, row);
  const isNewer = (row: number, other: number) =>
    about === 'later' ? known(row) >= known(other) : date[row] >= date[other];
  const end = lowerBound(days, through + 1);
  const spells: Spell[] = [];
  let [current, from] = [-1, 0];
  for (let next = 0; next < order.length; ) {
    const session = seen[order[next]];
    for (; next < order.length && seen[order[next]] === session; next++) {
      if (current < 0 || isNewer(order[next], current)) current = order[next];
    }
    while (from < end && days[from] < session) from++;
    if (from === end) break;
    const last = spells[spells.length - 1];
    if (last !== undefined) last.to = Math.min(last.to, from);
    const to = within === null ? end : Math.min(end, lowerBound(days, sessionAt(sessionsUpTo(date[current]) + within)));
    spells.push({ row: current, from, to });
  }
  return spells.filter((spell) => spell.from < spell.to);
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
  const { date, value } = column.rows;
  const { day } = series;
  const carry = carrier(column, series.adjustedFor);
  const out = new Float64Array(day.length).fill(Number.NaN);
  for (const { row, from, to } of spellsOn(column, day, within ?? undefined)) {
    if (carry === null) out.fill(value[row], from, to);
    else for (let t = from; t < to; t++) out[t] = value[row] * carry(date[row], day[t]);
  }
  return out;
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

/** Null: values are the same on every basis. */
function carrier({ dimension }: ColumnFacts, events: Bars['adjustedFor']): Carry | null {
  if (events.length === 0 || (dimension !== 'shares' && dimension !== 'price')) return null;
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
