/** Minute bars: resampling for intraday candles, and rebuilding the `primary_session` daily bar. */
import { sessionClose, sessionOpen } from './calendar.ts';
import type { Day, EpochMs } from './dates.ts';

export interface DailyBar {
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
  readonly volume: number;
}

export interface MinuteBar extends DailyBar {
  /** Start of the minute. */
  readonly startMs: EpochMs;
}

export const INTERVALS = ['1m', '5m', '15m', '30m', '60m'] as const;
export type Interval = (typeof INTERVALS)[number];

export function intervalMinutes(interval: Interval): number {
  return Number(interval.slice(0, -1));
}

/** Groups minute bars, oldest first, into bars of `minutes`, aligned to the opening bell of `day`. */
export function resampleMinutes(bars: readonly MinuteBar[], minutes: number, day: Day): MinuteBar[] {
  if (minutes === 1) return [...bars];
  const width = minutes * 60_000;
  const anchor = sessionOpen(day);
  const groups: MinuteBar[] = [];
  for (const bar of bars) {
    const startMs = anchor + Math.floor((bar.startMs - anchor) / width) * width;
    const group = groups.at(-1);
    if (group?.startMs === startMs) groups[groups.length - 1] = mergeBars(group, bar);
    else groups.push({ ...bar, startMs });
  }
  return groups;
}

function mergeBars(earlier: MinuteBar, later: MinuteBar): MinuteBar {
  return {
    startMs: earlier.startMs,
    open: earlier.open,
    high: Math.max(earlier.high, later.high),
    low: Math.min(earlier.low, later.low),
    close: later.close,
    volume: earlier.volume + later.volume,
  };
}

/** The regular hours of a session. */
export interface SessionHours {
  readonly open: EpochMs;
  readonly close: EpochMs;
}

export function sessionHours(day: Day): SessionHours {
  return { open: sessionOpen(day), close: sessionClose(day) };
}

/**
 * Builds the `primary_session` bar of a day from minutes in any order, extended hours included: open = first open, high and
 * low = extremes, volume = sum; close = the official close, else the close of the last minute of the regular session.
 */
export class PrimarySessionBuilder {
  private readonly hours: SessionHours;
  private firstMs = Infinity;
  private lastRegularMs = -Infinity;
  private open = Number.NaN;
  private high = -Infinity;
  private low = Infinity;
  private close: number | undefined;
  private volume = 0;

  constructor(hours: SessionHours) {
    this.hours = hours;
  }

  add(startMs: EpochMs, open: number, high: number, low: number, close: number, volume: number): void {
    if (startMs < this.firstMs) {
      this.firstMs = startMs;
      this.open = open;
    }
    if (startMs >= this.hours.open && startMs < this.hours.close && startMs >= this.lastRegularMs) {
      this.lastRegularMs = startMs;
      this.close = close;
    }
    // `Math.max` propagates NaN, so that an unreadable minute makes the bar of the day invalid.
    this.high = Math.max(this.high, high);
    this.low = Math.min(this.low, low);
    this.volume += volume;
  }

  /** Null without any minute or close. */
  build(officialClose?: number): DailyBar | null {
    const close = officialClose ?? this.close;
    if (this.firstMs === Infinity || close === undefined) return null;
    return { open: this.open, high: this.high, low: this.low, close, volume: this.volume };
  }
}

/** The `primary_session` bar of a day from the minute bars of one instrument; null without any bar or close. */
export function rebuildPrimarySession(bars: readonly MinuteBar[], day: Day, officialClose?: number): DailyBar | null {
  const builder = new PrimarySessionBuilder(sessionHours(day));
  for (const { startMs, open, high, low, close, volume } of bars) builder.add(startMs, open, high, low, close, volume);
  return builder.build(officialClose);
}
