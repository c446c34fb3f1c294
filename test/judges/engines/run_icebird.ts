/** icebird reads, plain JavaScript computes. */
import { json } from 'node:stream/consumers';
import { z } from 'zod';
import { bars as everything, read } from './connect_icebird.ts';

type Row = Record<string, unknown>;

const question = z.object({ past: z.int(), symbol: z.string(), day: z.string() });

const { past: snapshot, symbol, day } = question.parse(await json(process.stdin));
const [symbols, events, past] = await Promise.all([
  read('symbols'),
  read('events'),
  read('daily_bars', String(snapshot)),
]);

const plain = (value: unknown) => {
  if (value instanceof Date) return value.toISOString().slice(0, 10);
  return typeof value === 'bigint' ? Number(value) : (value ?? null);
};
const text = (row: Row, column: string) => String(plain(row[column]));
const number = (row: Row, column: string) => Number(row[column]);
const yearOf = (column: string) => (row: Row) => Number(text(row, column).slice(0, 4));
const month = (row: Row) => Number(text(row, 'date').slice(0, 7).replace('-', ''));
const sum = (rows: readonly Row[], column: string) => rows.reduce((total, row) => total + number(row, column), 0);

/** Values of rows in ascending order; with `-`, in descending order. */
function sorted(rows: readonly Row[], ...columns: readonly string[]): Row[] {
  const compare = (a: Row, b: Row, column: string) => {
    const [left, right] = [text(a, column), text(b, column)];
    return typeof a[column] === 'bigint'
      ? number(a, column) - number(b, column)
      : left < right
        ? -1
        : left > right
          ? 1
          : 0;
  };
  const order = (a: Row, b: Row) => {
    for (const column of columns) {
      const by = column.startsWith('-') ? compare(b, a, column.slice(1)) : compare(a, b, column);
      if (by !== 0) return by;
    }
    return 0;
  };
  return [...rows].sort(order);
}

function grouped<K extends string | number, R>(
  rows: readonly Row[],
  keyOf: (row: Row) => K,
  of: (rows: readonly Row[]) => R,
): [K, R][] {
  const groups = [...Map.groupBy(rows, keyOf)].sort(([a], [b]) => (a < b ? -1 : 1));
  return groups.map(([key, members]) => [key, of(members)]);
}

const pick = (rows: readonly Row[], ...columns: readonly string[]) =>
  rows.map((row) => columns.map((column) => plain(row[column])));

const bars = everything.filter(({ venue_mode: mode }) => mode === 'consolidated');
const one = sorted(
  bars.filter((row) => row.symbol === symbol),
  'date',
);
const ofDay = sorted(
  bars.filter((row) => text(row, 'date') === day),
  'volume',
);

function monthlyReturns() {
  const ends = grouped(one, month, (rows) => number(rows[rows.length - 1], 'close'));
  return ends.map(([key, close], i) => [key, i === 0 ? null : close / ends[i - 1][1] - 1]);
}

function meanOf20Days() {
  return one.map((row, i) => {
    const window = one.slice(Math.max(0, i - 19), i + 1);
    return [plain(row.date), sum(window, 'close') / window.length];
  });
}

function barsBeforeEvents() {
  const histories = Map.groupBy(sorted(bars, 'date'), (row) => row.symbol);
  return sorted(events, 'symbol', 'ex_date', 'kind').flatMap((event) => {
    const before = histories.get(event.symbol)?.findLast((row) => text(row, 'date') < text(event, 'ex_date'));
    return before ? [[...pick([event], 'symbol', 'ex_date', 'kind')[0], ...pick([before], 'date', 'close')[0]]] : [];
  });
}

function mostTradedByDay() {
  const newest = bars.filter((row) => text(row, 'date') >= day);
  const days = grouped(
    newest,
    (row) => text(row, 'date'),
    (rows) => sorted(rows, '-volume', 'symbol').slice(0, 10),
  );
  return days.flatMap(([, rows]) => pick(rows, 'date', 'symbol', 'volume'));
}

function adjustedCloses() {
  const newest = symbols.filter((row) => row.symbol === symbol).map((row) => number(row, 'split_factor'));
  return one.map((row) => [plain(row.date), number(row, 'close') * (newest[0] / number(row, 'split_factor'))]);
}

const gone = symbols.filter((row) => plain(row.delisted_on) !== null);
const answers = {
  rows_per_year: grouped(everything, yearOf('date'), (rows) => rows.length),
  volume_per_year: grouped(everything, yearOf('date'), (rows) => sum(rows, 'volume')),
  history: pick(one, 'date', 'open', 'high', 'low', 'close', 'volume'),
  monthly_returns: monthlyReturns(),
  mean_of_20_days: meanOf20Days(),
  bars_before_events: barsBeforeEvents(),
  most_traded_by_day: mostTradedByDay(),
  adjusted_closes: adjustedCloses(),
  delisted_by_year: grouped(gone, yearOf('delisted_on'), (rows) => new Set(rows.map((row) => row.symbol)).size),
  percentile_of_volume: [[plain(ofDay[Math.ceil(0.9 * ofDay.length) - 1].volume)]],
  past_snapshot: [[past.length, sum(past, 'volume'), plain(sorted(past, 'date')[past.length - 1].date)]],
  schema_of_past_snapshot: Object.keys(past[0]).map((name) => [name]),
};
process.stdout.write(JSON.stringify(answers));
