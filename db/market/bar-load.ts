/** Loads daily bars: new days directly into the table, other days by comparison with the stored bars. */

import { civilDate, type Day, formatDay } from '../../engine/market/dates.ts';
import { VENUE_BASIS_CODE, type VenueBasis } from '../../engine/market/venue-basis.ts';
import { countChangedYears } from '../lake/lake-files.ts';
import type { Connection } from '../pool.ts';
import { endLoads, loadStep } from '../queue/session-steps.ts';
import { LOAD_LOCK, selectSeal } from './bar-blocks.ts';
import { BarCopy } from './bar-copy.ts';
import type { LoadOrigin } from './revisions.ts';

export interface BarLoadRange {
  readonly venueBasis: VenueBasis;
  readonly start: Day;
  readonly end: Day;
  /** Instruments to load; null: all of them, so that the days count as complete. */
  readonly instrumentIds: readonly number[] | null;
  readonly origin: LoadOrigin;
  /** Whether stored rows stay that the source no longer has. */
  readonly keepsGone: boolean;
  /** Whether days of which the source has no row at all lose theirs, and nothing is recorded as loaded. */
  readonly forgets: boolean;
}

/** SQL: the figures of a bar as revisions hold them. */
const barJson = (row: string) =>
  `jsonb_build_object('open', ${row}.open, 'high', ${row}.high, 'low', ${row}.low, 'close', ${row}.close,
     'volume', ${row}.volume)`;

/** Changes by a load. */
export interface LoadChange {
  /** Rows that differ from the stored ones. */
  readonly rows: number;
  /** Stored rows of loaded days that the source no longer has; they are removed unless the range keeps them. */
  readonly gone: number;
  /** Sessions that were not loaded completely before. */
  readonly completed: number;
}

export interface LoadedDay {
  readonly day: Day;
  readonly rows: number;
  readonly rejected: number;
  /** Rejected rows with a fault of their own. */
  readonly malformed: number;
}

/**
 * A load, in the caller's transaction. Days that were never loaded are copied directly into `daily_bars`. Other days go through a
 * temporary table and replace the stored rows that differ.
 */
export class BarLoad {
  private readonly connection: Connection;
  private readonly range: BarLoadRange;
  private readonly isFresh: boolean;
  private openCopy: BarCopy;
  /** Rows of copies that have ended. */
  private rowsBefore = 0;

  private constructor(connection: Connection, range: BarLoadRange, isFresh: boolean) {
    this.connection = connection;
    this.range = range;
    this.isFresh = isFresh;
    this.openCopy = this.newCopy();
  }

  private newCopy(): BarCopy {
    return new BarCopy(this.connection, this.table, VENUE_BASIS_CODE[this.range.venueBasis]);
  }

  /** Where rows are copied to. */
  get table(): 'daily_bars' | 'bar_stage' {
    return this.isFresh ? 'daily_bars' : 'bar_stage';
  }

  get copy(): BarCopy {
    return this.openCopy;
  }

  /** Rows copied so far. */
  get rows(): number {
    return this.rowsBefore + this.openCopy.rows;
  }

  /** Interrupts the COPY for other statements of the connection. */
  async pause<T>(work: () => Promise<T>): Promise<T> {
    await this.openCopy.finish();
    this.rowsBefore += this.openCopy.rows;
    const result = await work();
    this.openCopy = this.newCopy();
    return result;
  }

  /** Waits for other loads of the venue basis, then opens the COPY. */
  static async begin(connection: Connection, range: BarLoadRange): Promise<BarLoad> {
    const venueBasis = VENUE_BASIS_CODE[range.venueBasis];
    await connection.query('select pg_advisory_xact_lock($1, $2)', [LOAD_LOCK, venueBasis]);
    const { rows } = await connection.query(
      'select 1 from loaded_sessions where basis = $1 and day between $2 and $3 and rows > 0 limit 1',
      [venueBasis, formatDay(range.start), formatDay(range.end)],
    );
    const isFresh = rows.length === 0;
    if (!isFresh) await connection.query('create temp table bar_stage (like daily_bars) on commit drop');
    return new BarLoad(connection, range, isFresh);
  }

  /**
   * Ends the COPY, puts the rows in place, records the loaded days, and marks the blocks that are out of date. For a
   * load of new days, `touched` returns which instruments got bars in which year. Days in `skippedSessions` keep their
   * stored rows.
   */
  async finish(
    days: readonly LoadedDay[],
    touched: () => TouchedYears,
    skippedSessions: readonly Day[] = [],
  ): Promise<LoadChange> {
    await this.copy.finish();
    const removed = skippedSessions.length > 0 ? await this.removeCopied(skippedSessions) : 0;
    const changed = this.isFresh ? { count: this.rows - removed, gone: 0, touched } : await this.mergeStage();
    const completed = this.range.forgets ? 0 : await this.recordSessions(days);
    if (this.range.forgets) await this.recountSessions();
    if (changed.count > 0) await this.recordChange(changed.touched);
    return { rows: changed.count, gone: changed.gone, completed };
  }

  private async removeCopied(days: readonly Day[]): Promise<number> {
    const { rowCount } = await this.connection.query(
      `delete from ${this.table} where basis = $1 and day = any($2::date[])`,
      [VENUE_BASIS_CODE[this.range.venueBasis], days.map(formatDay)],
    );
    return rowCount ?? 0;
  }

  private async mergeStage(): Promise<{ count: number; gone: number; touched: () => TouchedYears }> {
    const found = await this.findChanges();
    const gone = found === 0 ? 0 : await this.countGone();
    const rows = found === 0 ? [] : await this.applyChanges();
    return {
      gone,
      count: rows.reduce((sum, row) => sum + row.changed, 0),
      touched: () => ({ instrumentIds: rows.map((row) => row.id), years: rows.map((row) => row.year) }),
    };
  }

  /** Counts the stored rows that the source no longer has, and drops them from the changes if they are kept. */
  private async countGone(): Promise<number> {
    const { rows } = await this.connection.query<{ count: number }>(
      this.range.keepsGone
        ? 'with kept as (delete from bar_changes where is_gone returning 1) select count(*)::int as count from kept'
        : 'select count(*)::int as count from bar_changes where is_gone',
    );
    return rows[0].count;
  }

  /** Compares the copied rows with the stored ones of their days, which are read once. Returns how many differ. */
  private async findChanges(): Promise<number> {
    const { venueBasis, start, end, instrumentIds } = this.range;
    await this.connection.query(
      `create temp table bar_changes on commit drop as
         select *, false as is_gone, false as is_known, null::jsonb as was from bar_stage with no data`,
    );
    // The index by day is wide where new rows lie in the room of old ones; the planner takes it for exact.
    await this.connection.query('set local enable_bitmapscan = off');
    const { rowCount } = await this.connection.query(
      `with stored as materialized (
         select * from daily_bars d
         where d.basis = $1 and d.day between $2 and $3 and ($4::int[] is null or d.instrument_id = any($4))
           and ($5 or d.day in (select distinct day from bar_stage)))
       insert into bar_changes
       select coalesce(s.instrument_id, d.instrument_id), $1, coalesce(s.day, d.day),
         s.open, s.high, s.low, s.close, s.volume, s.day is null, d.day is not null,
         case when d.day is not null then ${barJson('d')} end
       from bar_stage s full join stored d on (d.instrument_id, d.day) = (s.instrument_id, s.day)
       where s.day is null or d.day is null
         or (d.open, d.high, d.low, d.close, d.volume) <> (s.open, s.high, s.low, s.close, s.volume)`,
      [VENUE_BASIS_CODE[venueBasis], formatDay(start), formatDay(end), instrumentIds, this.range.forgets],
    );
    return rowCount ?? 0;
  }

  /** Every change of a bar that could be served is recorded as a revision; a bar of an incomplete session could not. */
  private async applyChanges() {
    const { venueBasis, origin } = this.range;
    await this.connection.query('analyze bar_changes');
    const { rows } = await this.connection.query<{ id: number; year: number; changed: number }>(
      `with gone as (
         delete from daily_bars d using bar_changes c
         where c.is_gone and d.basis = $1 and (d.instrument_id, d.day) = (c.instrument_id, c.day)),
       written as (
         insert into daily_bars as d
         select instrument_id, basis, day, open, high, low, close, volume from bar_changes where not is_gone
         on conflict (instrument_id, basis, day) do update
           set open = excluded.open, high = excluded.high, low = excluded.low, close = excluded.close,
               volume = excluded.volume),
       recorded as (
         insert into revisions (instrument_id, basis, day, was, became, sync_job_id, recorded_at)
         select instrument_id, basis, day, was, case when not is_gone then ${barJson('c')} end, $2::bigint, $3::timestamptz
         from bar_changes c
         where is_known or exists (
           select from loaded_sessions l where l.basis = $1 and l.day = c.day and l.is_complete and l.rows > 0))
       select instrument_id as id, extract(year from day)::int as year, count(*)::int as changed
       from bar_changes group by 1, 2`,
      [VENUE_BASIS_CODE[venueBasis], origin.syncJobId, origin.at],
    );
    return rows;
  }

  /**
   * Records the sessions of the range, also those without rows, so that they are not requested again. Returns how many were not
   * complete before.
   */
  private async recordSessions(days: readonly LoadedDay[]): Promise<number> {
    const { venueBasis, instrumentIds } = this.range;
    const isComplete = instrumentIds === null;
    const { rows } = await this.connection.query<{ completed: number }>(
      `with given as (select * from unnest($3::date[], $4::int[], $5::int[], $6::int[]) t (day, rows, rejected, malformed)),
       written as (
         insert into loaded_sessions as l (basis, day, rows, rejected, malformed, is_complete)
         select $1, day, rows, rejected, malformed, $2 from given where $2 or rows > 0
         on conflict (basis, day) do update
           set rows = case when $2 and excluded.rows > 0 and not $7 then excluded.rows
                      else (select count(*) from daily_bars d where d.basis = l.basis and d.day = l.day) end,
               rejected = excluded.rejected, malformed = excluded.malformed, is_complete = l.is_complete or excluded.is_complete, loaded_at = now())
       select count(*)::int as completed from given g
       where $2 and not exists (select from loaded_sessions l where l.basis = $1 and l.day = g.day and l.is_complete)`,
      [
        VENUE_BASIS_CODE[venueBasis],
        isComplete,
        days.map((d) => formatDay(d.day)),
        days.map((d) => d.rows),
        days.map((d) => d.rejected),
        days.map((d) => d.malformed),
        this.range.keepsGone,
      ],
    );
    if (isComplete)
      await endLoads(
        this.connection,
        venueBasis,
        days.map(({ day }) => day),
        this.range.origin,
      );
    return rows[0].completed;
  }

  /** Sessions that have lost all of their rows are as if they had never been loaded. */
  private async recountSessions(): Promise<void> {
    const { venueBasis, start, end } = this.range;
    await this.connection.query(
      `with counted as (
         select l.day, (select count(*)::int from daily_bars d where d.basis = l.basis and d.day = l.day) as rows
         from loaded_sessions l where l.basis = $1 and l.day between $2 and $3 and l.rows > 0),
       updated as (
         update loaded_sessions l set rows = c.rows from counted c where l.basis = $1 and l.day = c.day and c.rows > 0),
       forgotten as (
         delete from loaded_sessions l using counted c where l.basis = $1 and l.day = c.day and c.rows = 0 returning l.day)
       delete from session_steps s using forgotten f where s.day = f.day and s.step = $4`,
      [VENUE_BASIS_CODE[venueBasis], formatDay(start), formatDay(end), loadStep(venueBasis)],
    );
  }

  private async recordChange(touched: () => TouchedYears): Promise<void> {
    const { venueBasis, start, end } = this.range;
    await countChangedYears(this.connection, venueBasis, civilDate(start).year, civilDate(end).year);
    await this.markStale(touched);
  }

  private async markStale(touched: () => TouchedYears): Promise<void> {
    const venueBasis = VENUE_BASIS_CODE[this.range.venueBasis];
    const seal = await selectSeal(this.connection, this.range.venueBasis);
    if (seal === null || this.range.start > seal) return;
    const { instrumentIds, years } = touched();
    await this.connection.query(
      `insert into bar_blocks (instrument_id, basis, year)
       select id, $1, year from unnest($2::int[], $3::int[]) t (id, year) where year <= extract(year from $4::date)
       on conflict (instrument_id, basis, year) do update set data = null`,
      [venueBasis, instrumentIds, years, formatDay(seal)],
    );
  }
}

/** Pairs of instrument and year, in two parallel arrays. */
export interface TouchedYears {
  readonly instrumentIds: readonly number[];
  readonly years: readonly number[];
}
