/** Gaps in the bars of a range: why the bars do not fill it, and which sessions were never loaded. */
import { sessionAtOrBefore } from './calendar.ts';
import type { Day } from './dates.ts';
import { type DayRange, type MissingSessions, type SessionLedger, tradableRange } from './session-ledger.ts';
import type { Lifetime, RangeReason } from './time-range.ts';

export interface GapsInput {
  readonly ledger: SessionLedger;
  /** Days of the bars in the range, ascending; at least one. */
  readonly days: Int32Array;
  /** The requested range (null: open), and the newest day that may be distributed. */
  readonly start: Day | null;
  readonly end: Day | null;
  readonly asOf: Day;
  readonly lifetime: Lifetime;
  /** Reasons that follow from the bars alone. */
  readonly reasons: readonly RangeReason[];
}

export interface HistoryGaps {
  readonly reasons: readonly RangeReason[];
  readonly missingSessions: MissingSessions;
  /** Number of loaded sessions between the first and the last bar without a bar. */
  readonly missingBars: number;
  /** `missingBars` as a fraction of the loaded sessions between the first and the last bar, 0 to 1. */
  readonly missingBarsShare: number;
}

export function gapsOf({ ledger, days, start, end, asOf, lifetime, reasons }: GapsInput): HistoryGaps {
  const [firstBar, lastBar] = [days[0], days[days.length - 1]];
  const lived = tradableRange(start, Math.min(end ?? asOf, asOf), { ...lifetime, firstBar, lastBar });
  const { sessions, withoutBar } = ledger.compare(days);
  const afterStart = startReasons(ledger, reasons, start, { start: lived.start, end: firstBar - 1 });
  return {
    reasons: endReasons(ledger, afterStart, end, { start: lastBar + 1, end: lived.end }),
    missingSessions: ledger.missingBetween(lived.start, lived.end),
    missingBars: withoutBar,
    missingBarsShare: sessions === 0 ? 0 : withoutBar / sessions,
  };
}

/**
 * Reasons why bars begin after `start`, given the gap before the first bar. Missing sessions in the gap add `not_loaded`,
 * which replaces `before_data_start` unless the gap has other sessions before them.
 */
export function startReasons(
  ledger: SessionLedger,
  reasons: readonly RangeReason[],
  start: Day | null,
  gap: DayRange,
): readonly RangeReason[] {
  const missing = ledger.firstMissing(gap.start, gap.end);
  if (missing === null) return reasons;
  const isAll = start === null || sessionAtOrBefore(missing - 1) < start;
  return withNotLoaded(reasons, isAll ? 'before_data_start' : null);
}

/** Why the bars end before the range does. */
function endReasons(
  ledger: SessionLedger,
  reasons: readonly RangeReason[],
  end: Day | null,
  gap: DayRange,
): readonly RangeReason[] {
  const missing = ledger.lastMissing(gap.start, gap.end);
  if (missing === null) return reasons;
  const isAll = end === null || sessionAtOrBefore(end) <= missing;
  return withNotLoaded(reasons, isAll ? 'after_data_end' : null);
}

function withNotLoaded(reasons: readonly RangeReason[], replaced: RangeReason | null): readonly RangeReason[] {
  return [...reasons.filter((reason) => reason !== replaced && reason !== 'not_loaded'), 'not_loaded'];
}
