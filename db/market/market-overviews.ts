/** The market at each of the newest sessions, as the snapshot job has computed it. */
import { type Day, formatDay, requireDay } from '../../engine/market/dates.ts';
import type { MarketOverview } from '../../engine/screener/market-overview.ts';
import { type Pool, type Queryable, transaction } from '../pool.ts';

/** Replaces all overviews at once, so that readers never see those of two builds. */
export async function replaceMarketOverviews(
  pool: Pool,
  format: number,
  overviews: readonly MarketOverview[],
): Promise<void> {
  await transaction(pool, async (connection) => {
    await connection.query('delete from market_overviews');
    for (const overview of overviews) {
      await connection.query('insert into market_overviews (day, format, overview) values ($1, $2, $3)', [
        formatDay(overview.day),
        format,
        JSON.stringify(overview),
      ]);
    }
  });
}

export interface FoundOverview {
  readonly overview: MarketOverview;
  /** The sessions before and after it that have an overview. */
  readonly previous: Day | null;
  readonly next: Day | null;
}

/** The overview of a session, or the newest; null: there is none. */
export async function selectMarketOverview(
  db: Queryable,
  format: number,
  day: Day | null,
): Promise<FoundOverview | null> {
  const { rows } = await db.query<{ overview: MarketOverview; previous: string | null; next: string | null }>(
    `select overview, (select max(day) from market_overviews where day < o.day) as previous,
       (select min(day) from market_overviews where day > o.day) as next
     from market_overviews o where format = $1 and ($2::date is null or day = $2) order by day desc limit 1`,
    [format, day === null ? null : formatDay(day)],
  );
  if (rows.length === 0) return null;
  const [{ overview, previous, next }] = rows;
  const toDay = (text: string | null) => (text === null ? null : requireDay(text));
  return { overview, previous: toDay(previous), next: toDay(next) };
}

/** The session with an overview that is nearest to a day, of two the older one; null: there is none. */
export async function selectNearestOverview(db: Queryable, format: number, day: Day): Promise<Day | null> {
  const { rows } = await db.query<{ day: string }>(
    'select day from market_overviews where format = $1 order by abs(day - $2::date), day limit 1',
    [format, formatDay(day)],
  );
  return rows.length === 0 ? null : requireDay(rows[0].day);
}
