/** Accepted and rejected rows of a unit by session, and when too many are rejected. */
import type { LoadedDay } from '../../db/market/bar-load.ts';
import type { RejectedByReason, RejectedRow } from '../../db/queue/sync-units.ts';
import { type Day, formatDay } from '../../engine/market/dates.ts';
import { isTradingDay, UNKNOWN_INSTRUMENT } from '../../engine/market/faults.ts';
import { type FileAccount, isTooMalformed } from '../providers/file-account.ts';

/** A unit has too many malformed rows to be loaded. Rows of unknown instruments do not count as malformed. */
export class TooManyMalformed extends Error {
  override readonly name = 'TooManyMalformed';
  readonly rejected: RejectedByReason;
  readonly rejections: readonly RejectedRow[];
  /** Accounts of what was read, as refused. */
  readonly accounts: readonly FileAccount[];

  constructor(
    malformed: number,
    total: number,
    rejected: RejectedByReason,
    rejections: readonly RejectedRow[],
    accounts: readonly FileAccount[],
  ) {
    const first = rejections.find(({ reason }) => reason !== UNKNOWN_INSTRUMENT);
    const at = first ? `, the first at ${first.source}: ${first.reason}` : '';
    super(describeMalformed(malformed, total) + at);
    this.rejected = rejected;
    this.rejections = rejections;
    this.accounts = accounts;
    for (const account of accounts) account.refuse(this.message);
  }
}

function describeMalformed(malformed: number, total: number): string {
  return `${malformed} of ${total} rows are malformed (${((100 * malformed) / total).toFixed(1)} %, more than 1 %)`;
}

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
