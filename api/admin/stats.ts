/** Statistics of the back office, from figures that were added up by day. Windows are UTC days that end today. */
import { CLIENT_KINDS } from '../../db/access-records.ts';
import { selectBacktestsPerDay } from '../../db/backtests.ts';
import { selectMarketStats } from '../../db/market-stats.ts';
import type { Queryable } from '../../db/pool.ts';
import { selectRegistrationsPerDay } from '../../db/user-list.ts';
import { countUsers } from '../../db/users.ts';
import {
  countActiveUsers,
  countVisitors,
  type DayValue,
  selectApiCalls,
  selectClientVisits,
  selectMeanDuration,
  selectPageViews,
  selectPageVisitors,
  selectTopEndpoints,
} from '../../db/visit-counts.ts';
import { formatDay } from '../../engine/dates.ts';
import { roundTo } from '../../engine/series.ts';
import type { z } from '../fields.ts';
import type { Locale } from '../locale.ts';
import { labelText } from '../messages.ts';
import type { Services } from '../services.ts';
import { lastDays, trendOf } from '../trend.ts';
import type { clientSchema, Metric, overviewSchema, timeseriesSchema } from './stats-schemas.ts';

const TOP_PATHS = 5;
const TOP_ENDPOINTS = 10;
/** Routes whose answer, when it is 200, is a finished backtest. */
const BACKTEST_PATHS = ['/v1/backtest', '/api/backtest', '/api/backtest/run'];

const PER_DAY: Readonly<Record<Metric, (db: Queryable, since: string) => Promise<DayValue[]>>> = {
  pv: selectPageViews,
  uv: selectPageVisitors,
  users: selectRegistrationsPerDay,
  backtests: selectBacktestsPerDay,
  api_calls: selectApiCalls,
};

interface Trend {
  readonly total: number;
  readonly trend: { date: string; value: number }[];
}

async function trend(db: Queryable, metric: Metric, days: readonly string[]): Promise<Trend> {
  const perDay = trendOf(days, await PER_DAY[metric](db, days[0]));
  return { total: perDay.reduce((sum, { value }) => sum + value, 0), trend: perDay };
}

export async function timeseries(
  { pool, now, accessLog }: Services,
  metric: Metric,
  days: number,
): Promise<z.input<typeof timeseriesSchema>> {
  await accessLog.flush();
  const { total, trend: items } = await trend(pool, metric, lastDays(now(), days));
  return { metric, days, total, items };
}

/** One entry for each kind, whether it came or not. */
export async function clients(
  { pool, now, accessLog }: Services,
  days: number,
): Promise<z.input<typeof clientSchema>[]> {
  await accessLog.flush();
  const [since] = lastDays(now(), days);
  const visits = new Map((await selectClientVisits(pool, since, TOP_PATHS)).map((one) => [one.kind, one]));
  const visitors = await countVisitors(pool, since);
  return CLIENT_KINDS.map((kind) => ({
    kind,
    visits: visits.get(kind)?.visits ?? 0,
    unique_visitors: visitors.get(kind) ?? 0,
    unique_users: visits.get(kind)?.users ?? 0,
    top_paths: [...(visits.get(kind)?.topPaths ?? [])],
  }));
}

export async function overview(
  services: Services,
  days: number,
  locale: Locale,
): Promise<z.input<typeof overviewSchema>> {
  const { pool, now, market, accessLog } = services;
  await accessLog.flush();
  const window = lastDays(now(), days);
  const [since] = window;
  const [registrations, views, backtests, calls] = await Promise.all(
    (['users', 'pv', 'backtests', 'api_calls'] as const).map((metric) => trend(pool, metric, window)),
  );
  const endpoints = await selectTopEndpoints(pool, since);
  const meanMs = await selectMeanDuration(pool, BACKTEST_PATHS, since);
  const stock = await selectMarketStats(pool, formatDay(market.maxDay ?? 0));
  return {
    days,
    users: {
      total: await countUsers(pool),
      new: registrations.total,
      active: await countActiveUsers(pool, since),
      trend: registrations.trend,
    },
    visits: { pv: views.total, uv: (await countVisitors(pool, since)).get('page') ?? 0, trend: views.trend },
    backtests: {
      ...backtests,
      avg_duration_ms: meanMs === null ? null : roundTo(meanMs, 1),
      latency_note: meanMs === null ? null : labelText('stats.latency', locale),
    },
    api: {
      calls: calls.total,
      errors: endpoints.reduce((sum, { errors }) => sum + errors, 0),
      trend: calls.trend,
      top_endpoints: endpoints.slice(0, TOP_ENDPOINTS),
    },
    clients: await clients(services, days),
    data: {
      symbols: stock.symbols,
      daily_bars: stock.daily_bars,
      first_date: stock.first_date,
      last_date: stock.last_date,
    },
  };
}
