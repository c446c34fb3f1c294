/** Backtests: `/v1`, and the same for the web application under `/api/backtest`. */
import { BACKTEST_PARTS } from '../../jobs/contracts/backtest.ts';
import { RUN_KINDS } from '../../jobs/contracts/run-kinds.ts';
import { localeOf } from '../access/request-context.ts';
import { type Route, routesWith } from '../call/route.ts';
import type { JsonStream, JsonText } from '../http/answer/reply.ts';
import { localeField, z } from '../http/input/fields.ts';
import { ownResearchOf } from '../rules/resolve.ts';
import { askedComparison } from '../runs/comparison.ts';
import { keptRunResult, resultWith } from '../runs/keep.ts';
import { historyRoute, includedParts, type KeptOffer } from '../runs/kept-routes.ts';
import type { OfferedKind } from '../runs/kinds.ts';
import { type Asked, OF_CALLER, startsWith, stateRoute } from '../runs/routes.ts';
import type { RunCall, Services as RunServices } from '../runs/services.ts';
import { TRADE_COLUMNS } from '../runs/trade-columns.ts';
import { type BacktestRequest, backtestSpecOf, flatBody, fromFlat, fromNested, nestedBody } from './request.ts';
import { jobStateSchema, resultSchema, strategiesSchema } from './schemas.ts';
import { type StrategyProofs, strategiesView } from './strategies.ts';

interface Services extends RunServices {
  readonly strategyProofs: StrategyProofs;
}

const defineRoute = routesWith<Services>();
const { awaited } = startsWith<Services>();

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

/** The errors of calls that run a strategy, beside those of waiting. */
export const TRADING_ERRORS = [
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
  'storage_full',
] as const;
const RUN_DESCRIPTION =
  'A queue job that the call waits for. With `Prefer: respond-async`, or if the job takes too long, the answer is 202, ' +
  `and \`${RUN_KINDS.backtest.jobsPath}/{job_id}\` shows its state. Results of an account are kept; when the quota of the plan is full, ` +
  'the oldest is removed. The same request on the same data gives the same result.';

const KEPT: KeptOffer = {
  kind: 'backtest',
  noun: 'Backtest',
  dataSchema: resultSchema,
  include: {
    klines: { parts: ['klines'], isUsual: false, words: 'the bars' },
    trades: { parts: ['trades'], isUsual: true, words: 'the trades' },
    equity: { parts: ['equity'], isUsual: false, words: 'daily equity and drawdown' },
  },
  columns: {
    trades: TRADE_COLUMNS,
    klines: ['ts', 'open', 'high', 'low', 'close', 'volume'],
    equity: ['ts', 'equity', 'drawdown_pct', 'buy_hold'],
  },
  hasTearSheet: true,
  evidence: {
    receipt: { operationId: 'getReceipt' },
    verify: {
      operationId: 'verifyBacktest',
      description:
        'A queue job that the call waits for. The result says whether data, engine, or specification differ from the receipt, ' +
        'which bars and events changed, and each metric before and after.',
    },
    lookAhead: {
      operationId: 'runLookAhead',
      description:
        'A queue job that the call waits for. It repeats the backtest on the series cut off after each bar of the range and adjusted ' +
        'to that bar, and with longer and longer histories before the range: 1, 2, 4 … times the longest period of its strategy or rules.',
    },
  },
};

async function askedBacktest(call: RunCall, request: BacktestRequest): Promise<Asked<JsonText | JsonStream>> {
  const { include, save, rules } = request;
  const own = await ownResearchOf(call, rules, request);
  const spec = backtestSpecOf(request, call.services.market, own);
  const tearSheet = await askedComparison(call, request, spec);
  const parts = includedParts(
    KEPT,
    BACKTEST_PARTS.filter((part) => include[part]),
  );
  const asked = { kind: 'backtest', spec: { ...spec, tearSheet }, save, hasParts: parts.length > 0 } as const;
  return { ...asked, show: (run) => resultWith(call, run, parts) };
}

const RUN_ROUTE = {
  description: RUN_DESCRIPTION,
  access: 'anyone',
  limit: 'backtest',
  dataSchema: resultSchema,
  errors: TRADING_ERRORS,
} as const;
/** With a body in the flat form. */
const FLAT_ROUTE = {
  ...RUN_ROUTE,
  summary: 'Run a backtest',
  bodySchema: flatBody,
  bodyExample: FLAT_EXAMPLE,
} as const;

function strategiesRoute(route: {
  readonly operationId: string;
  readonly path: string;
  readonly tag: string;
  readonly limit: 'static' | 'public';
}): Route<Services> {
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

export const BACKTESTS: OfferedKind<Services> = {
  tag: TAG,
  own: [
    awaited({
      ...FLAT_ROUTE,
      operationId: 'runBacktest',
      path: '/v1/backtest',
      tag: TAG,
      read: ({ body, ...call }) => askedBacktest(call, fromFlat(body)),
    }),
    awaited({
      ...FLAT_ROUTE,
      operationId: 'runWebBacktest',
      path: WEB_PATH,
      tag: WEB_TAG,
      summary: 'Run a backtest (flat form)',
      read: ({ body, ...call }) => askedBacktest(call, fromFlat(body)),
    }),
    awaited({
      ...RUN_ROUTE,
      operationId: 'runNestedBacktest',
      path: `${WEB_PATH}/run`,
      tag: WEB_TAG,
      summary: 'Run a backtest (nested form)',
      bodySchema: nestedBody,
      bodyExample: NESTED_EXAMPLE,
      read: ({ body, ...call }) => askedBacktest(call, fromNested(body)),
    }),
    strategiesRoute({ operationId: 'listStrategies', path: '/v1/strategies', tag: TAG, limit: 'static' }),
    strategiesRoute({
      operationId: 'listWebStrategies',
      path: `${WEB_PATH}/strategies`,
      tag: WEB_TAG,
      limit: 'public',
    }),
    historyRoute({ operationId: 'listBacktests', path: '/v1/backtests', tag: TAG, access: 'member' }),
    historyRoute({ operationId: 'listWebBacktests', path: `${WEB_PATH}/history`, tag: WEB_TAG, access: 'console' }),
  ],
  state: stateRoute('backtest', TAG, {
    operationId: 'getBacktestJob',
    summary: 'Get the state of a queued backtest',
    description: OF_CALLER,
    dataSchema: jobStateSchema,
    show: keptRunResult,
  }),
  kept: KEPT,
};
