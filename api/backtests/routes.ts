/** Backtests: `/v1`. */

import { RUN_KINDS } from '../../jobs/contracts/run-kinds.ts';
import { localeOf } from '../access/request-context.ts';
import type { Route } from '../call/route.ts';
import { idField, localeField, queryFlag, z } from '../http/input/fields.ts';
import { jobPath, waitQuery } from '../runs/fields.ts';
import { keptResult, keptState } from '../runs/keep.ts';
import { historyRoute, shareRoute } from '../runs/kept-routes.ts';
import { jobSchema } from '../runs/schemas.ts';
import { FLAT_EXAMPLE } from './body-examples.ts';
import { answerBacktest, partsOf } from './handlers.ts';
import { type BacktestRequest, flatBody, fromFlat } from './request.ts';
import { jobStateSchema, resultSchema, strategiesSchema } from './schemas.ts';
import { defineRoute, type Services } from './services.ts';
import { strategies } from './strategies.ts';

const TAG = 'Backtests';

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

export const BACKTEST_ROUTES: readonly Route<Services>[] = [
  flatRunRoute({ operationId: 'runBacktest', path: '/v1/backtest', tag: TAG, summary: 'Run a backtest' }),
  strategiesRoute({ operationId: 'listStrategies', path: '/v1/strategies', tag: TAG, limit: 'static' }),
  historyRoute({ operationId: 'listBacktests', path: '/v1/backtests', tag: TAG, access: 'member' }),
  defineRoute({
    operationId: 'getBacktestJob',
    method: 'get',
    path: `${RUN_KINDS.backtest.jobsPath}/{job_id}`,
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
    handle: ({ path, query, ...call }) => keptState(call, 'backtest', path.job_id, query.wait),
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
