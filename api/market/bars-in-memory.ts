/** A cache of the bars of one version of the data. Concurrent reads share one query. */
import DataLoader from 'dataloader';
import { LRUCache } from 'lru-cache';
import { selectInstrumentsWithBars, selectSeries } from '../../db/market/bars.ts';
import type { Queryable } from '../../db/pool.ts';
import { type BarSeries, BYTES_PER_BAR, EMPTY_SERIES } from '../../engine/market/series.ts';

const SERIES_OVERHEAD_BYTES = 200;

export class BarsInMemory {
  private readonly whole: LRUCache<number, BarSeries>;
  private readonly older: DataLoader<number, boolean>;

  constructor(db: Queryable, maxBytes: number) {
    this.whole = openSeries(db, maxBytes);
    this.older = new DataLoader(async (ids) => {
      const found = await selectInstrumentsWithBars(db, ids, 'primary_session');
      return ids.map((id) => found.has(id));
    });
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
  hasOlder(id: number): Promise<boolean> {
    return this.older.load(id);
  }
}

/** A series that is evicted while it is read is still returned. */
function openSeries(db: Queryable, maxBytes: number): LRUCache<number, BarSeries> {
  const loader = new DataLoader<number, BarSeries>(
    async (ids) => {
      const found = await selectSeries(db, ids, 'consolidated');
      return ids.map((id) => found.get(id) ?? EMPTY_SERIES);
    },
    { cache: false },
  );
  return new LRUCache({
    maxSize: Math.max(1, maxBytes),
    sizeCalculation: ({ length }) => length * BYTES_PER_BAR + SERIES_OVERHEAD_BYTES,
    fetchMethod: (id) => loader.load(id),
    ignoreFetchAbort: true,
  });
}
