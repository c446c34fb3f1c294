/** Minute bars: resampling for intraday candles, and rebuilding the `primary_session` daily bar. */
import { sessionClose, sessionOpen } from './calendar.ts';
import type { Day, EpochMs } from './dates.ts';

export interface MinuteBar {
  /** Start of the minute. */
  readonly startMs: EpochMs;
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
  readonly volume: number;
}

export interface DailyBar {
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
  readonly volume: number;
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

/**
 * The `primary_session` bar of a day from the primary venue's minute bars, extended hours included: open = first open,
 * high and low = extremes, volume = sum; close = the official close, else the close of the last minute of the regular
 * session. Null without any bar or close. `bars` must be oldest first.
 */
export function rebuildPrimarySession(bars: readonly MinuteBar[], day: Day, officialClose?: number): DailyBar | null {
  if (bars.length === 0) return null;
  const regular = bars.filter((bar) => bar.startMs >= sessionOpen(day) && bar.startMs < sessionClose(day));
  const close = officialClose ?? regular.at(-1)?.close;
  if (close === undefined) return null;
  const { open } = bars[0];
  let { high, low } = bars[0];
  let volume = 0;
  for (const bar of bars) {
    high = Math.max(high, bar.high);
    low = Math.min(low, bar.low);
    volume += bar.volume;
  }
  return { open, high, low, close, volume };
}
