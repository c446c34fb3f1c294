/** Backtests of the web application: `/api/backtest`. */
import { BACKTEST_PARTS } from '../../jobs/backtest/contract.ts';
import { localeField, z } from '../http/input/fields.ts';
import { localeOf } from '../http/request-context.ts';
import { defineRoute, type Route } from '../http/route.ts';
import { FLAT_EXAMPLE, NESTED_EXAMPLE } from './body-examples.ts';
import { history } from './handlers.ts';
import { keptRoutes } from './kept-routes.ts';
import { flatBody, fromFlat, fromNested, nestedBody } from './request.ts';
import { HISTORY_ROUTE, runRoute } from './routes.ts';
import { resultSchema, strategiesSchema } from './schemas.ts';
import { strategies } from './strategies.ts';

const TAG = 'Web backtests';

export const WEB_BACKTEST_ROUTES: readonly Route[] = [
  runRoute({
    operationId: 'runNestedBacktest',
    path: '/api/backtest/run',
    tag: TAG,
    summary: 'Run a backtest (nested form)',
    bodySchema: nestedBody,
    bodyExample: NESTED_EXAMPLE,
    read: fromNested,
  }),
  runRoute({
    operationId: 'runWebBacktest',
    path: '/api/backtest',
    tag: TAG,
    summary: 'Run a backtest (flat form)',
    bodySchema: flatBody,
    bodyExample: FLAT_EXAMPLE,
    read: fromFlat,
  }),
  defineRoute({
    operationId: 'listWebStrategies',
    method: 'get',
    path: '/api/backtest/strategies',
    tag: TAG,
    summary: 'List strategies with their parameters, time ranges, and defaults',
    access: 'anyone',
    limit: 'public',
    querySchema: z.object({ locale: localeField }),
    caching: 'for_minutes',
    dataSchema: strategiesSchema,
    errors: [],
    handle: ({ query, context, services }) => strategies(services, localeOf(query, context)),
  }),
  defineRoute({
    operationId: 'listWebBacktests',
    method: 'get',
    path: '/api/backtest/history',
    tag: TAG,
    summary: 'List kept backtests, newest first',
    access: 'console',
    limit: 'account',
    ...HISTORY_ROUTE,
    handle: ({ query, ...call }) => history(call, query),
  }),
  ...keptRoutes({ kind: 'backtest', noun: 'Backtest', parts: BACKTEST_PARTS, dataSchema: resultSchema }),
];
