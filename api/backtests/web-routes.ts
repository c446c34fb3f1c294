/** Backtests of the web application: `/api/backtest`. */
import { BACKTEST_PARTS } from '../../jobs/contracts/backtest.ts';
import type { Route } from '../call/route.ts';
import { historyRoute, keptRoutes } from '../runs/kept-routes.ts';
import { NESTED_EXAMPLE } from './body-examples.ts';
import { fromNested, nestedBody } from './request.ts';
import { flatRunRoute, runRoute, strategiesRoute } from './routes.ts';
import { resultSchema } from './schemas.ts';
import type { Services } from './services.ts';

const TAG = 'Web backtests';
const PATH = '/api/backtest';

export const WEB_BACKTEST_ROUTES: readonly Route<Services>[] = [
  runRoute({
    operationId: 'runNestedBacktest',
    path: `${PATH}/run`,
    tag: TAG,
    summary: 'Run a backtest (nested form)',
    bodySchema: nestedBody,
    bodyExample: NESTED_EXAMPLE,
    read: fromNested,
  }),
  flatRunRoute({ operationId: 'runWebBacktest', path: PATH, tag: TAG, summary: 'Run a backtest (flat form)' }),
  strategiesRoute({ operationId: 'listWebStrategies', path: `${PATH}/strategies`, tag: TAG, limit: 'public' }),
  historyRoute({ operationId: 'listWebBacktests', path: `${PATH}/history`, tag: TAG, access: 'console' }),
  ...keptRoutes({ kind: 'backtest', noun: 'Backtest', parts: BACKTEST_PARTS, dataSchema: resultSchema }),
];
