/** Portfolios: `/v1`, and the same for the web application under `/api`. */
import { MAX_PORTFOLIO_SYMBOLS } from '../../jobs/contracts/portfolio.ts';
import { FIRST_REBALANCES } from '../../jobs/contracts/rotation.ts';
import { RUN_KINDS } from '../../jobs/contracts/run-kinds.ts';
import { assertPlanHas, assertWithin } from '../access/plans.ts';
import { TRADING_ERRORS } from '../backtests/routes.ts';
import type { JsonStream, JsonText } from '../http/answer/reply.ts';
import { symbolListBody } from '../http/input/body.ts';
import { idField, pageQuery, queryInteger, z } from '../http/input/fields.ts';
import { ownResearchOf } from '../rules/resolve.ts';
import { askedComparison } from '../runs/comparison.ts';
import { ratesOf } from '../runs/cost-fields.ts';
import { keptRebalances } from '../runs/keep.ts';
import { includedParts, type KeptOffer } from '../runs/kept-routes.ts';
import type { OfferedKind } from '../runs/kinds.ts';
import { type Asked, exampleRoute, OF_ACCOUNT, startsWith, stateRoute } from '../runs/routes.ts';
import type { DoneRun } from '../runs/state.ts';
import { TRADE_COLUMNS } from '../runs/trade-columns.ts';
import { SCREEN_ERRORS } from '../screener/request.ts';
import { defineRoute, type ScreenCall, type Services } from '../screener/services.ts';
import { portfolioAnswer } from './compared.ts';
import { portfolioExample } from './example.ts';
import { PORTFOLIO_EXAMPLE, type PortfolioBody, portfolioBody, portfolioSpecOf } from './request.ts';
import { isRotation, rotationSpecOf } from './rotation.ts';
import { portfolioAnswerSchema, portfolioSchema, portfolioStateSchema, rebalancesSchema } from './schemas.ts';
import { comparedSpecOf, isTargets, targetSpecOf } from './targets.ts';
import { universeOf, withBars } from './universe.ts';

const { awaited } = startsWith<Services>();

const TAG = 'Portfolios';

const RUN_ROUTE = {
  summary: 'Run a portfolio',
  description:
    'One strategy on up to 500 instruments that share one cash balance. At each close, exits come first, then rebalancing at ' +
    'the end of a period, then entries by rank. With `rotation`, the best of a universe are held and looked at again on a ' +
    'schedule. With `allocation.targets`, weights are held while money goes in and out; `compare` runs two or three such ' +
    'portfolios beside each other, which are not kept. Queued, kept, and shared like a backtest; ' +
    `\`${RUN_KINDS.portfolio.jobsPath}/{job_id}\` shows its state.`,
  access: 'anyone',
  limit: 'backtest',
  bodySchema: portfolioBody,
  bodyExample: PORTFOLIO_EXAMPLE,
  bodyLimits: symbolListBody(MAX_PORTFOLIO_SYMBOLS),
  dataSchema: portfolioAnswerSchema,
  errors: [
    ...TRADING_ERRORS,
    'plan_capability',
    'quota_exceeded',
    'rotation_invalid',
    'invalid_asset_type',
    ...SCREEN_ERRORS,
  ],
  errorDetails: { plan_capability: { plan: 'guest', category: 'portfolio_symbols_max' } },
} as const;

const KEPT: KeptOffer = {
  kind: 'portfolio',
  noun: 'Portfolio',
  dataSchema: portfolioSchema,
  include: {
    trades: { parts: ['trades'], isUsual: true, words: 'the trades' },
    equity: { parts: ['equity', 'positions'], isUsual: false, words: 'equity and positions by session' },
  },
  columns: {
    trades: ['symbol', ...TRADE_COLUMNS],
    equity: ['ts', 'equity', 'drawdown_pct', 'buy_hold'],
    positions: ['ts', 'count', 'invested_pct'],
    contributions: ['symbol', 'trades', 'pnl', 'pnl_share_pct'],
    rebalances: ['ts', 'eligible', 'scored', 'entered', 'left', 'turnover_pct', 'filter', 'weights'],
  },
  hasTearSheet: true,
  evidence: {
    receipt: { operationId: 'getPortfolioReceipt' },
    verify: { operationId: 'verifyPortfolio' },
    lookAhead: { operationId: 'runPortfolioLookAhead' },
  },
};

export async function specOf(call: ScreenCall, body: PortfolioBody) {
  if (isRotation(body)) return rotationSpecOf(call, body);
  if (isTargets(body)) return targetSpecOf(call, body);
  const { services, caller } = call;
  assertPlanHas(caller, 'portfolio_symbols_max');
  const own = await ownResearchOf(call, body.rules, ratesOf(body));
  const universe = await universeOf(call, { ...body, skip_unknown: body.skip_unknown ?? false });
  const spec = portfolioSpecOf(body, services.market, own, universe);
  assertWithin(caller, 'portfolio_symbols_max', spec.instruments.length);
  await withBars(services.pool, spec.instruments, spec);
  return spec;
}

async function askedPortfolio(call: ScreenCall, body: PortfolioBody): Promise<Asked<JsonText | JsonStream>> {
  const { save, include_trades: trades, include_equity: equity } = body;
  const parts = includedParts(KEPT, [...(trades ? ['trades'] : []), ...(equity ? ['equity'] : [])]);
  const show = (run: DoneRun) => portfolioAnswer(call, run, parts);
  if (body.compare !== undefined) {
    return { show, kind: 'portfolio', spec: await comparedSpecOf(call, { ...body, compare: body.compare }) };
  }
  const spec = await specOf(call, body);
  const asked = { hasTearSheet: body.tear_sheet, comparison: { factors: body.factors } };
  const tearSheet = await askedComparison(call, asked, spec);
  return { show, save, kind: 'portfolio', spec: { ...spec, tearSheet } };
}

export const PORTFOLIOS: OfferedKind<Services> = {
  tag: TAG,
  own: [
    awaited({
      ...RUN_ROUTE,
      operationId: 'runPortfolio',
      path: '/v1/portfolio',
      tag: TAG,
      read: ({ body, ...call }) => askedPortfolio(call, body),
    }),
    exampleRoute(TAG, {
      operationId: 'getPortfolioExample',
      path: '/v1/portfolio/example',
      summary: 'Get a finished rotation of the loaded market',
      dataSchema: portfolioSchema,
      show: portfolioExample,
    }),
    awaited({
      ...RUN_ROUTE,
      operationId: 'runWebPortfolio',
      path: '/api/portfolio/run',
      tag: 'Web portfolios',
      read: ({ body, ...call }) => askedPortfolio(call, body),
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
  ],
  state: stateRoute('portfolio', TAG, {
    operationId: 'getPortfolioJob',
    summary: 'Get the state of a queued portfolio',
    description: OF_ACCOUNT,
    dataSchema: portfolioStateSchema,
    show: (call, run) => portfolioAnswer(call, run, RUN_KINDS.portfolio.kept.parts),
  }),
  kept: KEPT,
};
