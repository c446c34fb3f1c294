/** The sessions of a portfolio: every day on which any of its instruments has a bar in the range. */
import { civilDate, type Day, weekStart } from '../market/dates.ts';
import { type BarSeries, firstIndexFrom } from '../market/series.ts';

export const REBALANCE_PERIODS = ['none', 'week', 'month', 'quarter'] as const;
export type RebalancePeriod = (typeof REBALANCE_PERIODS)[number];

/** Bars `from` (included) to `to` (excluded) of a series. */
export interface TradedBars {
  readonly series: BarSeries;
  readonly from: number;
  readonly to: number;
  /** Day of the last bar in the range where the series was cut before it; absent: that of the last bar. */
  readonly lastDay?: Day;
}

/** The sessions, oldest first. Every instrument must have at least one bar. */
export function clockOf(instruments: readonly TradedBars[]): Int32Array {
  const first = Math.min(...instruments.map(({ series, from }) => series.day[from]));
  const last = Math.max(...instruments.map(({ series, to }) => series.day[to - 1]));
  const isSession = new Uint8Array(last - first + 1);
  for (const { series, from, to } of instruments) {
    for (let index = from; index < to; index++) isSession[series.day[index] - first] = 1;
  }
  const days = new Int32Array(isSession.reduce((sum, flag) => sum + flag, 0));
  let count = 0;
  for (let offset = 0; offset < isSession.length; offset++) if (isSession[offset]) days[count++] = first + offset;
  return days;
}

/** Periods of target weights, and of the money that goes in and out of them. */
export const TARGET_PERIODS = [...REBALANCE_PERIODS, 'year'] as const;
export type TargetPeriod = (typeof TARGET_PERIODS)[number];

const PERIOD_OF: Readonly<Record<Exclude<TargetPeriod, 'none'>, (day: Day) => number>> = {
  week: weekStart,
  month: (day) => {
    const { year, month } = civilDate(day);
    return 12 * year + month;
  },
  quarter: (day) => {
    const { year, month } = civilDate(day);
    return 4 * year + Math.ceil(month / 3);
  },
  year: (day) => civilDate(day).year,
};

/** 1 at each session that is the last of its period; 0 at the last session of all, whose period is not known to be over. */
export function periodEnds(clock: Int32Array, period: TargetPeriod): Uint8Array {
  const ends = new Uint8Array(clock.length);
  if (period === 'none') return ends;
  const periodOf = PERIOD_OF[period];
  for (let t = 0; t + 1 < clock.length; t++) ends[t] = Number(periodOf(clock[t]) !== periodOf(clock[t + 1]));
  return ends;
}

/** The last bar of each instrument so far, and whether it is today's. */
export class Cursor {
  private readonly instruments: readonly TradedBars[];
  /** Index of the last bar so far in the instrument's series; the one before its first bar of the range at the start. */
  readonly index: Int32Array;
  /** 1 where the instrument has a bar in this session. */
  readonly isTraded: Uint8Array;
  /** The instruments that are followed. */
  private moving: Int32Array;

  /** `isIdle`: none is followed until `follow` is called; else all that have bars. */
  constructor(instruments: readonly TradedBars[], isIdle = false) {
    this.instruments = instruments;
    const all = isIdle ? new Int32Array(0) : Int32Array.from(instruments.keys());
    this.moving = all.filter((i) => instruments[i].from < instruments[i].to);
    this.index = Int32Array.from(instruments, ({ from }) => from - 1);
    this.isTraded = new Uint8Array(instruments.length);
  }

  /** Sessions must be visited in order, without gaps. */
  moveTo(day: Day): void {
    const { instruments, index, isTraded, moving } = this;
    for (const i of moving) {
      const { series, to } = instruments[i];
      const next = index[i] + 1;
      const isToday = next < to && series.day[next] === day;
      isTraded[i] = Number(isToday);
      if (isToday) index[i] = next;
    }
  }

  /** Follows only some instruments from a session on, which was moved to. */
  follow(some: readonly number[], day: Day): void {
    const { instruments, index, isTraded } = this;
    for (const i of some) {
      const { series, from, to } = instruments[i];
      index[i] = Math.min(Math.max(firstIndexFrom(series, day + 1), from), to) - 1;
      isTraded[i] = Number(index[i] >= from && series.day[index[i]] === day);
    }
    this.moving = Int32Array.from(some);
  }

  /** Whether the range holds no later bar of an instrument. */
  isOver(i: number): boolean {
    const { series, to, lastDay } = this.instruments[i];
    return this.index[i] === to - 1 && (lastDay === undefined || series.day[to - 1] === lastDay);
  }

  /** Close of the instrument's last bar so far. */
  close(i: number): number {
    return this.instruments[i].series.close[this.index[i]];
  }
}
