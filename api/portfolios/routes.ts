/** Portfolios: `/v1`, and the same for the web application under `/api`. */
import { MAX_PORTFOLIO_SYMBOLS, PORTFOLIO_PARTS, type PortfolioPart } from '../../jobs/contracts/portfolio.ts';
import { FIRST_REBALANCES } from '../../jobs/contracts/rotation.ts';
import { RUN_KINDS } from '../../jobs/contracts/run-kinds.ts';
import { assertPlanHas, assertWithin } from '../access/plans.ts';
import { localeOf } from '../access/request-context.ts';
import { RUN_ERRORS } from '../backtests/routes.ts';
import type { Route } from '../call/route.ts';
import type { Accepted, JsonStream, JsonText } from '../http/answer/reply.ts';
import { symbolListBody } from '../http/input/body.ts';
import { idField, localeField, pageQuery, queryFlag, queryInteger, z } from '../http/input/fields.ts';
import { savedStrategyOf } from '../rules/resolve.ts';
import { askedComparison } from '../runs/comparison.ts';
import { answerKeptRun, keptRebalances, keptResult, keptRunResult } from '../runs/keep.ts';
import { keptRoutes, shareRoute } from '../runs/kept-routes.ts';
import { jobSchema } from '../runs/schemas.ts';
import { OF_ACCOUNT, stateRoute } from '../runs/state-route.ts';
import { SCREEN_ERRORS } from '../screener/request.ts';
import { defineRoute, type ScreenCall, type Services } from '../screener/services.ts';
import { portfolioExample } from './example.ts';
import { PORTFOLIO_EXAMPLE, type PortfolioBody, portfolioBody, portfolioSpecOf } from './request.ts';
import { isRotation, rotationSpecOf } from './rotation.ts';
import { portfolioSchema, portfolioStateSchema, rebalancesSchema } from './schemas.ts';
import { universeOf, withBars } from './universe.ts';

const TAG = 'Portfolios';
const WEB_TAG = 'Web portfolios';

const RUN_ROUTE = {
  method: 'post',
  takesIdempotencyKey: true,
  takesPrefer: true,
  description:
    'One strategy on up to 500 instruments that share one cash balance. At each close, exits come first, then rebalancing at ' +
    'the end of a period, then entries by rank. With `rotation`, the best of a universe are held and looked at again on a ' +
    'schedule. Queued, kept, and shared like a backtest; ' +
    `\`${RUN_KINDS.portfolio.jobsPath}/{job_id}\` shows its state.`,
  access: 'anyone',
  limit: 'backtest',
  bodySchema: portfolioBody,
  bodyExample: PORTFOLIO_EXAMPLE,
  bodyLimits: symbolListBody(MAX_PORTFOLIO_SYMBOLS),
  dataSchema: portfolioSchema,
  acceptedSchema: jobSchema,
  errors: [
    ...RUN_ERRORS,
    'plan_capability',
    'quota_exceeded',
    'rotation_invalid',
    'invalid_asset_type',
    ...SCREEN_ERRORS,
  ],
  errorDetails: { plan_capability: { plan: 'guest', category: 'portfolio_symbols_max' } },
} as const;

interface PortfolioInclude {
  readonly trades: boolean;
  readonly equity: boolean;
}

/** Long parts of an answer. The contributions of the instruments, and the rebalances of a rotation, are always included. */
function portfolioParts({ trades, equity }: PortfolioInclude): PortfolioPart[] {
  const parts: PortfolioPart[] = [];
  if (trades) parts.push('trades');
  if (equity) parts.push('equity', 'positions');
  return [...parts, 'contributions', 'rebalances'];
}

async function answerPortfolio(call: ScreenCall, body: PortfolioBody): Promise<JsonText | JsonStream | Accepted> {
  const { services, caller } = call;
  const parts = portfolioParts({ trades: body.include_trades, equity: body.include_equity });
  const asked = { hasTearSheet: body.tear_sheet, comparison: { factors: body.factors } };
  if (isRotation(body)) {
    const spec = await rotationSpecOf(call, body);
    const tearSheet = await askedComparison(call, asked, spec);
    return answerKeptRun(call, { kind: 'portfolio', spec: { ...spec, tearSheet }, save: body.save }, parts);
  }
  assertPlanHas(caller, 'portfolio_symbols_max');
  const own = await savedStrategyOf(call, body.rules);
  const spec = portfolioSpecOf(
    body,
    services.market,
    own,
    await universeOf(call, { ...body, skip_unknown: body.skip_unknown ?? false }),
  );
  assertWithin(caller, 'portfolio_symbols_max', spec.instruments.length);
  await withBars(services.pool, spec.instruments, spec);
  const tearSheet = await askedComparison(call, asked, spec);
  return answerKeptRun(call, { kind: 'portfolio', spec: { ...spec, tearSheet }, save: body.save }, parts);
}

export const PORTFOLIO_ROUTES: readonly Route<Services>[] = [
  defineRoute({
    operationId: 'runPortfolio',
    ...RUN_ROUTE,
    path: '/v1/portfolio',
    tag: TAG,
    summary: 'Run a portfolio',
    handle: ({ body, ...call }) => answerPortfolio(call, body),
  }),
  defineRoute({
    operationId: 'getPortfolioExample',
    method: 'get',
    path: '/v1/portfolio/example',
    tag: TAG,
    summary: 'Get a finished rotation of the loaded market',
    description: 'Computed once after each load, and the same for everybody. Not found while nothing is loaded.',
    access: 'anyone',
    limit: 'public',
    querySchema: z.object({ locale: localeField }),
    caching: 'for_minutes',
    dataSchema: portfolioSchema,
    errors: ['not_found', 'example_not_ready'],
    handle: ({ query, ...call }) => portfolioExample(call, localeOf(query, call.context)),
  }),
  stateRoute<Services>('portfolio', {
    operationId: 'getPortfolioJob',
    tag: TAG,
    summary: 'Get the state of a queued portfolio',
    description: OF_ACCOUNT,
    dataSchema: portfolioStateSchema,
    show: keptRunResult,
  }),
  defineRoute({
    operationId: 'getPortfolio',
    method: 'get',
    path: '/v1/portfolios/{portfolio_id}',
    tag: TAG,
    summary: 'Get a kept portfolio',
    access: 'member',
    limit: 'account',
    pathSchema: z.object({ portfolio_id: idField }),
    querySchema: z.object({
      include_trades: queryFlag(true).meta({ description: 'Whether the answer includes the trades' }),
      include_equity: queryFlag(false).meta({
        description: 'Whether the answer includes equity and positions by session',
      }),
      locale: localeField,
    }),
    dataSchema: portfolioSchema,
    errors: ['not_found'],
    handle: ({ path, query, ...call }) => {
      const kept = { kind: 'portfolio', id: path.portfolio_id } as const;
      const parts = portfolioParts({ trades: query.include_trades, equity: query.include_equity });
      return keptResult(call, kept, parts, localeOf(query, call.context));
    },
  }),
  defineRoute({
    operationId: 'listRebalances',
    method: 'get',
    path: '/v1/portfolios/{portfolio_id}/rebalances',
    tag: TAG,
    summary: 'List the rebalances of a kept rotation, oldest first',
    description: `A result has the first ${FIRST_REBALANCES}.`,
    access: 'member',
    limit: 'account',
    pathSchema: z.object({ portfolio_id: idField }),
    querySchema: z.object({
      page: pageQuery.page,
      size: queryInteger(1, FIRST_REBALANCES).prefault(100).meta({ description: 'Items per page' }),
    }),
    dataSchema: rebalancesSchema,
    errors: ['not_found'],
    handle: async ({ path, query, ...call }) =>
      rebalancesSchema.parse(await keptRebalances(call, path.portfolio_id, query)),
  }),
  shareRoute('portfolio', {
    operationId: 'sharePortfolio',
    path: '/v1/portfolios/{portfolio_id}/share',
    tag: TAG,
    access: 'member',
  }),
  defineRoute({
    operationId: 'runWebPortfolio',
    ...RUN_ROUTE,
    path: '/api/portfolio/run',
    tag: WEB_TAG,
    summary: 'Run a portfolio',
    handle: ({ body, ...call }) => answerPortfolio(call, body),
  }),
  ...keptRoutes({ kind: 'portfolio', noun: 'Portfolio', parts: PORTFOLIO_PARTS, dataSchema: portfolioSchema }),
];
