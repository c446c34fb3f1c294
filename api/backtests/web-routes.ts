/** Backtests of the web application: `/api/backtest`. */
import { BACKTEST_PARTS } from '../../jobs/backtest/contract.ts';
import { deletedSchema, idField, localeField, z } from '../http/input/fields.ts';
import { localeOf } from '../http/request-context.ts';
import { defineRoute, type Route } from '../http/route.ts';
import { FLAT_EXAMPLE, NESTED_EXAMPLE } from './body-examples.ts';
import {
  exportBacktest,
  history,
  removeBacktest,
  savedBacktest,
  shareBacktest,
  sharedBacktest,
  strategies,
} from './handlers.ts';
import { flatBody, fromFlat, fromNested, nestedBody } from './request.ts';
import { HISTORY_ROUTE, runRoute, SHARE_ROUTE } from './routes.ts';
import { resultSchema, strategiesSchema } from './schemas.ts';

const TAG = 'Web backtests';
const idPath = z.object({ backtest_id: idField });
const keptOf = ({ backtest_id: id }: { readonly backtest_id: number }) => ({ kind: 'backtest', id }) as const;
const localeQuery = z.object({ locale: localeField });

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
    querySchema: localeQuery,
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
  defineRoute({
    operationId: 'getSharedBacktest',
    method: 'get',
    path: '/api/backtest/shared/{slug}',
    tag: TAG,
    summary: 'Get a shared backtest',
    access: 'anyone',
    limit: 'public',
    pathSchema: z.object({ slug: z.string().min(6).max(32).openapi({ example: 'p7Xk2mQ9' }) }),
    querySchema: localeQuery,
    caching: 'revalidated',
    dataSchema: resultSchema,
    errors: ['not_found'],
    handle: ({ path, query, context, services }) =>
      sharedBacktest(services, { kind: 'backtest', slug: path.slug }, localeOf(query, context)),
  }),
  defineRoute({
    operationId: 'getWebBacktest',
    method: 'get',
    path: '/api/backtest/{backtest_id}',
    tag: TAG,
    summary: 'Get a kept backtest with all its data',
    access: 'console',
    limit: 'account',
    pathSchema: idPath,
    querySchema: localeQuery,
    dataSchema: resultSchema,
    errors: ['not_found'],
    handle: ({ path, query, ...call }) =>
      savedBacktest(call, keptOf(path), BACKTEST_PARTS, localeOf(query, call.context)),
  }),
  defineRoute({
    operationId: 'deleteBacktest',
    method: 'delete',
    path: '/api/backtest/{backtest_id}',
    tag: TAG,
    summary: 'Delete a kept backtest',
    access: 'console',
    limit: 'account',
    pathSchema: idPath,
    dataSchema: deletedSchema,
    errors: ['not_found'],
    handle: ({ path, ...call }) => removeBacktest(call, keptOf(path)),
  }),
  defineRoute({
    operationId: 'shareWebBacktest',
    ...SHARE_ROUTE,
    path: '/api/backtest/{backtest_id}/share',
    tag: TAG,
    access: 'console',
    handle: ({ path, body, ...call }) => shareBacktest(call, keptOf(path), body.shared),
  }),
  defineRoute({
    operationId: 'exportBacktest',
    method: 'get',
    path: '/api/backtest/{backtest_id}/export',
    tag: TAG,
    summary: 'Export trades, equity, or bars as a CSV file',
    access: 'console',
    limit: 'account',
    pathSchema: idPath,
    querySchema: z.object({
      kind: z.enum(BACKTEST_PARTS).default('trades').openapi({ description: 'The rows of the file' }),
      format: z.string().max(20).default('csv').openapi({ description: 'Only `csv` is accepted' }),
      locale: localeField,
    }),
    fileTypes: ['text/csv'],
    dataSchema: z.string(),
    errors: ['not_found', 'invalid_format'],
    handle: ({ path, query, ...call }) => exportBacktest(call, keptOf(path), query, localeOf(query, call.context)),
  }),
];
