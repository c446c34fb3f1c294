/** Searches of grids: `/v1/optimize`. */

import { MAX_COMBINATIONS } from '../../engine/backtest/optimize.ts';
import { MAX_PORTFOLIO_SYMBOLS } from '../../jobs/contracts/portfolio.ts';
import { RUN_KINDS } from '../../jobs/contracts/run-kinds.ts';
import { RUN_ERRORS } from '../backtests/routes.ts';
import type { Route } from '../call/route.ts';
import { jobPath, waitQuery } from '../runs/fields.ts';
import { jobSchema } from '../runs/schemas.ts';
import { SCREEN_ERRORS } from '../screener/request.ts';
import { defineRoute, type Services } from '../screener/services.ts';
import { optimizeState, queueOptimize } from './handlers.ts';
import { optimizeBody } from './request.ts';
import { optimizeStateSchema } from './schemas.ts';

const TAG = 'Backtests';

export const OPTIMIZE_ROUTES: readonly Route<Services>[] = [
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
      'of `symbol`, each combination runs as a portfolio.',
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
    errors: [...RUN_ERRORS, 'walk_forward_range', 'plan_capability', 'quota_exceeded', ...SCREEN_ERRORS],
    handle: ({ body, ...call }) => queueOptimize(call, body),
  }),
  defineRoute({
    operationId: 'getOptimizationJob',
    method: 'get',
    path: `${RUN_KINDS.optimize.jobsPath}/{job_id}`,
    tag: TAG,
    summary: 'Get the state and result of an optimization',
    description: 'Only for the account that queued it. Available for an hour after its end.',
    access: 'member',
    limit: 'account',
    pathSchema: jobPath,
    querySchema: waitQuery,
    dataSchema: optimizeStateSchema,
    errors: ['not_found'],
    handle: ({ path, query, ...call }) => optimizeState(call, path.job_id, query.wait),
  }),
];
