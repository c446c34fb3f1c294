/** Portfolios: `/v1`, and the same for the web application under `/api`. */
import { MAX_PORTFOLIO_SYMBOLS, PORTFOLIO_PARTS } from '../../jobs/portfolio/contract.ts';
import {
  exportBacktest,
  jobState,
  removeBacktest,
  savedBacktest,
  shareBacktest,
  sharedBacktest,
} from '../backtests/handlers.ts';
import { jobPath, RUN_ERRORS, waitQuery } from '../backtests/routes.ts';
import { PORTFOLIO_JOBS_PATH } from '../backtests/run.ts';
import { jobSchema, sharingSchema } from '../backtests/schemas.ts';
import { symbolListBody } from '../http/input/body.ts';
import { deletedSchema, idField, localeField, queryFlag, z } from '../http/input/fields.ts';
import { localeOf } from '../http/request-context.ts';
import { defineRoute, type Route } from '../http/route.ts';
import { SCREEN_ERRORS } from '../screener/request.ts';
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
    'One strategy on up to 500 instruments that share one purse: at each close exits come first, then, at the end of a ' +
    'period, positions are brought back to their targets, then candidates get the free places by rank. Queued, awaited, ' +
    `kept and shared as a backtest is; \`${PORTFOLIO_JOBS_PATH}/{job_id}\` tells how a queued one goes on.`,
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

const idPath = z.object({ portfolio_id: idField });
const keptOf = ({ portfolio_id: id }: { readonly portfolio_id: number }) => ({ kind: 'portfolio', id }) as const;
const localeQuery = z.object({ locale: localeField });

const GET_ROUTE = {
  method: 'get',
  limit: 'account',
  summary: 'A kept portfolio',
  pathSchema: idPath,
  querySchema: z.object({
    include_trades: queryFlag(true).openapi({ description: 'Whether the trades are in the answer' }),
    include_equity: queryFlag(false).openapi({
      description: 'Whether equity and positions by session are in the answer',
    }),
    locale: localeField,
  }),
  dataSchema: portfolioSchema,
  errors: ['not_found'],
} as const;

const SHARE_ROUTE = {
  method: 'post',
  takesIdempotencyKey: true,
  summary: 'Share a portfolio by a link, or revoke it',
  description: 'The slug is drawn once and stays: sharing again gives the same link.',
  limit: 'account',
  pathSchema: idPath,
  bodySchema: z.strictObject({ shared: z.boolean().default(true) }),
  bodyExample: { shared: true },
  dataSchema: sharingSchema,
  errors: ['not_found'],
} as const;

export const PORTFOLIO_ROUTES: readonly Route[] = [
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
    path: `${PORTFOLIO_JOBS_PATH}/{job_id}`,
    tag: TAG,
    summary: 'State of a queued portfolio',
    description: 'Only to the account that queued it; kept for an hour after its end.',
    access: 'anyone',
    limit: 'public',
    pathSchema: jobPath,
    querySchema: waitQuery,
    dataSchema: portfolioStateSchema,
    errors: ['not_found'],
    handle: ({ path, query, ...call }) => jobState(call, 'portfolio', path.job_id, query.wait),
  }),
  defineRoute({
    operationId: 'getPortfolio',
    ...GET_ROUTE,
    path: '/v1/portfolios/{portfolio_id}',
    tag: TAG,
    access: 'member',
    handle: ({ path, query, ...call }) => {
      const parts = portfolioParts({ trades: query.include_trades, equity: query.include_equity });
      return savedBacktest(call, keptOf(path), parts, localeOf(query, call.context));
    },
  }),
  defineRoute({
    operationId: 'sharePortfolio',
    ...SHARE_ROUTE,
    path: '/v1/portfolios/{portfolio_id}/share',
    tag: TAG,
    access: 'member',
    handle: ({ path, body, ...call }) => shareBacktest(call, keptOf(path), body.shared),
  }),
  defineRoute({
    operationId: 'runWebPortfolio',
    ...RUN_ROUTE,
    path: '/api/portfolio/run',
    tag: WEB_TAG,
    summary: 'Run a portfolio',
    handle: ({ body, ...call }) => answerPortfolio(call, body),
  }),
  defineRoute({
    operationId: 'getSharedPortfolio',
    method: 'get',
    path: '/api/portfolio/shared/{slug}',
    tag: WEB_TAG,
    summary: 'A shared portfolio, to everybody',
    access: 'anyone',
    limit: 'public',
    pathSchema: z.object({ slug: z.string().min(6).max(32).openapi({ example: 'p7Xk2mQ9' }) }),
    querySchema: localeQuery,
    caching: 'revalidated',
    dataSchema: portfolioSchema,
    errors: ['not_found'],
    handle: ({ path, query, context, services }) =>
      sharedBacktest(services, { kind: 'portfolio', slug: path.slug }, localeOf(query, context)),
  }),
  defineRoute({
    operationId: 'getWebPortfolio',
    ...GET_ROUTE,
    path: '/api/portfolio/{portfolio_id}',
    tag: WEB_TAG,
    summary: 'A kept portfolio in full',
    querySchema: localeQuery,
    access: 'console',
    handle: ({ path, query, ...call }) =>
      savedBacktest(call, keptOf(path), PORTFOLIO_PARTS, localeOf(query, call.context)),
  }),
  defineRoute({
    operationId: 'deletePortfolio',
    method: 'delete',
    path: '/api/portfolio/{portfolio_id}',
    tag: WEB_TAG,
    summary: 'Delete a kept portfolio',
    access: 'console',
    limit: 'account',
    pathSchema: idPath,
    dataSchema: deletedSchema,
    errors: ['not_found'],
    handle: ({ path, ...call }) => removeBacktest(call, keptOf(path)),
  }),
  defineRoute({
    operationId: 'shareWebPortfolio',
    ...SHARE_ROUTE,
    path: '/api/portfolio/{portfolio_id}/share',
    tag: WEB_TAG,
    access: 'console',
    handle: ({ path, body, ...call }) => shareBacktest(call, keptOf(path), body.shared),
  }),
  defineRoute({
    operationId: 'exportPortfolio',
    method: 'get',
    path: '/api/portfolio/{portfolio_id}/export',
    tag: WEB_TAG,
    summary: 'Trades, equity, positions or contributions as a CSV file',
    access: 'console',
    limit: 'account',
    pathSchema: idPath,
    querySchema: z.object({
      kind: z.enum(PORTFOLIO_PARTS).default('trades').openapi({ description: 'The rows of the file' }),
      format: z.string().max(20).default('csv').openapi({ description: '`csv`; anything else is refused' }),
      locale: localeField,
    }),
    fileTypes: ['text/csv'],
    dataSchema: z.string(),
    errors: ['not_found', 'invalid_format'],
    handle: ({ path, query, ...call }) => exportBacktest(call, keptOf(path), query, localeOf(query, call.context)),
  }),
];
