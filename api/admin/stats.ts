/** Statistics from daily counts: `/api/admin/stats`. A window is a number of UTC days that ends today. */
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
import { selectMarketStats } from '../../db/market/coverage.ts';
import type { Queryable } from '../../db/pool.ts';
import { selectBacktestsPerDay } from '../../db/runs/kept-runs.ts';
import { formatDay } from '../../engine/market/dates.ts';
import { roundTo } from '../../engine/market/series.ts';
import { lastDays } from '../accounts/profile.ts';
import type { Route } from '../call/route.ts';
import { queryInteger, z } from '../http/input/fields.ts';
import { labelText } from '../http/language/labels.ts';
import type { Locale } from '../http/language/locale.ts';
import { day } from '../market/schemas.ts';
import { defineRoute, type Services } from './services.ts';

export const trendSchema = z.array(z.object({ date: z.iso.date(), value: z.number() })).meta({
  description: 'One entry per day, oldest first, including days with 0',
});

/** The sum of the values of each day; 0 for a day without values. */
export function trendOf(
  days: readonly string[],
  values: readonly { readonly day: string; readonly value: number }[],
): z.input<typeof trendSchema> {
  const perDay = new Map(days.map((day) => [day, 0]));
  for (const { day, value } of values) {
    const sum = perDay.get(day);
    if (sum !== undefined) perDay.set(day, sum + value);
  }
  return [...perDay].map(([date, value]) => ({ date, value }));
}

const METRICS = ['pv', 'uv', 'users', 'backtests', 'api_calls'] as const;
type Metric = (typeof METRICS)[number];

const clientSchema = z
  .object({
    kind: z.enum(CLIENT_KINDS),
    visits: z.int().meta({ description: 'Requests of every kind, page views included' }),
    unique_visitors: z.int().meta({
      description: 'Visitors without `X-Visitor-Id` are distinguished by a hash of IP address and User-Agent',
    }),
    unique_users: z.int().meta({ description: 'Signed-in accounts' }),
    top_paths: z.array(z.object({ path: z.string(), visits: z.int() })).max(5),
  })
  .meta({ id: 'ClientVisits' });

const timeseriesSchema = z.object({
  metric: z.enum(METRICS),
  days: z.int(),
  total: z
    .int()
    .meta({ description: 'The sum of the daily values. For `uv` it is not the number of different visitors' }),
  items: trendSchema,
});

const overviewSchema = z.object({
  days: z.int(),
  users: z.object({
    total: z.int(),
    new: z.int().meta({ description: 'Registered in the window' }),
    active: z.int().meta({ description: 'Accounts that made a request in the window' }),
    trend: trendSchema,
  }),
  visits: z.object({
    pv: z.int().meta({ description: 'Page views' }),
    uv: z.int().meta({ description: 'Different visitors in the window' }),
    trend: trendSchema,
  }),
  backtests: z.object({
    total: z.int().meta({ description: 'Backtests of the window that were kept' }),
    trend: trendSchema,
    avg_duration_ms: z.number().nullable(),
    latency_note: z.string().nullable(),
  }),
  api: z.object({
    calls: z.int().meta({ description: 'Calls of `/v1`' }),
    errors: z.int().meta({ description: 'Calls of `/v1` with a status of 400 or more' }),
    trend: trendSchema,
    top_endpoints: z
      .array(z.object({ method: z.string(), endpoint: z.string(), calls: z.int(), errors: z.int() }))
      .max(10),
  }),
  clients: z.array(clientSchema),
  data: z.object({
    symbols: z.int(),
    daily_bars: z.int(),
    first_date: day.nullable(),
    last_date: day.nullable(),
  }),
});

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

async function timeseries(
  { pool, now, accessLog }: Services,
  metric: Metric,
  days: number,
): Promise<z.input<typeof timeseriesSchema>> {
  await accessLog.caughtUp();
  const window = lastDays(now(), days);
  const { total, trend: items } = summed(window, await PER_DAY[metric](pool, window[0]));
  return { metric, days, total, items };
}

async function clients({ pool, now, accessLog }: Services, days: number): Promise<z.input<typeof clientSchema>[]> {
  await accessLog.caughtUp();
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

async function overview(
  { pool, now, market, accessLog }: Services,
  days: number,
  locale: Locale,
): Promise<z.input<typeof overviewSchema>> {
  await accessLog.caughtUp();
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
    selectMarketStats(pool, formatDay(market.newestSession ?? 0)),
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

const COMMON = { tag: 'Back office: statistics', access: 'admin', limit: 'back_office' } as const;
const daysField = (byDefault: number) =>
  queryInteger(1, 365).prefault(byDefault).meta({ description: 'UTC calendar days, today included' });

export const STATS_ROUTES: readonly Route<Services>[] = [
  defineRoute({
    operationId: 'getStatsOverview',
    ...COMMON,
    method: 'get',
    path: '/api/admin/stats/overview',
    summary: 'Get an overview of users, visits, backtests, API calls, clients, and data',
    querySchema: z.object({ days: daysField(30) }),
    dataSchema: overviewSchema,
    errors: [],
    handle: ({ query, context, services }) => overview(services, query.days, context.locale),
  }),
  defineRoute({
    operationId: 'getStatsTimeseries',
    ...COMMON,
    method: 'get',
    path: '/api/admin/stats/timeseries',
    summary: 'Get one metric by day',
    querySchema: z.object({
      metric: z.enum(METRICS).default('pv').meta({ description: 'The metric to count' }),
      days: daysField(90),
    }),
    dataSchema: timeseriesSchema,
    errors: [],
    handle: ({ query, services }) => timeseries(services, query.metric, query.days),
  }),
  defineRoute({
    operationId: 'getClientStats',
    ...COMMON,
    method: 'get',
    path: '/api/admin/stats/clients',
    summary: 'Count visits, visitors, and accounts per kind of client',
    querySchema: z.object({ days: daysField(30) }),
    dataSchema: z.object({ days: z.int(), items: z.array(clientSchema) }),
    errors: [],
    handle: async ({ query: { days }, services }) => ({ days, items: await clients(services, days) }),
  }),
];
