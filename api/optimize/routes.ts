/** Searches of grids: `/v1/optimize`. */
import { MAX_COMBINATIONS } from '../../engine/backtest/optimize.ts';
import { MAX_PORTFOLIO_SYMBOLS } from '../../jobs/contracts/portfolio.ts';
import { RUN_KINDS } from '../../jobs/contracts/run-kinds.ts';
import { TRADING_ERRORS } from '../backtests/routes.ts';
import type { OfferedKind } from '../runs/kinds.ts';
import { exampleRoute, OF_CALLER, startsWith, stateRoute } from '../runs/routes.ts';
import { SCREEN_ERRORS } from '../screener/request.ts';
import type { Services } from '../screener/services.ts';
import { exampleOf, exampleSchema, searchExample, searchExampleSchema } from './example.ts';
import { neighborsBody, neighborsOf, neighborsSchema, neighborsSpecOf } from './neighbors.ts';
import { optimizeBody, searchSpecOf } from './request.ts';
import { optimizeStateSchema } from './schemas.ts';
import { searchResult } from './view.ts';

const { awaited, queued } = startsWith<Services>();

const TAG = 'Backtests';

export const SEARCHES: OfferedKind<Services> = {
  tag: TAG,
  own: [
    awaited({
      operationId: 'runNeighbors',
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
      errors: TRADING_ERRORS,
      read: async ({ body, ...call }) => ({
        kind: 'optimize',
        spec: await neighborsSpecOf(call, body),
        show: (run) => neighborsOf(run, body.vary),
      }),
    }),
    exampleRoute(TAG, {
      operationId: 'getBacktestExample',
      path: '/v1/backtest/example',
      summary: 'Get a finished backtest of the loaded market',
      dataSchema: exampleSchema,
      show: exampleOf,
    }),
    exampleRoute(TAG, {
      operationId: 'getOptimizationExample',
      path: '/v1/optimize/example',
      summary: 'Get a finished optimization of the loaded market, with its request',
      dataSchema: searchExampleSchema,
      show: searchExample,
    }),
    queued({
      operationId: 'runOptimization',
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
      errors: [
        ...TRADING_ERRORS,
        'walk_forward_range',
        'plan_capability',
        'quota_exceeded',
        'rotation_invalid',
        'invalid_asset_type',
        ...SCREEN_ERRORS,
      ],
      read: async ({ body, ...call }) => ({ kind: 'optimize', spec: await searchSpecOf(call, body) }),
    }),
  ],
  state: stateRoute('optimize', TAG, {
    operationId: 'getOptimizationJob',
    summary: 'Get the state and result of an optimization',
    description: OF_CALLER,
    dataSchema: optimizeStateSchema,
    show: (call, run) => searchResult(call, run, call.context.locale),
    more: ({ progressPct }) => ({ progress_pct: progressPct }),
  }),
};
