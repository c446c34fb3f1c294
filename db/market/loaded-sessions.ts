/** Which sessions loads have covered. */

import { type Day, formatDay, parseDay } from '../../engine/market/dates.ts';
import { BASIS_CODE, type Basis } from '../../engine/market/venue-basis.ts';
import type { Queryable } from '../pool.ts';

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
