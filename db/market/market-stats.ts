/** Counts for `/api/stats` and the metrics. */
import type { Queryable } from '../pool.ts';

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

/** Counts. Daily bars are those of all venue bases up to `limit` (YYYY-MM-DD), counted from the records of loads. */
export async function selectMarketStats(db: Queryable, limit: string): Promise<MarketStats> {
  const { rows } = await db.query<MarketStats>(
    `select (select count(*)::int from instruments) as symbols,
            (select count(*)::int from instruments where delisted_on is not null) as delisted_symbols,
            coalesce(sum(rows), 0)::float8 as daily_bars, (select count(*)::int from users) as users,
            (select count(*)::int from backtests) as backtests,
            (select count(distinct slug)::int from article_texts where status = 'published') as articles,
            min(day) as first_date, max(day) as last_date
     from loaded_sessions where rows > 0 and day <= $1`,
    [limit],
  );
  return rows[0];
}
