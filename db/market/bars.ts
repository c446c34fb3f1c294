/**
 * Daily bars. `daily_bars` is authoritative, with a row for each bar; `bar_blocks` has packed years of them for long reads. Writes
 * to `daily_bars` mark the blocks that they affect as stale in the same transaction, so that the two cannot disagree.
 */

import { type Day, formatDay, parseDay, requireDay } from '../../engine/market/dates.ts';
import {
  allocateSeries,
  type BarSeries,
  BYTES_PER_BAR,
  EMPTY_SERIES,
  VALUE_COLUMNS,
} from '../../engine/market/series.ts';
import { CONSOLIDATED_FROM, VENUE_BASIS_CODE, type VenueBasis } from '../../engine/market/venue-basis.ts';
import type { Connection, Queryable } from '../pool.ts';
import type { Rows } from '../schema/tables.ts';

/** Advisory lock (with the venue basis) that loading and packing hold. */
export const LOAD_LOCK = 7_301;

/** SQL: first and last day of the year of a block `b`. */
export const YEAR_START = `make_date(b.year, 1, 1)`;
export const YEAR_END = `make_date(b.year, 12, 31)`;

/** SQL: the rows `r` of a group as one bytea: column after column, in an order, numbers big-endian. */
export const packed = (order: string) => `string_agg(int4send(r.day - date '1970-01-01'), '' order by ${order})
  || string_agg(float8send(r.open), '' order by ${order}) || string_agg(float8send(r.high), '' order by ${order})
  || string_agg(float8send(r.low), '' order by ${order}) || string_agg(float8send(r.close), '' order by ${order})
  || string_agg(float8send(r.volume), '' order by ${order})`;
const PACK = packed('r.day');

/** The day up to which bars are packed; null: none are. */
export async function selectSeal(db: Queryable, venueBasis: VenueBasis): Promise<Day | null> {
  const { rows } = await db.query<{ day: string }>('select sealed_through as day from bar_seals where basis = $1', [
    VENUE_BASIS_CODE[venueBasis],
  ]);
  return rows.length > 0 ? parseDay(rows[0].day) : null;
}

/**
 * Packs one more year up to `through`, or packs the stale blocks of a year again. Call it until it returns false. Each call is
 * the work of one statement in the caller's transaction. Reads are correct at every moment.
 */
export async function packNextYear(connection: Connection, venueBasis: VenueBasis, through: Day): Promise<boolean> {
  const code = VENUE_BASIS_CODE[venueBasis];
  await connection.query('select pg_advisory_xact_lock($1, $2)', [LOAD_LOCK, code]);
  const { rows } = await connection.query<{ year: number | null; stale: number | null }>(
    `select (select extract(year from min(day))::int from loaded_sessions l
             where l.basis = $1 and l.rows > 0 and l.day <= $2
               and l.day > coalesce((select sealed_through from bar_seals where basis = $1), '-infinity')) as year,
            (select min(year)::int from bar_blocks where basis = $1 and data is null) as stale`,
    [code, formatDay(through)],
  );
  const { year, stale } = rows[0];
  if (stale !== null) {
    await connection.query(
      `update bar_blocks b set data = coalesce(p.data, '')
       from (select b.instrument_id, ${PACK} as data
             from bar_blocks b join bar_seals s on s.basis = b.basis
             left join daily_bars r on r.instrument_id = b.instrument_id and r.basis = b.basis
               and r.day between ${YEAR_START} and least(${YEAR_END}, s.sealed_through)
             where b.basis = $1::int and b.year = $2::int and b.data is null group by b.instrument_id) p
       where b.instrument_id = p.instrument_id and b.basis = $1::int and b.year = $2::int`,
      [code, stale],
    );
    return true;
  }
  if (year === null) return false;
  const end = formatDay(Math.min(through, requireDay(`${year}-12-31`)));
  await connection.query(
    `insert into bar_blocks (instrument_id, basis, year, data)
     select r.instrument_id, $1::int, $2::int, ${PACK} from daily_bars r
     where r.basis = $1::int and r.day between make_date($2::int, 1, 1) and $3 group by r.instrument_id
     on conflict (instrument_id, basis, year) do update set data = excluded.data`,
    [code, year, end],
  );
  await connection.query(
    `insert into bar_seals values ($1, $2) on conflict (basis) do update set sealed_through = excluded.sealed_through`,
    [code, end],
  );
  return true;
}

/** Adds the rows of the latest loads to the index by day. Without this, a query for any day would read all of them. */
export async function indexNewDays(db: Queryable): Promise<void> {
  await db.query('select index_new_days()');
}

interface PackedRow extends Pick<Rows['bar_blocks'], 'instrument_id'> {
  readonly data: Buffer;
}

/** SQL: packed years, and packed rows of unsealed years, by instrument and time. All arguments are SQL. */
export const selectPacked = (sinceYear: string, sinceDay: string, ids = '$1', basis = '$2') => `
  with seal as (select coalesce(max(sealed_through), '-infinity') as day from bar_seals where basis = ${basis})
  select b.instrument_id, b.year::int as year, b.data from bar_blocks b
  where b.instrument_id = any(${ids}) and b.basis = ${basis} and b.data is not null${sinceYear}
  union all
  select b.instrument_id, b.year, ${PACK}
  from bar_blocks b join daily_bars r on r.instrument_id = b.instrument_id and r.basis = b.basis
    and r.day between ${YEAR_START} and least(${YEAR_END}, (select day from seal))
  where b.instrument_id = any(${ids}) and b.basis = ${basis} and b.data is null${sinceYear}
  group by b.instrument_id, b.year
  union all
  select r.instrument_id, 32767, ${PACK} from daily_bars r
  where r.instrument_id = any(${ids}) and r.basis = ${basis} and r.day > (select day from seal)${sinceDay}
  group by r.instrument_id
  order by 1, 2`;

/** SQL: the part of `sinceDay` that ends with a year. Unsealed rows are read only if the year is not sealed to its end. */
export const throughYear = (year: string) =>
  ` and r.day < make_date(${year} + 1, 1, 1) and (select day from seal) < make_date(${year}, 12, 31)`;

const SELECT_PACKED = selectPacked('', '');
const SELECT_PACKED_SINCE = selectPacked(' and b.year >= $3', ' and r.day >= make_date($3, 1, 1)');
const SELECT_PACKED_UNTIL = selectPacked(' and b.year <= $3', throughYear('$3'));
const SELECT_PACKED_BETWEEN = selectPacked(
  ' and b.year between $3 and $4',
  ` and r.day >= make_date($3, 1, 1)${throughYear('$4')}`,
);

async function readSeries(
  db: Queryable,
  statement: { readonly name: string; readonly text: string },
  values: unknown[],
): Promise<Map<number, BarSeries>> {
  const { rows } = await db.query<PackedRow>({ ...statement, values });
  return seriesOf(rows);
}

/** The whole unadjusted history of each instrument on a venue basis, without instruments that have no bar. */
export function selectSeries(
  db: Queryable,
  instrumentIds: readonly number[],
  venueBasis: VenueBasis,
): Promise<Map<number, BarSeries>> {
  return readSeries(db, { name: 'select_series', text: SELECT_PACKED }, [instrumentIds, VENUE_BASIS_CODE[venueBasis]]);
}

/** The same from the beginning of a year. */
export function selectSeriesSince(
  db: Queryable,
  instrumentIds: readonly number[],
  venueBasis: VenueBasis,
  year: number,
): Promise<Map<number, BarSeries>> {
  return readSeries(db, { name: 'select_series_since', text: SELECT_PACKED_SINCE }, [
    instrumentIds,
    VENUE_BASIS_CODE[venueBasis],
    year,
  ]);
}

/** The same up to the end of a year. */
export function selectSeriesUntil(
  db: Queryable,
  instrumentIds: readonly number[],
  venueBasis: VenueBasis,
  year: number,
): Promise<Map<number, BarSeries>> {
  return readSeries(db, { name: 'select_series_until', text: SELECT_PACKED_UNTIL }, [
    instrumentIds,
    VENUE_BASIS_CODE[venueBasis],
    year,
  ]);
}

/** The same of the years from one to another. */
export function selectSeriesBetween(
  db: Queryable,
  instrumentIds: readonly number[],
  venueBasis: VenueBasis,
  years: { readonly first: number; readonly last: number },
): Promise<Map<number, BarSeries>> {
  return readSeries(db, { name: 'select_series_between', text: SELECT_PACKED_BETWEEN }, [
    instrumentIds,
    VENUE_BASIS_CODE[venueBasis],
    years.first,
    years.last,
  ]);
}

/** The same of one year. */
export function selectSeriesOfYear(
  db: Queryable,
  instrumentIds: readonly number[],
  venueBasis: VenueBasis,
  year: number,
): Promise<Map<number, BarSeries>> {
  return selectSeriesBetween(db, instrumentIds, venueBasis, { first: year, last: year });
}

/**
 * The day that anchors the split basis of each instrument: that of its newest consolidated bar up to `through`, or without one, of
 * its newest bar on any venue basis. Instruments without a bar up to then are left out.
 */
export async function selectSplitAnchors(
  db: Queryable,
  instrumentIds: readonly number[],
  through: Day,
): Promise<Map<number, Day>> {
  const { rows } = await db.query<{ id: number; day: string | null }>({
    name: 'select_split_anchors',
    text: `select id, coalesce(
             (select max(day) from daily_bars where instrument_id = id and basis = $2 and day <= $3),
             (select max(day) from daily_bars where instrument_id = id and day <= $3)) as day
           from unnest($1::int[]) t (id)`,
    values: [instrumentIds, VENUE_BASIS_CODE.consolidated, formatDay(through)],
  });
  return new Map(rows.flatMap(({ id, day }) => (day === null ? [] : [[id, requireDay(day)]])));
}

/** Those of the instruments that have bars on a venue basis. */
export async function selectInstrumentsWithBars(
  db: Queryable,
  instrumentIds: readonly number[],
  venueBasis: VenueBasis,
): Promise<Set<number>> {
  const { rows } = await db.query<{ id: number }>({
    name: 'select_instruments_with_bars',
    text: `select id from unnest($1::int[]) t (id)
           where exists (select from daily_bars where instrument_id = id and basis = $2)`,
    values: [instrumentIds, VENUE_BASIS_CODE[venueBasis]],
  });
  return new Set(rows.map(({ id }) => id));
}

/** The first day on which any of the instruments has a bar in the spliced history; null: none has one. */
export async function selectFirstBarDay(db: Queryable, instrumentIds: readonly number[]): Promise<Day | null> {
  const { rows } = await db.query<{ day: string | null }>({
    name: 'select_first_bar_day',
    text: `select min(least(
             (select min(day) from daily_bars where instrument_id = id and basis = $2 and day < $4),
             (select min(day) from daily_bars where instrument_id = id and basis = $3 and day >= $4))) as day
           from unnest($1::int[]) t (id)`,
    values: [
      instrumentIds,
      VENUE_BASIS_CODE.primary_session,
      VENUE_BASIS_CODE.consolidated,
      formatDay(CONSOLIDATED_FROM),
    ],
  });
  const [{ day }] = rows;
  return day === null ? null : requireDay(day);
}

/** Those of the instruments that have a bar between two days (null: open) in the spliced history that backtests read. */
export async function selectInstrumentsTraded(
  db: Queryable,
  instrumentIds: readonly number[],
  start: Day | null,
  end: Day | null,
): Promise<number[]> {
  const { rows } = await db.query<{ id: number }>({
    name: 'select_instruments_traded',
    text: `with bases as (select * from (values ($4::int, '-infinity'::date, $6::date - 1), ($5, $6, 'infinity')) b (basis, first, last))
           select i.id from unnest($1::int[]) i (id)
           where exists (select from bases s cross join lateral (
             select from daily_bars b where b.instrument_id = i.id and b.basis = s.basis
               and b.day between greatest(s.first, coalesce($2::date, '-infinity')) and least(s.last, coalesce($3::date, 'infinity'))
             limit 1) bar)`,
    values: [
      instrumentIds,
      start === null ? null : formatDay(start),
      end === null ? null : formatDay(end),
      VENUE_BASIS_CODE.primary_session,
      VENUE_BASIS_CODE.consolidated,
      formatDay(CONSOLIDATED_FROM),
    ],
  });
  return rows.map(({ id }) => id);
}

function seriesOf(rows: readonly PackedRow[]): Map<number, BarSeries> {
  const series = new Map<number, BarSeries>();
  for (let from = 0; from < rows.length; ) {
    const id = rows[from].instrument_id;
    let to = from + 1;
    while (to < rows.length && rows[to].instrument_id === id) to++;
    const unpacked = unpack(rows.slice(from, to).map((row) => row.data));
    if (unpacked.length > 0) series.set(id, unpacked);
    from = to;
  }
  return series;
}

/** Unpacks pieces, oldest first, into one series. The bytes of the pieces are changed. */
export function unpack(pieces: readonly Buffer[]): BarSeries {
  const bytes = pieces.reduce((sum, piece) => sum + piece.length, 0);
  if (bytes === 0) return EMPTY_SERIES;
  const series = allocateSeries(bytes / BYTES_PER_BAR);
  let bar = 0;
  for (const piece of pieces) bar += unpackPiece(piece, series, bar);
  return series;
}

/** Unpacks a piece into a series from a bar on, and returns how many bars it has. Its bytes are changed. */
export function unpackPiece(piece: Buffer, series: BarSeries, bar: number): number {
  const count = piece.length / BYTES_PER_BAR;
  const days = count * 4;
  copySwapped(piece.subarray(0, days).swap32(), series.day, bar);
  VALUE_COLUMNS.forEach((column, i) => {
    const start = days + i * count * 8;
    copySwapped(piece.subarray(start, start + count * 8).swap64(), series[column], bar);
  });
  return count;
}

/** Unpacks 32-bit numbers. The bytes are changed. */
export function unpackIntegers(bytes: Buffer): Int32Array {
  const integers = new Int32Array(bytes.length / Int32Array.BYTES_PER_ELEMENT);
  copySwapped(bytes.swap32(), integers, 0);
  return integers;
}

function copySwapped(from: Buffer, to: Int32Array | Float64Array, index: number): void {
  new Uint8Array(to.buffer, to.byteOffset, to.byteLength).set(from, index * to.BYTES_PER_ELEMENT);
}
