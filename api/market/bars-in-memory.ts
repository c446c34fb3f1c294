/** A cache of the bars of one version of the data. Concurrent reads share one query. */
import { LRUCache } from 'lru-cache';
import { Batcher } from '../../db/batcher.ts';
import { selectInstrumentsWithBars, selectSeries } from '../../db/market/bars.ts';
import { selectNewestBars } from '../../db/market/loaded-sessions.ts';
import type { Queryable } from '../../db/pool.ts';
import type { Day } from '../../engine/market/dates.ts';
import { type BarSeries, BYTES_PER_BAR, EMPTY_SERIES, sliceSeries } from '../../engine/market/series.ts';

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

const SERIES_OVERHEAD_BYTES = 200;
/** Instruments that one statement reads at most. */
const MAX_BATCH = 500;
/** Instruments of which it is known whether they have primary-session bars. */
const MAX_KNOWN = 100_000;

export class BarsInMemory {
  private readonly whole: LRUCache<number, BarSeries>;
  private readonly older: LRUCache<number, Older>;

  constructor(db: Queryable, maxBytes: number) {
    this.whole = openSeries(db, maxBytes);
    this.older = openOlder(db);
  }

  /** The consolidated bars of an instrument, oldest first; without a promise if they are in memory. */
  series(id: number): BarSeries | Promise<BarSeries> {
    return this.whole.get(id) ?? this.whole.forceFetch(id);
  }

  /** Bytes of the series in memory. */
  get bytes(): number {
    return this.whole.calculatedSize;
  }

  /** Whether the instrument has primary-session bars. */
  async hasOlder(id: number): Promise<boolean> {
    return (await this.older.forceFetch(id)).exists;
  }
}

/** Whether an instrument has primary-session bars. */
interface Older {
  readonly exists: boolean;
}

function openOlder(db: Queryable): LRUCache<number, Older> {
  const reads = new Batcher<number, Older>({
    max: MAX_BATCH,
    run: async (ids) => {
      const found = await selectInstrumentsWithBars(db, ids, 'primary_session');
      return ids.map((id) => ({ exists: found.has(id) }));
    },
  });
  return new LRUCache({ max: MAX_KNOWN, fetchMethod: (id) => reads.add(id) });
}

/** A series that is evicted while it is read is still returned. */
function openSeries(db: Queryable, maxBytes: number): LRUCache<number, BarSeries> {
  const reads = new Batcher<number, BarSeries>({
    max: MAX_BATCH,
    run: async (ids) => {
      const found = await selectSeries(db, ids, 'consolidated');
      return ids.map((id) => found.get(id) ?? EMPTY_SERIES);
    },
  });
  return new LRUCache({
    maxSize: Math.max(1, maxBytes),
    sizeCalculation: ({ length }) => length * BYTES_PER_BAR + SERIES_OVERHEAD_BYTES,
    fetchMethod: (id) => reads.add(id),
    ignoreFetchAbort: true,
  });
}
