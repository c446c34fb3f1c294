/** Backtests: `/v1`. */

import { localeOf } from '../access/request-context.ts';
import type { Route } from '../call/route.ts';
import { idField, localeField, queryFlag, queryInteger, z } from '../http/input/fields.ts';
import { FLAT_EXAMPLE } from './body-examples.ts';
import { answerBacktest, history, jobState, partsOf, savedBacktest } from './handlers.ts';
import { historyQuery } from './history-query.ts';
import { shareRoute } from './kept-routes.ts';
import { type BacktestRequest, flatBody, fromFlat } from './request.ts';
import { JOBS_PATH } from './run.ts';
import { historySchema, jobSchema, jobStateSchema, resultSchema, strategiesSchema } from './schemas.ts';
import { defineRoute, type Services } from './services.ts';
import { strategies } from './strategies.ts';

const TAG = 'Backtests';
const MAX_WAIT_S = 30;
const EXAMPLE_JOB = '0199e9c2-6f1b-7c4e-9a53-2d8f5b7e1c40';

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
  'concurrent_backtests',
  'backtest_cancelled',
  'storage_full',
] as const;
const RUN_DESCRIPTION =
  'A queue job that the call waits for. With `Prefer: respond-async`, or if the job takes too long, the answer is 202, ' +
  `and \`${JOBS_PATH}/{job_id}\` shows its state. Results of an account are kept; when the quota of the plan is full, ` +
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

/** A route that runs a backtest from a body in either form. */
export function runRoute<B extends z.ZodType>({ read, ...route }: RunRoute<B>): Route<Services> {
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

/** The same in the flat form of `/v1`. */
export function flatRunRoute(route: Address & Pick<RunRoute<typeof flatBody>, 'summary'>): Route<Services> {
  return runRoute({ ...route, bodySchema: flatBody, bodyExample: FLAT_EXAMPLE, read: fromFlat });
}

export function strategiesRoute(route: Address & { readonly limit: 'static' | 'public' }): Route<Services> {
  return defineRoute({
    ...route,
    method: 'get',
    summary: 'List strategies with their parameters, time ranges, and defaults',
    access: 'anyone',
    querySchema: z.object({ locale: localeField }),
    caching: 'for_minutes',
    dataSchema: strategiesSchema,
    errors: [],
    handle: ({ query, context, services }) => strategies(services, localeOf(query, context)),
  });
}

export function historyRoute(route: Address & { readonly access: 'member' | 'console' }): Route<Services> {
  return defineRoute({
    ...route,
    method: 'get',
    summary: 'List kept backtests, newest first',
    limit: 'account',
    querySchema: historyQuery,
    queryAliases: { size: 'page_size' },
    dataSchema: historySchema,
    errors: ['invalid_symbol', 'market_not_open', 'invalid_strategy', 'invalid_date', 'invalid_date_range'],
    handle: ({ query, ...call }) => history(call, query),
  });
}

export const waitQuery = z.object({
  wait: queryInteger(0, MAX_WAIT_S)
    .prefault(0)
    .meta({
      description:
        'Seconds to wait for a change of state or progress. Answers at once when the run has ended, or when ten ' +
        'calls of the caller already wait',
    }),
});

export const jobPath = z.object({ job_id: z.uuid().meta({ example: EXAMPLE_JOB }) });

export const BACKTEST_ROUTES: readonly Route<Services>[] = [
  flatRunRoute({ operationId: 'runBacktest', path: '/v1/backtest', tag: TAG, summary: 'Run a backtest' }),
  strategiesRoute({ operationId: 'listStrategies', path: '/v1/strategies', tag: TAG, limit: 'static' }),
  historyRoute({ operationId: 'listBacktests', path: '/v1/backtests', tag: TAG, access: 'member' }),
  defineRoute({
    operationId: 'getBacktestJob',
    method: 'get',
    path: `${JOBS_PATH}/{job_id}`,
    tag: TAG,
    summary: 'Get the state of a queued backtest',
    description:
      'Only for the account, or the address of the guest, that queued it. Available for an hour after its end.',
    access: 'anyone',
    limit: 'public',
    pathSchema: jobPath,
    querySchema: waitQuery,
    dataSchema: jobStateSchema,
    errors: ['not_found'],
    handle: ({ path, query, ...call }) => jobState(call, 'backtest', path.job_id, query.wait),
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
      return savedBacktest(call, kept, partsOf({ klines, trades, equity }), localeOf(query, call.context));
    },
  }),
  shareRoute('backtest', {
    operationId: 'shareBacktest',
    path: '/v1/backtests/{backtest_id}/share',
    tag: TAG,
    access: 'member',
  }),
];
