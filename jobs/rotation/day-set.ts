/** The days on which any of many instruments has a bar. */
import { type Day, dayOf } from '../../engine/market/dates.ts';

const FIRST_DAY = dayOf(1900, 1, 1);
const MOST_DAYS = dayOf(2200, 1, 1) - FIRST_DAY;
const NEVER = FIRST_DAY - 1;

/** Days from 1900 on. */
export class DaySet {
  /** The latest last day of the instruments that have a bar on each day. */
  private readonly lasts = new Int32Array(MOST_DAYS).fill(NEVER);

  /** The days of an instrument, ascending. */
  add(days: Int32Array): void {
    const last = days[days.length - 1];
    for (const day of days) if (this.lasts[day - FIRST_DAY] < last) this.lasts[day - FIRST_DAY] = last;
  }

  /** The days of the instruments whose last day is `from` or later. */
  of(from: Day | null): Int32Array {
    const least = from ?? FIRST_DAY;
    const indices = Int32Array.from(this.lasts.keys()).filter((i) => this.lasts[i] >= least);
    return indices.map((i) => FIRST_DAY + i);
  }
}
