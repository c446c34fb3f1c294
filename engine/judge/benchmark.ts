/** The benchmark of a record, on the days of the record. */
import type { Day } from '../market/dates.ts';
import type { Stream } from './streams.ts';

/** The value of what was held at the end of each of its days, ascending. */
export interface HeldValue {
  readonly day: Int32Array;
  readonly value: Float64Array;
}

export interface HeldReturns {
  readonly returns: Float64Array;
  /** Periods in which it has no day; it returned 0 in them. */
  readonly gaps: number;
}

/** A stream as something to hold: bought before its first return. */
export function valueOfStream({ base, days, returns }: Stream): HeldValue {
  const value = new Float64Array(days.length + 1).fill(1);
  for (let t = 0; t < returns.length; t++) value[t + 1] = value[t] * (1 + returns[t]);
  return { day: Int32Array.of(base, ...days), value };
}

/** Returns from each of `days` to the next one, the first of them from `base` on. */
export function heldReturns({ day, value }: HeldValue, days: Int32Array, base: Day): HeldReturns {
  const returns = new Float64Array(days.length);
  let gaps = 0;
  let at = -1;
  while (at + 1 < day.length && day[at + 1] <= base) at++;
  for (let t = 0; t < days.length; t++) {
    let last = at;
    while (last + 1 < day.length && day[last + 1] <= days[t]) last++;
    // A benchmark that begins within the period was bought at the end of it.
    if (last === at || at < 0) gaps++;
    else if (value[at] !== 0) returns[t] = value[last] / value[at] - 1;
    at = last;
  }
  return { returns, gaps };
}
