/** Checks of loaded sessions, and the calendar of loaded data. */

import { SHARE_COUNT_KINDS } from '../../engine/market/adjust.ts';
import { type Day, formatDay, requireDay } from '../../engine/market/dates.ts';
import { VENUE_BASIS_CODE, type VenueBasis } from '../../engine/market/venue-basis.ts';
import { type Actor, actorName, actorValues } from '../actors.ts';
import type { AuditedConnection } from '../log/audit-log.ts';
import type { Queryable } from '../pool.ts';
import type { Rows } from '../schema/tables.ts';

/** Figures of a session, and of the loaded session before it (null: there is none). */
export interface SessionFigures {
  readonly rows: number;
  readonly zeroVolume: number;
  readonly rowsBefore: number | null;
  readonly zeroVolumeBefore: number | null;
  /** Prices that have more than doubled or halved since the session before without a share-count event. */
  readonly jumps: number;
}

/** Sessions of a venue basis since a day that were loaded after their last check, or never checked; oldest first. */
export async function selectUncheckedSessions(db: Queryable, venueBasis: VenueBasis, since: Day): Promise<Day[]> {
  const { rows } = await db.query<Pick<Rows['loaded_sessions'], 'day'>>(
    `select l.day from loaded_sessions l left join session_checks c on c.basis = l.basis and c.day = l.day
     where l.basis = $1 and l.is_complete and l.rows > 0 and l.day >= $2
       and (c.day is null or l.loaded_at > c.checked_at) order by l.day`,
    [VENUE_BASIS_CODE[venueBasis], formatDay(since)],
  );
  return rows.map(({ day }) => requireDay(day));
}

export async function selectSessionFigures(db: Queryable, venueBasis: VenueBasis, day: Day): Promise<SessionFigures> {
  const { rows } = await db.query<SessionFigures>(
    `with before as (
       select max(day) as day from loaded_sessions where basis = $1 and day < $2 and is_complete and rows > 0),
     bars as materialized (
       select instrument_id, close, volume from daily_bars where basis = $1 and day = $2),
     bars_before as materialized (
       select d.instrument_id, d.close, d.volume from daily_bars d join before b on b.day = d.day where d.basis = $1)
     select (select count(*) from bars)::int as rows,
       (select count(*) from bars where volume = 0)::int as "zeroVolume",
       (select nullif(count(*), 0) from bars_before)::int as "rowsBefore",
       (select case when count(*) > 0 then count(*) filter (where volume = 0) end from bars_before)::int
         as "zeroVolumeBefore",
       (select count(*) from bars n join bars_before o using (instrument_id)
        where (n.close > 2 * o.close or n.close < o.close / 2) and not exists (
          select from adjustments a, before b where a.instrument_id = n.instrument_id and a.kind = any($3)
            and a.ex_date > b.day and a.ex_date <= $2))::int as jumps`,
    [VENUE_BASIS_CODE[venueBasis], formatDay(day), SHARE_COUNT_KINDS],
  );
  return rows[0];
}

/** Records a check. It revokes the release of an earlier check. */
export async function saveSessionCheck(
  db: Queryable,
  venueBasis: VenueBasis,
  day: Day,
  { rows, rowsBefore, zeroVolume, jumps }: SessionFigures,
  problems: readonly string[],
): Promise<void> {
  await db.query(
    `insert into session_checks (basis, day, rows, rows_before, zero_volume, jumps, problems, checked_at)
     values ($1, $2, $3, $4, $5, $6, $7, now())
     on conflict (basis, day) do update set rows = excluded.rows, rows_before = excluded.rows_before,
       zero_volume = excluded.zero_volume, jumps = excluded.jumps, problems = excluded.problems, released_by = null, released_by_id = null,
       checked_at = excluded.checked_at`,
    [VENUE_BASIS_CODE[venueBasis], formatDay(day), rows, rowsBefore, zeroVolume, jumps, problems],
  );
}

export interface HeldSession {
  readonly day: Day;
  readonly problems: readonly string[];
}

/** Sessions of a venue basis with problems that nobody has released, oldest first. */
export async function selectHeldSessions(db: Queryable, venueBasis: VenueBasis): Promise<HeldSession[]> {
  const { rows } = await db.query<Pick<Rows['session_checks'], 'day' | 'problems'>>(
    `select day, problems from session_checks where basis = $1 and problems <> '{}' and released_by is null order by day`,
    [VENUE_BASIS_CODE[venueBasis]],
  );
  return rows.map(({ day, problems }) => ({ day: requireDay(day), problems }));
}

/** Releases a held session, so that snapshots include it. False when it is not held. */
export async function releaseSession(
  connection: AuditedConnection,
  venueBasis: VenueBasis,
  day: Day,
  by: Actor,
): Promise<boolean> {
  const { rowCount } = await connection.query(
    `with released as (
       update session_checks set released_by_id = $3, released_by = $4
       where basis = $1 and day = $2 and problems <> '{}' and released_by is null returning day),
     checked as (
       update session_steps s set state = 'done', done_at = coalesce(done_at, now()) from released r where s.day = r.day and s.step = 'check')
     select from released`,
    [VENUE_BASIS_CODE[venueBasis], formatDay(day), ...actorValues(by)],
  );
  return rowCount === 1;
}

export interface SessionState {
  readonly day: Day;
  readonly rows: number;
  readonly rejected: number;
  /** Whether a load has covered all instruments. */
  readonly isComplete: boolean;
  readonly loadedAt: Date;
  /** Rows of the newest completely loaded session before it; null: there is none. */
  readonly rowsBefore: number | null;
  readonly problems: readonly string[];
  readonly releasedBy: string | null;
}

/** The loaded sessions of a venue basis from one day to another. */
export async function selectSessionStates(
  db: Queryable,
  venueBasis: VenueBasis,
  start: Day,
  end: Day,
): Promise<Map<Day, SessionState>> {
  const { rows } = await db.query<Omit<SessionState, 'day'> & { readonly day: string }>(
    `select l.day, l.rows, l.rejected, l.is_complete as "isComplete", l.loaded_at as "loadedAt",
       (select b.rows from loaded_sessions b
        where b.basis = l.basis and b.day < l.day and b.is_complete and b.rows > 0 order by b.day desc limit 1)
         as "rowsBefore",
       coalesce(c.problems, '{}') as problems, ${actorName('c', 'released_by')} as "releasedBy"
     from loaded_sessions l left join session_checks c on c.basis = l.basis and c.day = l.day
     where l.basis = $1 and l.day between $2 and $3`,
    [VENUE_BASIS_CODE[venueBasis], formatDay(start), formatDay(end)],
  );
  return new Map(rows.map((row) => [requireDay(row.day), { ...row, day: requireDay(row.day) }]));
}
