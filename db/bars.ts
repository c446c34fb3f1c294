/**
 * Daily bars: `daily_bars` holds the truth, a row a bar; `bar_blocks` holds packed years of it for long reads. Whatever
 * writes rows marks the blocks it touches as stale in the same transaction, so that the two cannot disagree.
 */
import { BASIS_CODE, type Basis } from '../engine/basis.ts';
import { type Day, formatDay, parseDay } from '../engine/dates.ts';
import { allocateSeries, type BarSeries, BYTES_PER_BAR, EMPTY_SERIES, VALUE_COLUMNS } from '../engine/series.ts';
import { BarCopy } from './bar-copy.ts';
import type { Connection, Queryable } from './pool.ts';

const LOAD_LOCK = 7_301;

const YEAR_START = `make_date(b.year, 1, 1)`;
const YEAR_END = `make_date(b.year, 12, 31)`;

/** SQL: the rows of a group as one bytea, columns one after the other, oldest bar first, numbers big-endian. */
const PACK = `string_agg(int4send(r.day - date '1970-01-01'), '' order by r.day)
  || string_agg(float8send(r.open), '' order by r.day) || string_agg(float8send(r.high), '' order by r.day)
  || string_agg(float8send(r.low), '' order by r.day) || string_agg(float8send(r.close), '' order by r.day)
  || string_agg(float8send(r.volume), '' order by r.day)`;

export interface BarLoadRange {
  readonly basis: Basis;
  readonly start: Day;
  readonly end: Day;
  /** Only these instruments are loaded; null: the load covers all of them and its days count as complete. */
  readonly instrumentIds: readonly number[] | null;
}

export interface LoadedDay {
  readonly day: Day;
  readonly rows: number;
  readonly rejected: number;
}

/**
 * One load inside the caller's transaction. Days that were never loaded are copied straight into `daily_bars`; others
 * go through a temporary table and replace what was there, leaving unchanged rows unwritten.
 */
export class BarLoad {
  private readonly connection: Connection;
  private readonly range: BarLoadRange;
  private readonly isFresh: boolean;
  readonly copy: BarCopy;

  private constructor(connection: Connection, range: BarLoadRange, isFresh: boolean) {
    this.connection = connection;
    this.range = range;
    this.isFresh = isFresh;
    this.copy = new BarCopy(connection, isFresh ? 'daily_bars' : 'bar_stage', BASIS_CODE[range.basis]);
  }

  /** Waits for other loads of the basis, then opens the COPY. */
  static async begin(connection: Connection, range: BarLoadRange): Promise<BarLoad> {
    const basis = BASIS_CODE[range.basis];
    await connection.query('select pg_advisory_xact_lock($1, $2)', [LOAD_LOCK, basis]);
    const { rows } = await connection.query(
      'select 1 from loaded_sessions where basis = $1 and day between $2 and $3 and rows > 0 limit 1',
      [basis, formatDay(range.start), formatDay(range.end)],
    );
    const isFresh = rows.length === 0;
    if (!isFresh) await connection.query('create temp table bar_stage (like daily_bars) on commit drop');
    return new BarLoad(connection, range, isFresh);
  }

  /**
   * Ends the COPY, puts the rows in place, records the loaded days and marks the blocks that no longer hold.
   * `touched` tells, for a fresh load, which instruments got bars in which year. Returns the number of changed rows.
   */
  async finish(days: readonly LoadedDay[], touched: () => TouchedYears): Promise<number> {
    await this.copy.finish();
    const changed = this.isFresh ? { count: this.copy.rows, touched } : await this.mergeStage();
    await this.recordSessions(days);
    if (changed.count > 0) await this.markStale(changed.touched);
    return changed.count;
  }

  private async mergeStage(): Promise<{ count: number; touched: () => TouchedYears }> {
    const { basis, start, end, instrumentIds } = this.range;
    await this.connection.query('analyze bar_stage');
    // A day past the end of the table's statistics looks empty to the planner, which then compares row by row.
    await this.connection.query('set local enable_nestloop = off');
    const { rows } = await this.connection.query<{ id: number; year: number; changed: number }>(
      `with days as materialized (select distinct day from bar_stage),
       gone as (
         delete from daily_bars d
         where d.basis = $1 and d.day between $2 and $3 and ($4::int[] is null or d.instrument_id = any($4))
           and d.day in (select day from days)
           and not exists (select from bar_stage s where s.instrument_id = d.instrument_id and s.day = d.day)
         returning d.instrument_id, d.day),
       written as (
         insert into daily_bars as d select * from bar_stage s
         where not exists (
           select from daily_bars d where d.basis = $1 and d.day between $2 and $3
             and (d.instrument_id, d.day) = (s.instrument_id, s.day)
             and (d.open, d.high, d.low, d.close, d.volume) = (s.open, s.high, s.low, s.close, s.volume))
         on conflict (instrument_id, basis, day) do update
           set open = excluded.open, high = excluded.high, low = excluded.low, close = excluded.close,
               volume = excluded.volume
         returning d.instrument_id, d.day)
       select instrument_id as id, extract(year from day)::int as year, count(*)::int as changed
       from (select * from gone union all select * from written) c group by 1, 2`,
      [BASIS_CODE[basis], formatDay(start), formatDay(end), instrumentIds],
    );
    return {
      count: rows.reduce((sum, row) => sum + row.changed, 0),
      touched: () => ({ instrumentIds: rows.map((row) => row.id), years: rows.map((row) => row.year) }),
    };
  }

  /** Sessions of the range; one without rows is recorded too, so that nobody asks the provider for it for ever. */
  private async recordSessions(days: readonly LoadedDay[]): Promise<void> {
    const { basis, instrumentIds } = this.range;
    const isComplete = instrumentIds === null;
    await this.connection.query(
      `insert into loaded_sessions as l (basis, day, rows, rejected, is_complete)
       select $1, day, rows, rejected, $2 from unnest($3::date[], $4::int[], $5::int[]) t (day, rows, rejected)
       where $2 or rows > 0
       on conflict (basis, day) do update
         set rows = case when $2 and excluded.rows > 0 then excluded.rows
                    else (select count(*) from daily_bars d where d.basis = l.basis and d.day = l.day) end,
             rejected = excluded.rejected, is_complete = l.is_complete or excluded.is_complete, loaded_at = now()`,
      [
        BASIS_CODE[basis],
        isComplete,
        days.map((d) => formatDay(d.day)),
        days.map((d) => d.rows),
        days.map((d) => d.rejected),
      ],
    );
  }

  private async markStale(touched: () => TouchedYears): Promise<void> {
    const basis = BASIS_CODE[this.range.basis];
    const seal = await selectSeal(this.connection, this.range.basis);
    if (seal === null || this.range.start > seal) return;
    const { instrumentIds, years } = touched();
    await this.connection.query(
      `insert into bar_blocks (instrument_id, basis, year)
       select id, $1, year from unnest($2::int[], $3::int[]) t (id, year) where year <= extract(year from $4::date)
       on conflict (instrument_id, basis, year) do update set data = null`,
      [basis, instrumentIds, years, formatDay(seal)],
    );
  }
}

/** Pairs of instrument and year, in two parallel arrays. */
export interface TouchedYears {
  readonly instrumentIds: readonly number[];
  readonly years: readonly number[];
}

async function selectSeal(db: Queryable, basis: Basis): Promise<Day | null> {
  const { rows } = await db.query<{ day: string }>('select sealed_through as day from bar_seals where basis = $1', [
    BASIS_CODE[basis],
  ]);
  return rows.length > 0 ? parseDay(rows[0].day) : null;
}

/**
 * Packs one more year of a basis up to `through`, or renews stale blocks; call it until it answers false. Each call is
 * one statement's worth of work for the caller's transaction and leaves reads right at every moment.
 */
export async function sealNextYear(connection: Connection, basis: Basis, through: Day): Promise<boolean> {
  const code = BASIS_CODE[basis];
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
  const end = formatDay(Math.min(through, parseDay(`${year}-12-31`) as Day));
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

interface PackedRow {
  readonly instrument_id: number;
  readonly data: Buffer;
}

const SELECT_PACKED = `
  with seal as (select coalesce(max(sealed_through), '-infinity') as day from bar_seals where basis = $2)
  select b.instrument_id, b.year::int as year, b.data from bar_blocks b
  where b.instrument_id = any($1) and b.basis = $2 and b.data is not null
  union all
  select b.instrument_id, b.year, ${PACK}
  from bar_blocks b join daily_bars r on r.instrument_id = b.instrument_id and r.basis = b.basis
    and r.day between ${YEAR_START} and least(${YEAR_END}, (select day from seal))
  where b.instrument_id = any($1) and b.basis = $2 and b.data is null
  group by b.instrument_id, b.year
  union all
  select r.instrument_id, 32767, ${PACK} from daily_bars r
  where r.instrument_id = any($1) and r.basis = $2 and r.day > (select day from seal)
  group by r.instrument_id
  order by 1, 2`;

/** The whole history of each instrument on a basis, as traded. Instruments without a bar are absent from the map. */
export async function selectSeries(
  db: Queryable,
  instrumentIds: readonly number[],
  basis: Basis,
): Promise<Map<number, BarSeries>> {
  const { rows } = await db.query<PackedRow>({
    name: 'select_series',
    text: SELECT_PACKED,
    values: [instrumentIds, BASIS_CODE[basis]],
  });
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

/** Packed pieces, oldest first, to one series. */
function unpack(pieces: readonly Buffer[]): BarSeries {
  const bytes = pieces.reduce((sum, piece) => sum + piece.length, 0);
  if (bytes === 0) return EMPTY_SERIES;
  const series = allocateSeries(bytes / BYTES_PER_BAR);
  let bar = 0;
  for (const piece of pieces) {
    const count = piece.length / BYTES_PER_BAR;
    const days = count * 4;
    copySwapped(piece.subarray(0, days).swap32(), series.day, bar);
    VALUE_COLUMNS.forEach((column, i) => {
      const start = days + i * count * 8;
      copySwapped(piece.subarray(start, start + count * 8).swap64(), series[column], bar);
    });
    bar += count;
  }
  return series;
}

function copySwapped(from: Buffer, to: Int32Array | Float64Array, index: number): void {
  new Uint8Array(to.buffer, to.byteOffset, to.byteLength).set(from, index * to.BYTES_PER_ELEMENT);
}

/** Newest session of a basis that is fully loaded, has bars, and is not after `limit`; null when there is none. */
export async function selectNewestSession(db: Queryable, basis: Basis, limit: Day): Promise<Day | null> {
  const { rows } = await db.query<{ day: string | null }>(
    'select max(day) as day from loaded_sessions where basis = $1 and is_complete and rows > 0 and day <= $2',
    [BASIS_CODE[basis], formatDay(limit)],
  );
  return rows[0].day === null ? null : parseDay(rows[0].day);
}

/** Sessions of a basis that are fully loaded and have bars, ascending. */
export async function selectLoadedSessionsWithBars(db: Queryable, basis: Basis): Promise<Day[]> {
  const { rows } = await db.query<{ day: string }>(
    'select day from loaded_sessions where basis = $1 and is_complete and rows > 0 order by day',
    [BASIS_CODE[basis]],
  );
  return rows.map((row) => parseDay(row.day) as Day);
}

/** Sessions of a basis that full loads have covered, ascending, the ones without bars included. */
export async function selectLoadedSessions(db: Queryable, basis: Basis): Promise<Day[]> {
  const { rows } = await db.query<{ day: string }>(
    'select day from loaded_sessions where basis = $1 and is_complete order by day',
    [BASIS_CODE[basis]],
  );
  return rows.map((row) => parseDay(row.day) as Day);
}
