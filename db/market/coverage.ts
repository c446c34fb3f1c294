/** How much market data is loaded. */

import { formatDay } from '../../engine/market/dates.ts';
import { BYTES_PER_BAR } from '../../engine/market/series.ts';
import { type VenueBasis, venueBasisOfCode } from '../../engine/market/venue-basis.ts';
import type { Queryable } from '../pool.ts';
import type { Rows } from '../schema/tables.ts';
import { selectSeal, YEAR_END, YEAR_START } from './bar-blocks.ts';

export interface Coverage {
  readonly venueBasis: VenueBasis;
  /** Instruments with at least one bar. */
  readonly symbols: number;
  readonly rows: number;
  readonly firstDate: string;
  readonly lastDate: string;
  /** Instruments with at least 250 bars. */
  readonly symbols250: number;
}

type Counts = Pick<Coverage, 'symbols' | 'rows' | 'symbols250'>;

/** Bars per instrument on a venue basis ($1), counted from the rows. */
const COUNTED_FROM_ROWS = 'select instrument_id, count(*) as n from daily_bars where basis = $1 group by instrument_id';

/** Counts bars by the sizes of packed years. Rows are read for stale years and after the seal ($2). */
const COUNTED_FROM_BLOCKS = `
  select instrument_id, sum(n) as n from (
    select instrument_id, octet_length(data) / ${BYTES_PER_BAR} as n from bar_blocks
    where basis = $1 and data is not null
    union all
    select b.instrument_id, count(*) from bar_blocks b join daily_bars d on d.instrument_id = b.instrument_id
      and d.basis = b.basis and d.day between ${YEAR_START} and least(${YEAR_END}, $2::date)
    where b.basis = $1 and b.data is null group by b.instrument_id
    union all
    select instrument_id, count(*) from daily_bars where basis = $1 and day > $2::date group by instrument_id) pieces
  group by instrument_id having sum(n) > 0`;

const coverageFrom = (counted: string) => `
  select count(*) as symbols, coalesce(sum(n), 0)::bigint as rows, count(*) filter (where n >= 250) as symbols250
  from (${counted}) per_instrument`;

/** Counts every bar of every venue basis. Takes seconds for a whole market that is not packed. */
export async function selectCoverage(db: Queryable): Promise<Coverage[]> {
  const { rows: loaded } = await db.query<{ basis: number; firstDate: string; lastDate: string }>(
    `select basis, min(day) as "firstDate", max(day) as "lastDate" from loaded_sessions where rows > 0
     group by basis order by basis`,
  );
  const coverage: Coverage[] = [];
  for (const { basis: code, ...dates } of loaded) {
    const venueBasis = venueBasisOfCode(code);
    const seal = await selectSeal(db, venueBasis);
    const { rows } = await (seal === null
      ? db.query<Counts>(coverageFrom(COUNTED_FROM_ROWS), [code])
      : db.query<Counts>(coverageFrom(COUNTED_FROM_BLOCKS), [code, formatDay(seal)]));
    coverage.push({ venueBasis, ...dates, ...rows[0] });
  }
  return coverage;
}

/** Bars of an instrument on one venue basis. */
export interface LoadedBars {
  readonly venueBasis: VenueBasis;
  readonly rows: number;
  readonly firstDate: string;
  readonly lastDate: string;
}

/** The loaded bars of instruments, by id, without instruments that have none. */
export async function selectLoadedBars(db: Queryable, ids: readonly number[]): Promise<Map<number, LoadedBars[]>> {
  const { rows } = await db.query<Omit<LoadedBars, 'venueBasis'> & Pick<Rows['daily_bars'], 'basis'> & { id: number }>(
    `select instrument_id as id, basis, count(*) as rows, min(day) as "firstDate", max(day) as "lastDate"
     from daily_bars where instrument_id = any($1) group by 1, 2 order by 1, 2`,
    [ids],
  );
  const bars = rows.map(({ basis, ...row }) => ({ ...row, venueBasis: venueBasisOfCode(basis) }));
  return Map.groupBy(bars, ({ id }) => id);
}

export interface MarketStats {
  readonly symbols: number;
  readonly delisted_symbols: number;
  readonly daily_bars: number;
  readonly users: number;
  readonly backtests: number;
  readonly articles: number;
  readonly first_date: string | null;
  readonly last_date: string | null;
}

/** Counts for `/api/stats` and the metrics. Daily bars: of all venue bases up to `through` (YYYY-MM-DD), by the records of loads. */
export async function selectMarketStats(db: Queryable, through: string): Promise<MarketStats> {
  const { rows } = await db.query<MarketStats>(
    `select (select count(*)::int from instruments) as symbols,
            (select count(*)::int from instruments where delisted_on is not null) as delisted_symbols,
            coalesce(sum(rows), 0)::float8 as daily_bars, (select count(*)::int from users) as users,
            (select count(*)::int from backtests) as backtests,
            (select count(distinct slug)::int from article_texts where status = 'published') as articles,
            min(day) as first_date, max(day) as last_date
     from loaded_sessions where rows > 0 and day <= $1`,
    [through],
  );
  return rows[0];
}
