/** Statistics of the back office, from daily counts. A window is a number of UTC days that ends today. */

import { selectRegistrationsPerDay } from '../../db/accounts/user-list.ts';
import { countUsers } from '../../db/accounts/users.ts';
import { CLIENT_KINDS } from '../../db/log/access-records.ts';
import {
  type ClientVisits,
  countActiveUsers,
  countVisitors,
  type DayOfCalls,
  type DayValue,
  type EndpointCalls,
  PAGE_VISITORS,
  selectCallsPerDay,
  selectClientVisits,
  selectEndpoints,
  selectPageVisitors,
} from '../../db/log/visit-counts.ts';
import { selectMarketStats } from '../../db/market/market-stats.ts';
import type { Queryable } from '../../db/pool.ts';
import { selectBacktestsPerDay } from '../../db/runs/kept-runs.ts';
import { formatDay } from '../../engine/market/dates.ts';
import { roundTo } from '../../engine/market/series.ts';
import { lastDays } from '../accounts/usage.ts';
import type { z } from '../http/input/fields.ts';
import { labelText } from '../http/language/labels.ts';
import type { Locale } from '../http/language/locale.ts';
import type { Services } from './services.ts';
import type { clientSchema, Metric, overviewSchema, timeseriesSchema } from './stats-schemas.ts';
import { trendOf } from './trend.ts';

const TOP_PATHS = 5;
const TOP_ENDPOINTS = 10;
/** Routes that answer a finished backtest with 200. */
const BACKTEST_PATHS = ['/v1/backtest', '/api/backtest', '/api/backtest/run'];

/** The daily values of each metric since a day. */
const PER_DAY: Readonly<Record<Metric, (db: Queryable, since: string) => Promise<DayValue[]>>> = {
  pv: async (db, since) => pageViews(await selectCallsPerDay(db, since)),
  uv: selectPageVisitors,
  users: selectRegistrationsPerDay,
  backtests: selectBacktestsPerDay,
  api_calls: async (db, since) => apiCalls(await selectCallsPerDay(db, since)),
};

const pageViews = (days: readonly DayOfCalls[]) => days.map(({ day, pageViews: value }) => ({ day, value }));
const apiCalls = (days: readonly DayOfCalls[]) => days.map(({ day, apiCalls: value }) => ({ day, value }));

/** The value of each day of a window, and their sum. */
function summed(window: readonly string[], values: readonly DayValue[]) {
  const trend = trendOf(window, values);
  return { total: trend.reduce((sum, { value }) => sum + value, 0), trend };
}

export async function timeseries(
  { pool, now, accessLog }: Services,
  metric: Metric,
  days: number,
): Promise<z.input<typeof timeseriesSchema>> {
  await accessLog.flush();
  const window = lastDays(now(), days);
  const { total, trend: items } = summed(window, await PER_DAY[metric](pool, window[0]));
  return { metric, days, total, items };
}

export async function clients(
  { pool, now, accessLog }: Services,
  days: number,
): Promise<z.input<typeof clientSchema>[]> {
  await accessLog.flush();
  const [since] = lastDays(now(), days);
  const [visits, visitors] = await Promise.all([
    selectClientVisits(pool, since, TOP_PATHS),
    countVisitors(pool, since),
  ]);
  return clientViews(visits, visitors);
}

/** One entry per kind of client, also for kinds without visits. */
function clientViews(
  visits: readonly ClientVisits[],
  visitors: ReadonlyMap<string, number>,
): z.input<typeof clientSchema>[] {
  const byKind = new Map(visits.map((one) => [one.kind, one]));
  return CLIENT_KINDS.map((kind) => ({
    kind,
    visits: byKind.get(kind)?.visits ?? 0,
    unique_visitors: visitors.get(kind) ?? 0,
    unique_users: byKind.get(kind)?.users ?? 0,
    top_paths: [...(byKind.get(kind)?.topPaths ?? [])],
  }));
}

/** Mean duration of backtests that were answered with 200, in ms; null if there were none. */
function meanDuration(endpoints: readonly EndpointCalls[]): number | null {
  const runs = endpoints.filter(({ method, path }) => method === 'POST' && BACKTEST_PATHS.includes(path));
  const calls = runs.reduce((sum, { timedCalls }) => sum + timedCalls, 0);
  const ms = runs.reduce((sum, { timedMs }) => sum + timedMs, 0);
  return calls === 0 ? null : roundTo(ms / calls, 1);
}

export async function overview(
  { pool, now, market, accessLog }: Services,
  days: number,
  locale: Locale,
): Promise<z.input<typeof overviewSchema>> {
  await accessLog.flush();
  const window = lastDays(now(), days);
  const [since] = window;
  const [calls, endpoints, visits, visitors, registrations, active, total, backtests, stock] = await Promise.all([
    selectCallsPerDay(pool, since),
    selectEndpoints(pool, since),
    selectClientVisits(pool, since, TOP_PATHS),
    countVisitors(pool, since),
    selectRegistrationsPerDay(pool, since),
    countActiveUsers(pool, since),
    countUsers(pool),
    selectBacktestsPerDay(pool, since),
    selectMarketStats(pool, formatDay(market.maxDay ?? 0)),
  ]);
  const users = summed(window, registrations);
  const views = summed(window, pageViews(calls));
  const api = summed(window, apiCalls(calls));
  const apiEndpoints = endpoints.filter(({ isApi }) => isApi);
  const avgMs = meanDuration(endpoints);
  return {
    days,
    users: { total, new: users.total, active, trend: users.trend },
    visits: { pv: views.total, uv: visitors.get(PAGE_VISITORS) ?? 0, trend: views.trend },
    backtests: {
      ...summed(window, backtests),
      avg_duration_ms: avgMs,
      latency_note: avgMs === null ? null : labelText('stats.latency', locale),
    },
    api: {
      calls: api.total,
      errors: apiEndpoints.reduce((sum, { errors }) => sum + errors, 0),
      trend: api.trend,
      top_endpoints: apiEndpoints
        .slice(0, TOP_ENDPOINTS)
        .map(({ method, path, calls: times, errors }) => ({ method, endpoint: path, calls: times, errors })),
    },
    clients: clientViews(visits, visitors),
    data: {
      symbols: stock.symbols,
      daily_bars: stock.daily_bars,
      first_date: stock.first_date,
      last_date: stock.last_date,
    },
  };
}
