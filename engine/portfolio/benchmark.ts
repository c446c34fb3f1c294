/** Returns of the same money without trading: bought once, never sold, no costs. */
import type { BarSeries } from '../market/series.ts';
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
  let index = -1;
  let bought = -1;
  for (let t = 0; t < clock.length; t++) {
    while (index + 1 < series.length && series.day[index + 1] <= clock[t]) {
      index++;
      if (bought < 0 && series.day[index] >= clock[0]) bought = index;
    }
    if (bought >= 0) value[t] = initialCapital * (series.close[index] / series.close[bought]);
  }
  return value;
}

function heldValue(members: readonly TradedBars[], clock: Int32Array, initialCapital: number): Float64Array {
  const value = new Float64Array(clock.length);
  const share = initialCapital / members.length;
  for (const { series, from, to } of members) {
    const units = share / series.close[from];
    let index = from;
    for (let t = 0; t < clock.length; t++) {
      if (index + 1 < to && series.day[index + 1] <= clock[t]) index++;
      value[t] += units * series.close[index];
    }
  }
  return value;
}
