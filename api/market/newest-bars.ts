/** The newest consolidated bars of all instruments, so that quotes do not need the database. */
import { selectNewestBars } from '../../db/market/loaded-sessions.ts';
import type { Queryable } from '../../db/pool.ts';
import type { Day } from '../../engine/market/dates.ts';
import { type BarSeries, BYTES_PER_BAR, sliceSeries } from '../../engine/market/series.ts';

/** The bar of a quote, and the one before it. */
const BARS_OF_QUOTE = 2;
/** One more, which the distribution mode may hold back until midnight. */
const KEPT = BARS_OF_QUOTE + 1;

export class NewestBars {
  /** The instrument of each bar, ascending; the bars of each are oldest first. */
  private readonly ids: Int32Array;
  private readonly bars: BarSeries;

  private constructor(ids: Int32Array, bars: BarSeries) {
    this.ids = ids;
    this.bars = bars;
  }

  static async read(db: Queryable): Promise<NewestBars> {
    const { ids, bars } = await selectNewestBars(db, 'consolidated', KEPT);
    return new NewestBars(ids, bars);
  }

  /** The two newest bars of an instrument through a day, or fewer if it has no more; null if they are not in memory. */
  of(id: number, through: Day): BarSeries | null {
    const { ids, bars } = this;
    const from = this.firstOf(id);
    let to = from;
    while (ids[to] === id) to++;
    const hasAll = to - from < KEPT;
    while (to > from && bars.day[to - 1] > through) to--;
    const count = Math.min(BARS_OF_QUOTE, to - from);
    return count === BARS_OF_QUOTE || hasAll ? sliceSeries(bars, to - count, to) : null;
  }

  has(id: number): boolean {
    return this.ids[this.firstOf(id)] === id;
  }

  /** Their bytes. */
  get bytes(): number {
    return this.bars.length * (BYTES_PER_BAR + Int32Array.BYTES_PER_ELEMENT);
  }

  /** The index of the instrument's first bar, or where it would be inserted. */
  private firstOf(id: number): number {
    let low = 0;
    let high = this.ids.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.ids[middle] < id) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
