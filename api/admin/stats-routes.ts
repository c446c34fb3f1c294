/** Statistics: `/api/admin/stats`. */
import type { Route } from '../call/route.ts';
import { queryInteger, z } from '../http/input/fields.ts';
import { defineRoute, type Services } from './services.ts';
import { clientSchema, clients, METRICS, overview, overviewSchema, timeseries, timeseriesSchema } from './stats.ts';

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
