/** Sessions that loads have covered. */
import { type Day, formatDay, parseDay, requireDay } from '../../engine/market/dates.ts';
import { type BarSeries, EMPTY_SERIES } from '../../engine/market/series.ts';
import { SessionLedger, type VenueBasisSessions } from '../../engine/market/session-ledger.ts';
import { VENUE_BASIS_CODE, type VenueBasis, venueBasisOfCode } from '../../engine/market/venue-basis.ts';
import { type Connection, type Pool, type Queryable, transaction } from '../pool.ts';
import { endLoads } from '../queue/session-steps.ts';
import type { Rows } from '../schema/tables.ts';
import { packed, unpack, unpackIntegers } from './bar-blocks.ts';
import { bumpDataVersion } from './data-versions.ts';
import type { LoadOrigin } from './revisions.ts';

export interface ProviderRange {
  readonly venueBasis: VenueBasis;
  readonly firstSession: Day;
  readonly newestSession: Day;
}

/** Records the published range of each venue basis, and notifies other processes when a range has changed. */
export async function saveProviderRanges(
  pool: Pool,
  provider: string,
  ranges: readonly ProviderRange[],
  checkedAt: Date,
): Promise<void> {
  await transaction(pool, async (connection) => {
    const { rows } = await connection.query(
      `with old as (select * from provider_ranges),
       written as (
         insert into provider_ranges as p (basis, provider, first_session, newest_session, checked_at)
         select basis, $1, first, newest, $2 from unnest($3::int[], $4::date[], $5::date[]) t (basis, first, newest)
         on conflict (basis) do update set provider = excluded.provider, first_session = excluded.first_session,
           newest_session = excluded.newest_session, checked_at = excluded.checked_at
         returning p.basis, p.first_session, p.newest_session)
       select 1 from written w left join old o using (basis)
       where (o.first_session, o.newest_session) is distinct from (w.first_session, w.newest_session) limit 1`,
      [
        provider,
        checkedAt,
        ranges.map((r) => VENUE_BASIS_CODE[r.venueBasis]),
        ranges.map((r) => formatDay(r.firstSession)),
        ranges.map((r) => formatDay(r.newestSession)),
      ],
    );
    if (rows.length > 0) await bumpDataVersion(connection, 'provider');
  });
}

export async function selectProviderRanges(db: Queryable): Promise<ProviderRange[]> {
  const { rows } = await db.query<Rows['provider_ranges']>('select * from provider_ranges');
  return rows.map((row) => ({
    venueBasis: venueBasisOfCode(row.basis),
    firstSession: requireDay(row.first_session),
    newestSession: requireDay(row.newest_session),
  }));
}

/** The newest completely loaded session with bars on a venue basis, up to `through`; null when there is none. */
export async function selectNewestSession(db: Queryable, venueBasis: VenueBasis, through: Day): Promise<Day | null> {
  const { rows } = await db.query<{ day: string | null }>(
    'select max(day) as day from loaded_sessions where basis = $1 and is_complete and rows > 0 and day <= $2',
    [VENUE_BASIS_CODE[venueBasis], formatDay(through)],
  );
  return rows[0].day === null ? null : parseDay(rows[0].day);
}

/** Rows of the newest completely loaded session with bars on a venue basis, up to `through`; null: there is none. */
export async function selectNewestRows(db: Queryable, venueBasis: VenueBasis, through: Day): Promise<number | null> {
  const { rows } = await db.query<Pick<Rows['loaded_sessions'], 'rows'>>(
    'select rows from loaded_sessions where basis = $1 and is_complete and rows > 0 and day <= $2 order by day desc limit 1',
    [VENUE_BASIS_CODE[venueBasis], formatDay(through)],
  );
  return rows[0]?.rows ?? null;
}

/** Completely loaded sessions with bars on a venue basis, ascending. */
export async function selectLoadedSessionsWithBars(db: Queryable, venueBasis: VenueBasis): Promise<Day[]> {
  const { rows } = await db.query<Pick<Rows['loaded_sessions'], 'day'>>(
    'select day from loaded_sessions where basis = $1 and is_complete and rows > 0 order by day',
    [VENUE_BASIS_CODE[venueBasis]],
  );
  return rows.map((row) => requireDay(row.day));
}

/** Completely loaded sessions on a venue basis, ascending, those without bars included. */
export async function selectLoadedSessions(db: Queryable, venueBasis: VenueBasis): Promise<Day[]> {
  const { rows } = await db.query<Pick<Rows['loaded_sessions'], 'day'>>(
    'select day from loaded_sessions where basis = $1 and is_complete order by day',
    [VENUE_BASIS_CODE[venueBasis]],
  );
  return rows.map((row) => requireDay(row.day));
}

export interface SessionRow {
  readonly venueBasis: VenueBasis;
  /** YYYY-MM-DD. */
  readonly day: string;
  readonly rows: number;
  readonly isComplete: boolean;
}

/** All recorded sessions up to `through` (YYYY-MM-DD), by venue basis and day. */
export async function selectSessionRows(db: Queryable, through: string): Promise<SessionRow[]> {
  const { rows } = await db.query<Pick<Rows['loaded_sessions'], 'basis' | 'day' | 'rows' | 'is_complete'>>(
    'select basis, day, rows, is_complete from loaded_sessions where day <= $1 order by basis, day',
    [through],
  );
  return rows.map(({ basis, is_complete: isComplete, ...session }) => ({
    venueBasis: venueBasisOfCode(basis),
    isComplete,
    ...session,
  }));
}

/**
 * Records sessions of a full load that are in no unit of the provider (a folder without a file for that day) as loaded and empty.
 * Otherwise they would stay missing and be requested again. Returns how many were not complete before.
 */
export async function recordEmptySessions(
  connection: Connection,
  venueBasis: VenueBasis,
  sessions: readonly Day[],
  origin: LoadOrigin,
): Promise<number> {
  const { rows } = await connection.query<{ day: string }>(
    `insert into loaded_sessions as l (basis, day, rows, rejected, is_complete)
     select $1, day, 0, 0, true from unnest($2::date[]) t (day)
     on conflict (basis, day) do update set is_complete = true where not l.is_complete returning day`,
    [VENUE_BASIS_CODE[venueBasis], sessions.map(formatDay)],
  );
  const days = rows.map(({ day }) => requireDay(day));
  if (days.length > 0) await endLoads(connection, venueBasis, days, origin);
  return days.length;
}

interface NearTo {
  readonly day: Day;
  /** The newest day that may be served. */
  readonly through: Day;
  /** The first day of consolidated bars; before it, primary-session bars count. */
  readonly consolidatedFrom: Day;
}

/** The completely loaded sessions with bars of spliced histories next to a day: the newest up to it, and the oldest after it. */
export async function selectNearestSessions(
  db: Queryable,
  { day, through, consolidatedFrom }: NearTo,
): Promise<{ readonly before: Day | null; readonly after: Day | null }> {
  const { rows } = await db.query<{ before: string | null; after: string | null }>(
    `select max(day) filter (where day <= $1) as before, min(day) filter (where day > $1) as after
     from loaded_sessions
     where is_complete and rows > 0 and day <= $2 and basis = case when day < $3 then $4::int else $5::int end`,
    [
      formatDay(day),
      formatDay(through),
      formatDay(consolidatedFrom),
      VENUE_BASIS_CODE.primary_session,
      VENUE_BASIS_CODE.consolidated,
    ],
  );
  const toDay = (text: string | null) => (text === null ? null : requireDay(text));
  return { before: toDay(rows[0].before), after: toDay(rows[0].after) };
}

interface NewestOf {
  readonly count: number;
  /** The newest day that may be served. */
  readonly through: Day;
  /** The first day of consolidated bars; before it, primary-session bars count. */
  readonly consolidatedFrom: Day;
}

/** The newest completely loaded sessions with bars of spliced histories, ascending. */
export async function selectNewestSessions(
  db: Queryable,
  { count, through, consolidatedFrom }: NewestOf,
): Promise<Day[]> {
  const { rows } = await db.query<Pick<Rows['loaded_sessions'], 'day'>>(
    `select day from loaded_sessions
     where is_complete and rows > 0 and day <= $1 and basis = case when day < $2 then $3::int else $4::int end
     order by day desc limit $5`,
    [
      formatDay(through),
      formatDay(consolidatedFrom),
      VENUE_BASIS_CODE.primary_session,
      VENUE_BASIS_CODE.consolidated,
      count,
    ],
  );
  return rows.map(({ day }) => requireDay(day)).reverse();
}

export interface SessionLedgers {
  /** Sessions of market data. */
  readonly consolidated: SessionLedger;
  /** Sessions of backtests: primary-session bars before the first consolidated session. */
  readonly spliced: SessionLedger;
}

export async function selectSessionLedgers(db: Queryable): Promise<SessionLedgers> {
  const ranges = await selectProviderRanges(db);
  const sessionsOf = async (venueBasis: VenueBasis): Promise<VenueBasisSessions> => {
    const range = ranges.find((published) => published.venueBasis === venueBasis);
    const published = range ? { start: range.firstSession, end: range.newestSession } : null;
    return { published, complete: await selectLoadedSessions(db, venueBasis) };
  };
  const consolidated = await sessionsOf('consolidated');
  const primary = await sessionsOf('primary_session');
  return {
    consolidated: SessionLedger.ofVenueBasis(consolidated),
    spliced: SessionLedger.spliced(primary, consolidated),
  };
}

/** Bars of many instruments, one after the other by ascending id, those of each oldest first. */
export interface BarsOfMany {
  /** The instrument of each bar. */
  readonly ids: Int32Array;
  readonly bars: BarSeries;
}

const ORDER = 'r.instrument_id, r.day';

/** The newest `count` bars of each instrument, or all that it has. */
export async function selectNewestBars(db: Queryable, venueBasis: VenueBasis, count: number): Promise<BarsOfMany> {
  const { rows } = await db.query<{ ids: Buffer | null; data: Buffer | null }>({
    name: 'select_newest_bars',
    text: `select string_agg(int4send(r.instrument_id), '' order by ${ORDER}) as ids, ${packed(ORDER)} as data
           from instruments i cross join lateral (
             select * from daily_bars where instrument_id = i.id and basis = $1 order by day desc limit $2) r`,
    values: [VENUE_BASIS_CODE[venueBasis], count],
  });
  const [{ ids, data }] = rows;
  if (!ids || !data) return { ids: new Int32Array(0), bars: EMPTY_SERIES };
  return { ids: unpackIntegers(ids), bars: unpack([data]) };
}
