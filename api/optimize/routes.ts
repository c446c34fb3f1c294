/** Searches of grids: `/v1/optimize`. */
import { MAX_COMBINATIONS } from '../../engine/backtest/optimize.ts';
import { MAX_PORTFOLIO_SYMBOLS } from '../../jobs/contracts/portfolio.ts';
import { RUN_KINDS } from '../../jobs/contracts/run-kinds.ts';
import { localeOf } from '../access/request-context.ts';
import { RUN_ERRORS } from '../backtests/routes.ts';
import type { Route } from '../call/route.ts';
import type { Accepted } from '../http/answer/reply.ts';
import { localeField, z } from '../http/input/fields.ts';
import { answerRun, requestRun } from '../runs/request.ts';
import { jobSchema } from '../runs/schemas.ts';
import { acceptedRun } from '../runs/state.ts';
import { OF_CALLER, stateRoute } from '../runs/state-route.ts';
import { SCREEN_ERRORS } from '../screener/request.ts';
import { defineRoute, type ScreenCall, type Services } from '../screener/services.ts';
import { exampleOf, exampleSchema, searchExample, searchExampleSchema } from './example.ts';
import { neighborsBody, neighborsOf, neighborsSchema, neighborsSpecOf } from './neighbors.ts';
import { type OptimizeBody, optimizeBody, searchSpecOf } from './request.ts';
import { optimizeStateSchema } from './schemas.ts';
import { searchResult } from './view.ts';

const TAG = 'Backtests';

/** Queues the search of a grid, on one instrument or on a portfolio. A search is never awaited. */
async function queueOptimize(call: ScreenCall, body: OptimizeBody): Promise<Accepted> {
  const { services, context, caller } = call;
  const spec = await searchSpecOf(call, body);
  const run = await requestRun(services, context, caller, { kind: 'optimize', spec, save: false, isAsync: true });
  return acceptedRun(services.pool, run, context.locale);
}

export const OPTIMIZE_ROUTES: readonly Route<Services>[] = [
  defineRoute({
    operationId: 'runNeighbors',
    method: 'post',
    takesIdempotencyKey: true,
    takesPrefer: true,
    path: '/v1/backtest/neighbors',
    tag: TAG,
    summary: 'Run a backtest with neighboring values of a parameter',
    description:
      'At most ten values around the chosen one, all else equal: a Sharpe ratio that falls apart beside it hangs on that value. Each ' +
      'value counts as a trial, and the call as a backtest. With `Prefer: respond-async`, or if it takes too long, the ' +
      `answer is 202, and \`${RUN_KINDS.optimize.jobsPath}/{job_id}\` has the search.`,
    access: 'anyone',
    limit: 'backtest',
    bodySchema: neighborsBody,
    bodyExample: { symbol: 'ACRX.US', strategy: 'donchian', time_range: '3Y', vary: 'entry_period' },
    dataSchema: neighborsSchema,
    acceptedSchema: jobSchema,
    errors: RUN_ERRORS,
    handle: async ({ body, ...call }) =>
      answerRun(call, { kind: 'optimize', spec: await neighborsSpecOf(call, body), save: false }, (run) =>
        neighborsOf(run, body.vary),
      ),
  }),
  defineRoute({
    operationId: 'getBacktestExample',
    method: 'get',
    path: '/v1/backtest/example',
    tag: TAG,
    summary: 'Get a finished backtest of the loaded market',
    description: 'Computed once after each load, and the same for everybody. Not found while nothing is loaded.',
    access: 'anyone',
    limit: 'public',
    querySchema: z.object({ locale: localeField }),
    caching: 'for_minutes',
    dataSchema: exampleSchema,
    errors: ['not_found', 'example_not_ready'],
    handle: ({ query, ...call }) => exampleOf(call, localeOf(query, call.context)),
  }),
  defineRoute({
    operationId: 'getOptimizationExample',
    method: 'get',
    path: '/v1/optimize/example',
    tag: TAG,
    summary: 'Get a finished optimization of the loaded market, with its request',
    description: 'Computed once after each load, and the same for everybody. Not found while nothing is loaded.',
    access: 'anyone',
    limit: 'public',
    querySchema: z.object({ locale: localeField }),
    caching: 'for_minutes',
    dataSchema: searchExampleSchema,
    errors: ['not_found', 'example_not_ready'],
    handle: ({ query, ...call }) => searchExample(call, localeOf(query, call.context)),
  }),
  defineRoute({
    operationId: 'runOptimization',
    method: 'post',
    takesIdempotencyKey: true,
    path: '/v1/optimize',
    tag: TAG,
    summary: 'Search a grid of parameters',
    description:
      'Queued: the answer is 202. The result has the best 50 combinations, a heat map of two parameters, and with ' +
      '`walk_forward` a run over test windows that took no part in the choice. With `symbols` or `screen` instead ' +
      'of `symbol`, each combination runs as a portfolio; with `universe` and `rotation`, as a rotation.',
    access: 'anyone',
    limit: 'optimize',
    bodySchema: optimizeBody,
    bodyExample: {
      symbol: 'ACRX.US',
      strategy: 'sma_cross',
      time_range: '1Y',
      grid: { fast_period: { from: 5, to: 20, step: 5 }, slow_period: [30, 50] },
      heatmap: ['fast_period', 'slow_period'],
    },
    bodyLimits: { maxBytes: 64 * 1024, maxValues: MAX_COMBINATIONS + MAX_PORTFOLIO_SYMBOLS + 100 },
    successStatus: 202,
    dataSchema: jobSchema,
    errors: [
      ...RUN_ERRORS,
      'walk_forward_range',
      'plan_capability',
      'quota_exceeded',
      'rotation_invalid',
      'invalid_asset_type',
      ...SCREEN_ERRORS,
    ],
    handle: ({ body, ...call }) => queueOptimize(call, body),
  }),
  stateRoute<Services>('optimize', {
    operationId: 'getOptimizationJob',
    tag: TAG,
    summary: 'Get the state and result of an optimization',
    description: OF_CALLER,
    dataSchema: optimizeStateSchema,
    show: (call, run) => searchResult(call, run, call.context.locale),
    more: ({ progressPct }) => ({ progress_pct: progressPct }),
  }),
];
