/** The calendar of loads: expected, loaded, and missing rows for each session and venue basis. */
import { selectProviderRanges } from '../../db/market/loaded-sessions.ts';
import { type SessionState, selectSessionStates } from '../../db/market/session-checks.ts';
import type { Queryable } from '../../db/pool.ts';
import { isEarlyClose, sessionsBetween } from '../../engine/market/calendar.ts';
import type { Day } from '../../engine/market/dates.ts';
import { VENUE_BASES, type VenueBasis } from '../../engine/market/venue-basis.ts';

/**
 * `held`: it looks wrong; `partial`: only some instruments were loaded; `empty`: the provider had no bars; `missing`:
 * published and not loaded; `unpublished`: the provider does not have it.
 */
export const SESSION_STATUSES = ['loaded', 'held', 'partial', 'empty', 'missing', 'unpublished'] as const;
export type SessionStatus = (typeof SESSION_STATUSES)[number];

export interface CalendarEntry {
  readonly venueBasis: VenueBasis;
  readonly status: SessionStatus;
  /** Rows of the previous loaded session; null: there is none. */
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

/** Sessions from `start` to `end`, oldest first, on every venue basis that has data, or on `only`. */
export async function readCalendar(db: Queryable, start: Day, end: Day, only?: VenueBasis): Promise<CalendarDay[]> {
  const ranges = new Map((await selectProviderRanges(db)).map((range) => [range.venueBasis, range]));
  const states = new Map<VenueBasis, Map<Day, SessionState>>();
  for (const venueBasis of VENUE_BASES) states.set(venueBasis, await selectSessionStates(db, venueBasis, start, end));
  const isThere = (venueBasis: VenueBasis) => ranges.has(venueBasis) || (states.get(venueBasis)?.size ?? 0) > 0;
  const venueBases = VENUE_BASES.filter((venueBasis) =>
    only === undefined ? isThere(venueBasis) : venueBasis === only,
  );
  return sessionsBetween(start, end).map((day) => ({
    day,
    isEarlyClose: isEarlyClose(day),
    entries: venueBases.map((venueBasis) => {
      const range = ranges.get(venueBasis);
      const isPublished = range !== undefined && day >= range.firstSession && day <= range.newestSession;
      return entryOf(venueBasis, states.get(venueBasis)?.get(day), isPublished);
    }),
  }));
}

function entryOf(venueBasis: VenueBasis, state: SessionState | undefined, isPublished: boolean): CalendarEntry {
  const expected = state?.rowsBefore ?? null;
  const loaded = state?.rows ?? 0;
  return {
    venueBasis,
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
