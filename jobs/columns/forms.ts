/** The rows of a column that one instrument has in a file of each form. */
import { allocateRows } from '../../db/research/own-columns.ts';
import type { Day } from '../../engine/market/dates.ts';
import { knownByLag } from '../../engine/market/known-at.ts';
import type { ColumnRows } from '../../engine/market/own-columns.ts';
import type { ColumnSettings } from '../contracts/columns.ts';

/** The last day of an interval that has no end. */
export const NO_END = 2 ** 31 - 1;
/** In place of the time of a name of a list that stands in one line. */
export const OF_LIST = 1;

export interface FormedRows {
  readonly rows: ColumnRows;
  /** Lines that say what an earlier one says. */
  readonly repeated: number;
}

/** `isMember`: whether the column that the file is appended to has the instrument before the first list of the file. */
export type FormRows = (given: ColumnRows, isMember: boolean) => FormedRows;

/** `snapshots`: the dates of all lists of the file. */
export function formOf(form: ColumnSettings['form'], lag: number, snapshots: ReadonlySet<Day>): FormRows {
  if (form === 'intervals') return (given) => intervalRows(given, lag);
  if (form !== 'snapshots') return withoutRepeated;
  const dates = [...snapshots].sort((a, b) => a - b);
  return (given, isMember) => snapshotRows(given, { lag, dates, isMember });
}

function withoutRepeated(given: ColumnRows): FormedRows {
  const { date, seen, knownDay, knownSecond, value } = given;
  const kept: number[] = [];
  for (let i = 0; i < date.length; i++) {
    const isRepeated =
      i > 0 &&
      date[i] === date[i - 1] &&
      seen[i] === seen[i - 1] &&
      knownDay[i] === knownDay[i - 1] &&
      knownSecond[i] === knownSecond[i - 1] &&
      Object.is(value[i], value[i - 1]);
    if (!isRepeated) kept.push(i);
  }
  if (kept.length === date.length) return { rows: given, repeated: 0 };
  const rows = allocateRows(kept.length);
  for (const [to, from] of kept.entries()) {
    rows.date[to] = date[from];
    rows.seen[to] = seen[from];
    rows.knownDay[to] = knownDay[from];
    rows.knownSecond[to] = knownSecond[from];
    rows.value[to] = value[from];
  }
  return { rows, repeated: date.length - kept.length };
}

/** Intervals have the first day as date and the last day as `knownDay`. They may overlap. */
function intervalRows({ date: from, knownDay: to }: ColumnRows, lag: number): FormedRows {
  const changes = new Map<Day, number>();
  const change = (day: Day, by: number) => changes.set(day, (changes.get(day) ?? 0) + by);
  const given = new Set<string>();
  for (let i = 0; i < from.length; i++) {
    given.add(`${from[i]} ${to[i]}`);
    change(from[i], 1);
    if (to[i] !== NO_END) change(to[i] + 1, -1);
  }
  const values: [Day, number][] = [];
  let open = 0;
  for (const [day, by] of [...changes].sort(([a], [b]) => a - b)) {
    if (open === 0 && by > 0) values.push([day, 1]);
    if (open > 0 && open + by === 0) values.push([day, Number.NaN]);
    open += by;
  }
  return { rows: rowsOf(values, lag), repeated: from.length - given.size };
}

function snapshotRows(
  { date, knownSecond }: ColumnRows,
  lists: { readonly lag: number; readonly dates: readonly Day[]; readonly isMember: boolean },
): FormedRows {
  const { lag, dates } = lists;
  const listed = new Set(date);
  const again = date.reduce((n, day, i) => n + Number(i > 0 && day === date[i - 1] && knownSecond[i] !== OF_LIST), 0);
  const values: [Day, number][] = [];
  let { isMember } = lists;
  for (const day of dates) {
    const isListed = listed.has(day);
    if (isListed) values.push([day, 1]);
    else if (isMember) values.push([day, Number.NaN]);
    isMember = isListed;
  }
  return { rows: rowsOf(values, lag), repeated: again };
}

function rowsOf(values: readonly (readonly [Day, number])[], lag: number): ColumnRows {
  const rows = allocateRows(values.length);
  for (const [i, [date, value]] of values.entries()) {
    const { day, second } = knownByLag(date, lag);
    rows.date[i] = date;
    rows.seen[i] = day;
    rows.knownDay[i] = day;
    rows.knownSecond[i] = second;
    rows.value[i] = value;
  }
  return rows;
}
