/** Portfolios: `/v1`, and the same for the web application under `/api`. */

import { MAX_PORTFOLIO_SYMBOLS, PORTFOLIO_PARTS } from '../../jobs/contracts/portfolio.ts';
import { RUN_KINDS } from '../../jobs/contracts/run-kinds.ts';
import { localeOf } from '../access/request-context.ts';
import { RUN_ERRORS } from '../backtests/routes.ts';
import type { Route } from '../call/route.ts';
import { symbolListBody } from '../http/input/body.ts';
import { idField, localeField, queryFlag, z } from '../http/input/fields.ts';
import { jobPath, waitQuery } from '../runs/fields.ts';
import { keptResult, keptState } from '../runs/keep.ts';
import { keptRoutes, shareRoute } from '../runs/kept-routes.ts';
import { jobSchema } from '../runs/schemas.ts';
import { SCREEN_ERRORS } from '../screener/request.ts';
import { defineRoute, type Services } from '../screener/services.ts';
import { answerPortfolio, portfolioParts } from './handlers.ts';
import { PORTFOLIO_EXAMPLE, portfolioBody } from './request.ts';
import { portfolioSchema, portfolioStateSchema } from './schemas.ts';

const TAG = 'Portfolios';
const WEB_TAG = 'Web portfolios';

const RUN_ROUTE = {
  method: 'post',
  takesIdempotencyKey: true,
  takesPrefer: true,
  description:
    'One strategy on up to 500 instruments that share one cash balance. At each close, exits come first, then re-weighting at ' +
    'the end of a period, then entries by rank. Queued, kept, and shared like a backtest; ' +
    `\`${RUN_KINDS.portfolio.jobsPath}/{job_id}\` shows its state.`,
  access: 'anyone',
  limit: 'backtest',
  bodySchema: portfolioBody,
  bodyExample: PORTFOLIO_EXAMPLE,
  bodyLimits: symbolListBody(MAX_PORTFOLIO_SYMBOLS),
  dataSchema: portfolioSchema,
  acceptedSchema: jobSchema,
  errors: [...RUN_ERRORS, 'plan_capability', 'quota_exceeded', ...SCREEN_ERRORS],
  errorDetails: { plan_capability: { plan: 'guest', category: 'portfolio_symbols_max' } },
} as const;

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
    operationId: 'getPortfolioJob',
    method: 'get',
    path: `${RUN_KINDS.portfolio.jobsPath}/{job_id}`,
    tag: TAG,
    summary: 'State of a queued portfolio',
    description: 'Only to the account that queued it; kept for an hour after its end.',
    access: 'anyone',
    limit: 'public',
    pathSchema: jobPath,
    querySchema: waitQuery,
    dataSchema: portfolioStateSchema,
    errors: ['not_found'],
    handle: ({ path, query, ...call }) => keptState(call, 'portfolio', path.job_id, query.wait),
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
