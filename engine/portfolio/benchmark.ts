/** What the same money would have made without trading: bought once, never sold, no costs. */
import type { BarSeries } from '../market/series.ts';
import { Cursor, type TradedBars } from './clock.ts';

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

/** The same of one series alone: cash until its first bar from the first session on. */
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
  const cursor = new Cursor(members);
  for (let t = 0; t < clock.length; t++) {
    cursor.moveTo(clock[t]);
    for (let i = 0; i < members.length; i++) {
      const { series, from } = members[i];
      value[t] += share * (cursor.close(i) / series.close[from]);
    }
  }
  return value;
}
