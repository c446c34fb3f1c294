/** Accepted and rejected rows of a unit by session. */
import type { LoadedDay } from '../../db/market/bar-load.ts';
import { isTradingDay } from '../../engine/market/bar-faults.ts';
import { type Day, formatDay } from '../../engine/market/dates.ts';
import { isTooMalformed } from '../providers/file-account.ts';
import { describeMalformed } from './too-many-malformed.ts';

/** Sessions that a text lists. */
const MAX_NAMED = 5;

export class SessionCounts {
  private readonly start: Day;
  private readonly accepted: Int32Array;
  private readonly rejected: Int32Array;
  private readonly malformed: Int32Array;

  constructor(start: Day, end: Day) {
    const days = end - start + 1;
    this.start = start;
    this.accepted = new Int32Array(days);
    this.rejected = new Int32Array(days);
    this.malformed = new Int32Array(days);
  }

  accept(dayIndex: number): void {
    this.accepted[dayIndex]++;
  }

  withdraw(day: Day): void {
    this.accepted[day - this.start]--;
  }

  /** Rows of days outside the unit are not counted. */
  reject(dayIndex: number, isMalformed: boolean): void {
    if (dayIndex < 0 || dayIndex >= this.rejected.length) return;
    this.rejected[dayIndex]++;
    if (isMalformed) this.malformed[dayIndex]++;
  }

  sessions(): LoadedDay[] {
    const days: LoadedDay[] = [];
    for (let at = 0; at < this.accepted.length; at++) {
      const day = this.start + at;
      if (!isTradingDay(day)) continue;
      days.push({ day, rows: this.accepted[at], rejected: this.rejected[at], malformed: this.malformed[at] });
    }
    return days;
  }
}

export function isSessionMalformed({ rows, rejected, malformed }: LoadedDay): boolean {
  return isTooMalformed(malformed, rows + rejected);
}

/** `2024-07-03 (5 of 405 rows are malformed …)` of the first sessions. */
export function nameSessions(bad: readonly LoadedDay[]): string {
  const named = bad.slice(0, MAX_NAMED).map(({ day, rows, rejected, malformed }) => {
    return `${formatDay(day)} (${describeMalformed(malformed, rows + rejected)})`;
  });
  const more = bad.length > MAX_NAMED ? ` and ${bad.length - MAX_NAMED} more` : '';
  return `${named.join(', ')}${more}`;
}
