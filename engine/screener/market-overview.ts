/** The market at a session: what is counted of it, its largest instruments, and its movers. */
import type { Day } from '../market/dates.ts';

/** Common shares. Funds hold them, so they would count twice. */
export const COUNTED_ASSET_TYPES: readonly string[] = ['stock', 'adr'];
/** Sessions of which an overview is made. */
export const OVERVIEW_SESSIONS = 60;
/** Sessions of an overview's days, its own included. */
export const OVERVIEW_DAYS = 60;
/** Sessions among which the dispersion of the last is ranked. */
export const RANKED_SESSIONS = 252;
/** Instruments of an overview: those with the largest dollar volume. */
export const UNIVERSE_MAX = 500;

/** Figures of an instrument at a session. Null where its history is too short. */
export interface OverviewItem {
  readonly id: number;
  /** As traded. */
  readonly close: number;
  readonly dollarVolume: number;
  readonly dayPct: number | null;
  readonly weekPct: number | null;
  readonly monthPct: number | null;
  readonly ytdPct: number | null;
  readonly yearPct: number | null;
  /** Volume ÷ the mean volume of the 20 bars before. */
  readonly volumeRatio: number | null;
  readonly gapPct: number | null;
  /** Closes in a row above (positive) or below (negative) the one before. */
  readonly streak: number;
}

export const MOVER_MEASURES = ['return', 'volume', 'gap', 'streak'] as const;
export type MoverMeasure = (typeof MOVER_MEASURES)[number];

/** Ids of instruments, the largest mover first. */
export interface Movers {
  readonly rising: readonly number[];
  readonly falling: readonly number[];
}

export interface BreadthDay {
  readonly day: Day;
  readonly rising: number;
  readonly falling: number;
  readonly unchanged: number;
  readonly newHighs: number;
  readonly newLows: number;
}

export interface MarketOverview {
  readonly day: Day;
  readonly counted: number;
  /** Instruments that traded in the week before and have no bar in the session. */
  readonly withoutBar: number;
  readonly medianPct: number | null;
  readonly medianWeekPct: number | null;
  readonly aboveSmaPct: number | null;
  /** Against the session before, in percentage points. */
  readonly aboveSmaChange: number | null;
  readonly dollarVolume: number;
  /** Against the mean of the 20 sessions before. */
  readonly dollarVolumePct: number | null;
  /** Standard deviation of the returns of one day. */
  readonly dispersionPct: number | null;
  /** Percent of the ranked sessions whose dispersion is at most that of this one. */
  readonly dispersionRank: number | null;
  /** Oldest first; the last is that of the overview. */
  readonly days: readonly BreadthDay[];
  /** By dollar volume, largest first. */
  readonly universe: readonly OverviewItem[];
  readonly movers: Readonly<Record<MoverMeasure, Movers>>;
  /** The newest closes of each mover, oldest first, on the share count of the session. */
  readonly sparks: Readonly<Record<number, readonly number[]>>;
}

const MOVERS = 8;

/** The movers of a universe. Equal movers are in the order of the universe. */
export function moversOf(universe: readonly OverviewItem[]): MarketOverview['movers'] {
  const top = (signOf: (item: OverviewItem) => number | null, sizeOf: (item: OverviewItem) => number | null) => {
    const best = (sign: 1 | -1) =>
      universe
        .filter((item) => Math.sign(signOf(item) ?? 0) === sign && sizeOf(item) !== null)
        .sort((a, b) => Math.abs(sizeOf(b) ?? 0) - Math.abs(sizeOf(a) ?? 0))
        .slice(0, MOVERS)
        .map(({ id }) => id);
    return { rising: best(1), falling: best(-1) };
  };
  const dayPct = (item: OverviewItem) => item.dayPct;
  return {
    return: top(dayPct, dayPct),
    volume: top(dayPct, (item) => item.volumeRatio),
    gap: top(
      (item) => item.gapPct,
      (item) => item.gapPct,
    ),
    streak: top(
      (item) => item.streak,
      (item) => item.streak,
    ),
  };
}
