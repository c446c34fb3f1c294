/** A cache of the bars of one version of the data. Concurrent reads share one query. */
import { LRUCache } from 'lru-cache';
import { Batcher } from '../../db/batcher.ts';
import { selectInstrumentsWithBars, selectSeries } from '../../db/market/bars.ts';
import type { Queryable } from '../../db/pool.ts';
import { type BarSeries, BYTES_PER_BAR, EMPTY_SERIES } from '../../engine/market/series.ts';

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
