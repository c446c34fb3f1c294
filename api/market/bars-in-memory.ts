/** The bars of one version of the data that were used lately. What is asked for in the same moment comes in one query. */
import DataLoader from 'dataloader';
import { LRUCache } from 'lru-cache';
import { Gathered } from '../../db/gathered.ts';
import { selectInstrumentsWithBars, selectSeries } from '../../db/market/bars.ts';
import { selectNewestBars } from '../../db/market/newest-bars.ts';
import type { Queryable } from '../../db/pool.ts';
import type { Day } from '../../engine/market/dates.ts';
import { type BarSeries, BYTES_PER_BAR, EMPTY_SERIES } from '../../engine/market/series.ts';

const SERIES_OVERHEAD_BYTES = 200;
/** The bar of a quote, and the one before it. */
const BARS_OF_QUOTE = 2;
/** Few, because quotes themselves are kept. */
const MAX_NEWEST = 1_000;
/** Instruments of one statement. */
const MAX_GATHERED = 500;

interface NewestBars {
  readonly through: Day;
  readonly cache: LRUCache<number, BarSeries>;
}

export class BarsInMemory {
  private readonly db: Queryable;
  private readonly whole: LRUCache<number, BarSeries>;
  private readonly older: DataLoader<number, boolean>;
  private latest: NewestBars | null = null;

  constructor(db: Queryable, maxBytes: number) {
    this.db = db;
    this.whole = openSeries(db, maxBytes);
    this.older = new DataLoader(async (ids) => {
      const found = await selectInstrumentsWithBars(db, ids, 'primary_session');
      return ids.map((id) => found.has(id));
    });
  }

  /** The consolidated bars of an instrument, oldest first; at once if they are in memory. */
  series(id: number): BarSeries | Promise<BarSeries> {
    return this.whole.get(id) ?? this.whole.forceFetch(id);
  }

  /** The newest two of these bars up to `through`, or more if they are in memory. */
  newest(id: number, through: Day): BarSeries | Promise<BarSeries> {
    const whole = this.whole.get(id);
    if (whole) return whole;
    if (this.latest?.through !== through) this.latest = openNewest(this.db, through);
    return this.latest.cache.forceFetch(id);
  }

  /** Memory of the whole series. */
  get bytes(): number {
    return this.whole.calculatedSize;
  }

  /** Whether the instrument has primary-session bars. */
  hasOlder(id: number): Promise<boolean> {
    return this.older.load(id);
  }
}

/** A series that is evicted while it is read is returned all the same. */
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

function openNewest(db: Queryable, through: Day): NewestBars {
  const gathered = new Gathered<number, BarSeries>({
    max: MAX_GATHERED,
    run: async (ids) => {
      const found = await selectNewestBars(db, ids, 'consolidated', { through, count: BARS_OF_QUOTE });
      return ids.map((id) => found.get(id) ?? EMPTY_SERIES);
    },
  });
  const fetchMethod = (id: number) => gathered.add(id);
  return { through, cache: new LRUCache({ max: MAX_NEWEST, fetchMethod, ignoreFetchAbort: true }) };
}
