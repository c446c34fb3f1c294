/**
 * Sessions that a history should have, and those of them that are not completely loaded. A session is *missing* when the
 * provider has published it on the venue basis and no load has covered it completely; a load of some symbols covers no
 * session. A loaded session without a bar is not missing.
 */

import { lowerBound } from '../util/values.ts';
import { sessionAtOrBefore, sessionsBetween } from './calendar.ts';
import { type Day, FAR_FUTURE, FAR_PAST } from './dates.ts';
import { CONSOLIDATED_FROM } from './venue-basis.ts';

/** First and last day, both included. */
export interface DayRange {
  readonly start: Day;
  readonly end: Day;
}

export interface MissingSessions {
  readonly count: number;
  /** Runs of consecutive missing sessions, oldest first, at most `MAX_RANGES`. */
  readonly ranges: readonly DayRange[];
}

/** Published and loaded sessions of one venue basis. */
export interface VenueBasisSessions {
  /** First and newest published session; null: the provider has none. */
  readonly published: DayRange | null;
  /** Completely loaded sessions, ascending. */
  readonly complete: readonly Day[];
}

export const MAX_RANGES = 10;

const NOTHING_MISSING: MissingSessions = { count: 0, ranges: [] };

export class SessionLedger {
  /** Ascending. */
  private readonly missing: Int32Array;
  /** For each missing session, the index of the last session of its run. */
  private readonly runEnds: Int32Array;
  /** Completely loaded sessions, ascending. */
  private readonly loaded: Int32Array;

  private constructor(missing: readonly Day[], loaded: readonly Day[]) {
    this.missing = Int32Array.from(missing);
    this.loaded = Int32Array.from(loaded);
    this.runEnds = new Int32Array(missing.length);
    for (let i = missing.length - 1; i >= 0; i--) {
      const isJoined = i + 1 < missing.length && sessionAtOrBefore(missing[i + 1] - 1) === missing[i];
      this.runEnds[i] = isJoined ? this.runEnds[i + 1] : i;
    }
  }

  /** The ledger of a history on one venue basis. */
  static ofVenueBasis(sessions: VenueBasisSessions): SessionLedger {
    return new SessionLedger(missingOf(sessions), sessions.complete);
  }

  /** The ledger of a spliced history: `primary` before the first consolidated session, `consolidated` from then on. */
  static spliced(primary: VenueBasisSessions, consolidated: VenueBasisSessions): SessionLedger {
    const isBefore = (day: Day) => day < CONSOLIDATED_FROM;
    const isAfter = (day: Day) => day >= CONSOLIDATED_FROM;
    return new SessionLedger(
      [...missingOf(primary).filter(isBefore), ...missingOf(consolidated).filter(isAfter)],
      [...primary.complete.filter(isBefore), ...consolidated.complete.filter(isAfter)],
    );
  }

  get isComplete(): boolean {
    return this.missing.length === 0;
  }

  /** The first completely loaded session; null: there is none. */
  get firstLoaded(): Day | null {
    return this.loaded.length === 0 ? null : this.loaded[0];
  }

  /** Missing sessions from `start` to `end`, both included. */
  missingBetween(start: Day, end: Day): MissingSessions {
    const from = lowerBound(this.missing, start);
    const to = lowerBound(this.missing, end + 1);
    if (from >= to) return NOTHING_MISSING;
    const ranges: DayRange[] = [];
    for (let i = from; i < to && ranges.length < MAX_RANGES; ) {
      const last = Math.min(this.runEnds[i], to - 1);
      ranges.push({ start: this.missing[i], end: this.missing[last] });
      i = last + 1;
    }
    return { count: to - from, ranges };
  }

  /** The oldest missing session from `start` to `end`; null: none. */
  firstMissing(start: Day, end: Day): Day | null {
    const at = lowerBound(this.missing, start);
    return at < this.missing.length && this.missing[at] <= end ? this.missing[at] : null;
  }

  /** The newest missing session from `start` to `end`; null: none. */
  lastMissing(start: Day, end: Day): Day | null {
    const at = lowerBound(this.missing, end + 1) - 1;
    return at >= 0 && this.missing[at] >= start ? this.missing[at] : null;
  }

  /** Loaded sessions between the first and the last of `days` (ascending, of one instrument's bars), and those without a bar. */
  compare(days: Int32Array): { readonly sessions: number; readonly withoutBar: number } {
    if (days.length === 0) return { sessions: 0, withoutBar: 0 };
    const from = lowerBound(this.loaded, days[0]);
    const to = lowerBound(this.loaded, days[days.length - 1] + 1);
    let withBar = 0;
    for (let i = 0, at = from; i < days.length && at < to; i++) {
      while (at < to && this.loaded[at] < days[i]) at++;
      if (at < to && this.loaded[at] === days[i]) withBar++;
    }
    return { sessions: to - from, withoutBar: to - from - withBar };
  }
}

function missingOf({ published, complete }: VenueBasisSessions): Day[] {
  if (published === null) return [];
  const loaded = new Set(complete);
  return sessionsBetween(published.start, published.end).filter((day) => !loaded.has(day));
}

/** Listing, delisting, and bars of an instrument. No session outside them can be missing. */
export interface ListingSpan {
  readonly listedOn: Day | null;
  readonly delistedOn: Day | null;
  /** First and last bar in the range; null: none. */
  readonly firstBar: Day | null;
  readonly lastBar: Day | null;
}

/** The part of a range (null: open) in which sessions can be missing for an instrument. Bars take precedence over listing days. */
export function tradableRange(start: Day | null, end: Day, life: ListingSpan): DayRange {
  const { listedOn, delistedOn, firstBar, lastBar } = life;
  const first = Math.min(listedOn ?? FAR_PAST, firstBar ?? FAR_FUTURE);
  const last = Math.max(delistedOn ?? FAR_FUTURE, lastBar ?? FAR_PAST);
  return { start: Math.max(start ?? FAR_PAST, first), end: Math.min(end, last) };
}
