/** Backtests: `/v1`, and the same for the web application under `/api/backtest`. */
import type { ResultPart } from '../../db/runs/run-results.ts';
import { BACKTEST_PARTS } from '../../jobs/contracts/backtest.ts';
import { RUN_KINDS } from '../../jobs/contracts/run-kinds.ts';
import { localeOf } from '../access/request-context.ts';
import { type Route, routesWith } from '../call/route.ts';
import type { Accepted, JsonStream, JsonText } from '../http/answer/reply.ts';
import { idField, localeField, queryFlag, z } from '../http/input/fields.ts';
import { savedStrategyOf } from '../rules/resolve.ts';
import { askedComparison } from '../runs/comparison.ts';
import { answerKeptRun, keptResult, keptRunResult } from '../runs/keep.ts';
import { historyRoute, keptRoutes, shareRoute } from '../runs/kept-routes.ts';
import { jobSchema } from '../runs/schemas.ts';
import type { RunCall, Services as RunServices } from '../runs/services.ts';
import { OF_CALLER, stateRoute } from '../runs/state-route.ts';
import {
  type BacktestRequest,
  backtestSpecOf,
  flatBody,
  fromFlat,
  fromNested,
  type Include,
  nestedBody,
} from './request.ts';
import { jobStateSchema, resultSchema, strategiesSchema } from './schemas.ts';
import { type StrategyProofs, strategiesView } from './strategies.ts';

interface Services extends RunServices {
  readonly strategyProofs: StrategyProofs;
}

const defineRoute = routesWith<Services>();

const TAG = 'Backtests';
const WEB_TAG = 'Web backtests';
const WEB_PATH = '/api/backtest';

/** A backtest of the sample market, in either form. */
const FLAT_EXAMPLE: z.input<typeof flatBody> = {
  symbol: 'ACRX.US',
  strategy: 'sma_cross',
  time_range: '1Y',
  params: { fast_period: 10, slow_period: 30 },
  cost: { commission_rate: 0.0005, slippage_bps: 5 },
};
const NESTED_EXAMPLE: z.input<typeof nestedBody> = {
  symbol: 'ACRX.US',
  strategy: 'sma_cross',
  range: { time_range: '1Y' },
  params: { fast_period: 10, slow_period: 30 },
  execution: { execute_on: 'close', cost: { commission_rate: 0.0005, slippage_bps: 5 } },
  include: { klines: false },
};

export const RUN_ERRORS = [
  'invalid_symbol',
  'market_not_open',
  'symbol_not_found',
  'invalid_date',
  'invalid_date_range',
  'invalid_strategy',
  'rule_invalid',
  'not_found',
  'login_required',
  'invalid_time_range',
  'invalid_execute_on',
  'invalid_backtest_adjust',
  'venue_mode_refused',
  'no_bars_in_range',
  'figures_overflow',
  'concurrent_backtests',
  'backtest_cancelled',
  'storage_full',
] as const;
const RUN_DESCRIPTION =
  'A queue job that the call waits for. With `Prefer: respond-async`, or if the job takes too long, the answer is 202, ' +
  `and \`${RUN_KINDS.backtest.jobsPath}/{job_id}\` shows its state. Results of an account are kept; when the quota of the plan is full, ` +
  'the oldest is removed. The same request on the same data gives the same result.';

interface Address {
  readonly operationId: string;
  readonly path: string;
  readonly tag: string;
}

interface RunRoute<B extends z.ZodType> extends Address {
  readonly summary: string;
  readonly bodySchema: B;
  readonly bodyExample: z.input<B>;
  readonly read: (body: z.output<B>) => BacktestRequest;
}

function partsOf(include: Include): readonly ResultPart[] {
  return BACKTEST_PARTS.filter((part) => include[part]);
}

async function answerBacktest(call: RunCall, request: BacktestRequest): Promise<JsonText | JsonStream | Accepted> {
  const own = await savedStrategyOf(call, request.rules);
  const spec = backtestSpecOf(request, call.services.market, own);
  const tearSheet = await askedComparison(call, request, spec);
  return answerKeptRun(
    call,
    { kind: 'backtest', spec: { ...spec, tearSheet }, save: request.save },
    partsOf(request.include),
  );
}

/** A route that runs a backtest from a body in either form. */
function runRoute<B extends z.ZodType>({ read, ...route }: RunRoute<B>): Route<Services> {
  return defineRoute({
    ...route,
    method: 'post',
    takesIdempotencyKey: true,
    takesPrefer: true,
    description: RUN_DESCRIPTION,
    access: 'anyone',
    limit: 'backtest',
    dataSchema: resultSchema,
    acceptedSchema: jobSchema,
    errors: RUN_ERRORS,
    handle: ({ body, ...call }) => answerBacktest(call, read(body)),
  });
}

/** The same for a body in the flat form. */
function flatRunRoute(route: Address & Pick<RunRoute<typeof flatBody>, 'summary'>): Route<Services> {
  return runRoute({ ...route, bodySchema: flatBody, bodyExample: FLAT_EXAMPLE, read: fromFlat });
}

function strategiesRoute(route: Address & { readonly limit: 'static' | 'public' }): Route<Services> {
  return defineRoute({
    ...route,
    method: 'get',
    summary: 'List strategies with their parameters, time ranges, and defaults',
    access: 'anyone',
    querySchema: z.object({ locale: localeField }),
    caching: 'for_minutes',
    dataSchema: strategiesSchema,
    errors: [],
    handle: ({ query, context, services }) => strategiesView(services.strategyProofs, localeOf(query, context)),
  });
}

export const BACKTEST_ROUTES: readonly Route<Services>[] = [
  flatRunRoute({ operationId: 'runBacktest', path: '/v1/backtest', tag: TAG, summary: 'Run a backtest' }),
  strategiesRoute({ operationId: 'listStrategies', path: '/v1/strategies', tag: TAG, limit: 'static' }),
  historyRoute({ operationId: 'listBacktests', path: '/v1/backtests', tag: TAG, access: 'member' }),
  stateRoute('backtest', {
    operationId: 'getBacktestJob',
    tag: TAG,
    summary: 'Get the state of a queued backtest',
    description: OF_CALLER,
    dataSchema: jobStateSchema,
    show: keptRunResult,
  }),
  defineRoute({
    operationId: 'getBacktest',
    method: 'get',
    path: '/v1/backtests/{backtest_id}',
    tag: TAG,
    summary: 'Get a kept backtest',
    access: 'member',
    limit: 'account',
    pathSchema: z.object({ backtest_id: idField }),
    querySchema: z.object({
      include_klines: queryFlag(false).meta({ description: 'Whether the answer includes the bars' }),
      include_trades: queryFlag(true).meta({ description: 'Whether the answer includes the trades' }),
      include_equity: queryFlag(false).meta({
        description: 'Whether the answer includes daily equity and drawdown',
      }),
      locale: localeField,
    }),
    dataSchema: resultSchema,
    errors: ['not_found'],
    handle: ({ path, query, ...call }) => {
      const { include_klines: klines, include_trades: trades, include_equity: equity } = query;
      const kept = { kind: 'backtest', id: path.backtest_id } as const;
      return keptResult(call, kept, partsOf({ klines, trades, equity }), localeOf(query, call.context));
    },
  }),
  shareRoute('backtest', {
    operationId: 'shareBacktest',
    path: '/v1/backtests/{backtest_id}/share',
    tag: TAG,
    access: 'member',
  }),
];

export const WEB_BACKTEST_ROUTES: readonly Route<Services>[] = [
  runRoute({
    operationId: 'runNestedBacktest',
    path: `${WEB_PATH}/run`,
    tag: WEB_TAG,
    summary: 'Run a backtest (nested form)',
    bodySchema: nestedBody,
    bodyExample: NESTED_EXAMPLE,
    read: fromNested,
  }),
  flatRunRoute({ operationId: 'runWebBacktest', path: WEB_PATH, tag: WEB_TAG, summary: 'Run a backtest (flat form)' }),
  strategiesRoute({ operationId: 'listWebStrategies', path: `${WEB_PATH}/strategies`, tag: WEB_TAG, limit: 'public' }),
  historyRoute({ operationId: 'listWebBacktests', path: `${WEB_PATH}/history`, tag: WEB_TAG, access: 'console' }),
  ...keptRoutes({ kind: 'backtest', noun: 'Backtest', parts: BACKTEST_PARTS, dataSchema: resultSchema }),
];
