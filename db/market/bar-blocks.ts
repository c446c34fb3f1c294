/**
 * Packed years of daily bars. `daily_bars` is authoritative, with a row for each bar; `bar_blocks` has packed years of them for long
 * reads. Writes to `daily_bars` mark the blocks that they affect as stale in the same transaction, so that the two cannot disagree.
 */
import { type Day, formatDay, parseDay, requireDay } from '../../engine/market/dates.ts';
import {
  allocateSeries,
  type BarSeries,
  BYTES_PER_BAR,
  EMPTY_SERIES,
  VALUE_COLUMNS,
} from '../../engine/market/series.ts';
import { VENUE_BASIS_CODE, type VenueBasis } from '../../engine/market/venue-basis.ts';
import type { Connection, Queryable } from '../pool.ts';

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
