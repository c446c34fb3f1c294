/** Returns of the same money without trading, no costs: bought once and never sold, or in equal parts every day. */
import { type BarSeries, heldPrices } from '../market/series.ts';
import type { TradedBars } from './clock.ts';

/** Equal amounts in all instruments that have a bar on the first session. */
export const EQUAL_WEIGHT = 'equal_weight';

/** Value at each session of equal amounts in all instruments that have a bar on the first one, bought at its close. */
export function equalWeightValue(
  instruments: readonly TradedBars[],
  clock: Int32Array,
  initialCapital: number,
): Float64Array {
  const members = instruments.filter(({ series, from }) => series.day[from] === clock[0]);
  return heldValue(members, clock, initialCapital);
}

/** Value of one series alone: cash until its first bar on or after the first session. */
export function singleValue(series: BarSeries, clock: Int32Array, initialCapital: number): Float64Array {
  const value = new Float64Array(clock.length).fill(initialCapital);
  const close = heldPrices(series);
  let index = -1;
  let bought = -1;
  for (let t = 0; t < clock.length; t++) {
    while (index + 1 < series.length && series.day[index + 1] <= clock[t]) {
      index++;
      if (bought < 0 && series.day[index] >= clock[0]) bought = index;
    }
    if (bought >= 0) value[t] = initialCapital * (close[index] / series.close[bought]);
  }
  return value;
}

/** Equal amounts in all instruments with a bar, on every session anew. */
export const EQUAL_WEIGHT_DAILY = 'equal_weight_daily';

/** Sums of the returns of many instruments at each session, and how many of them had one. */
export class DailyReturns {
  readonly sum: Float64Array;
  readonly count: Int32Array;
  private readonly clock: Int32Array;

  constructor(clock: Int32Array) {
    this.clock = clock;
    this.sum = new Float64Array(clock.length);
    this.count = new Int32Array(clock.length);
  }

  /** Adds the returns of an instrument from own bar to own bar; the first of them may be on a bar before the range. */
  add({ series, from, to }: TradedBars): void {
    const { clock, sum, count } = this;
    const { day, close } = series;
    const held = heldPrices(series);
    let t = 0;
    for (let index = Math.max(1, from); index < to; index++) {
      while (t < clock.length && clock[t] < day[index]) t++;
      if (t === clock.length) return;
      if (clock[t] !== day[index]) continue;
      sum[t] += held[index] / close[index - 1] - 1;
      count[t]++;
    }
  }
}

/** The mean return at each session, 0 on the first one and where there is none. */
export function dailyMeans({ sum, count }: Pick<DailyReturns, 'sum' | 'count'>): Float64Array {
  return sum.map((total, t) => (t === 0 || count[t] === 0 ? 0 : total / count[t]));
}

/** Returns of what a portfolio is measured against: the mean of its instruments that have a bar, every session anew. */
export function equalWeightReturns(instruments: readonly TradedBars[], clock: Int32Array): Float64Array {
  const returns = new DailyReturns(clock);
  for (const one of instruments) returns.add(one);
  return dailyMeans(returns);
}

/** Returns of holding what has these values, 0 on the first bar; no costs. */
export function holdingReturns(held: Float64Array): Float64Array {
  return held.map((price, t) => (t === 0 ? 0 : price / held[t - 1] - 1));
}

function heldValue(members: readonly TradedBars[], clock: Int32Array, initialCapital: number): Float64Array {
  const value = new Float64Array(clock.length);
  const share = initialCapital / members.length;
  for (const { series, from, to } of members) {
    const units = share / series.close[from];
    const held = heldPrices(series);
    let index = from;
    for (let t = 0; t < clock.length; t++) {
      if (index + 1 < to && series.day[index + 1] <= clock[t]) index++;
      value[t] += units * held[index];
    }
  }
  return value;
}
