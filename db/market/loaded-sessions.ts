/** Sessions that loads have covered. */

import { type Day, formatDay, parseDay, requireDay } from '../../engine/market/dates.ts';
import { VENUE_BASIS_CODE, type VenueBasis, venueBasisOfCode } from '../../engine/market/venue-basis.ts';
import type { Queryable } from '../pool.ts';
import type { Rows } from '../tables.ts';

/** Newest session of a basis that is fully loaded, has bars, and is not after `limit`; null when there is none. */
export async function selectNewestSession(db: Queryable, venueBasis: VenueBasis, limit: Day): Promise<Day | null> {
  const { rows } = await db.query<{ day: string | null }>(
    'select max(day) as day from loaded_sessions where basis = $1 and is_complete and rows > 0 and day <= $2',
    [VENUE_BASIS_CODE[venueBasis], formatDay(limit)],
  );
  return rows[0].day === null ? null : parseDay(rows[0].day);
}

/** Sessions of a basis that are fully loaded and have bars, ascending. */
export async function selectLoadedSessionsWithBars(db: Queryable, venueBasis: VenueBasis): Promise<Day[]> {
  const { rows } = await db.query<Pick<Rows['loaded_sessions'], 'day'>>(
    'select day from loaded_sessions where basis = $1 and is_complete and rows > 0 order by day',
    [VENUE_BASIS_CODE[venueBasis]],
  );
  return rows.map((row) => requireDay(row.day));
}

/** Sessions of a basis that full loads have covered, ascending, the ones without bars included. */
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
