/** The days on which any of many instruments has a bar. */
import { dayOf } from '../../engine/market/dates.ts';

const FIRST_DAY = dayOf(1900, 1, 1);
const MOST_DAYS = dayOf(2200, 1, 1) - FIRST_DAY;

/** Days from 1900 on. */
export class DaySet {
  private readonly isIn = new Uint8Array(MOST_DAYS);

  add(days: Int32Array): void {
    for (const day of days) this.isIn[day - FIRST_DAY] = 1;
  }

  sorted(): Int32Array {
    const count = this.isIn.reduce((sum, flag) => sum + flag, 0);
    const days = new Int32Array(count);
    let at = 0;
    for (let i = 0; at < count; i++) if (this.isIn[i] === 1) days[at++] = FIRST_DAY + i;
    return days;
  }
}
