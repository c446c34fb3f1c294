/** The calendar of loads: for each session and basis what was expected, what is loaded, and what is missing. */

import { selectProviderRanges } from '../../db/market/provider-ranges.ts';
import { type SessionState, selectSessionStates } from '../../db/market/session-checks.ts';
import type { Queryable } from '../../db/pool.ts';
import { isEarlyClose, sessionsBetween } from '../../engine/market/calendar.ts';
import type { Day } from '../../engine/market/dates.ts';
import { BASES, type Basis } from '../../engine/market/venue-basis.ts';

/**
 * `loaded`; `held`: it looks wrong; `partial`: only some instruments were loaded; `empty`: the provider had none;
 * `missing`: published and not loaded; `unpublished`: the provider does not have it.
 */
export const SESSION_STATUSES = ['loaded', 'held', 'partial', 'empty', 'missing', 'unpublished'] as const;
export type SessionStatus = (typeof SESSION_STATUSES)[number];

export interface CalendarEntry {
  readonly basis: Basis;
  readonly status: SessionStatus;
  /** Rows of the loaded session before it; null: there is none. */
  readonly expected: number | null;
  readonly loaded: number;
  readonly rejected: number;
  readonly missing: number;
  readonly problems: readonly string[];
  readonly releasedBy: string | null;
  readonly loadedAt: Date | null;
}

export interface CalendarDay {
  readonly day: Day;
  readonly isEarlyClose: boolean;
  readonly entries: readonly CalendarEntry[];
}

/** Sessions from `start` to `end`, oldest first, on the bases that there are, or on one. */
export async function readCalendar(db: Queryable, start: Day, end: Day, only?: Basis): Promise<CalendarDay[]> {
  const ranges = new Map((await selectProviderRanges(db)).map((range) => [range.basis, range]));
  const states = new Map<Basis, Map<Day, SessionState>>();
  for (const basis of BASES) states.set(basis, await selectSessionStates(db, basis, start, end));
  const isThere = (basis: Basis) => ranges.has(basis) || (states.get(basis)?.size ?? 0) > 0;
  const bases = BASES.filter((basis) => (only === undefined ? isThere(basis) : basis === only));
  return sessionsBetween(start, end).map((day) => ({
    day,
    isEarlyClose: isEarlyClose(day),
    entries: bases.map((basis) => {
      const range = ranges.get(basis);
      const isPublished = range !== undefined && day >= range.firstSession && day <= range.newestSession;
      return entryOf(basis, states.get(basis)?.get(day), isPublished);
    }),
  }));
}

function entryOf(basis: Basis, state: SessionState | undefined, isPublished: boolean): CalendarEntry {
  const expected = state?.rowsBefore ?? null;
  const loaded = state?.rows ?? 0;
  return {
    basis,
    status: statusOf(state, isPublished),
    expected,
    loaded,
    rejected: state?.rejected ?? 0,
    missing: state && expected !== null ? Math.max(0, expected - loaded) : 0,
    problems: state?.problems ?? [],
    releasedBy: state?.releasedBy ?? null,
    loadedAt: state?.loadedAt ?? null,
  };
}

function statusOf(state: SessionState | undefined, isPublished: boolean): SessionStatus {
  if (!state) return isPublished ? 'missing' : 'unpublished';
  if (state.problems.length > 0 && state.releasedBy === null) return 'held';
  if (!state.isComplete) return 'partial';
  return state.rows === 0 ? 'empty' : 'loaded';
}
