/** Evidence: receipts, verification, the search for look-ahead, and revisions of market data. */

import { RUN_KINDS } from '../../jobs/contracts/run-kinds.ts';
import type { Route } from '../call/route.ts';
import { dateField, idField, listSchema, momentFilter, pageQuery, symbolField, z } from '../http/input/fields.ts';
import { lookAheadSchema, receiptSchema } from '../runs/evidence-schemas.ts';
import { jobPath, waitQuery } from '../runs/fields.ts';
import { jobSchema } from '../runs/schemas.ts';
import { defineRoute, type Services } from '../runs/services.ts';
import { explainBar } from './explain.ts';
import { answerEvidence, evidenceState, listRevisions, receiptOfKept } from './handlers.ts';
import {
  explainedBarSchema,
  lookAheadStateSchema,
  revisionSchema,
  verificationSchema,
  verificationStateSchema,
} from './schemas.ts';

const TAG = 'Evidence';
const idPath = z.object({ backtest_id: idField });
const portfolioPath = z.object({ portfolio_id: idField });
const backtest = (id: number) => ({ kind: 'backtest', id }) as const;
const portfolio = (id: number) => ({ kind: 'portfolio', id }) as const;

const JOB_ROUTE = {
  method: 'post',
  takesIdempotencyKey: true,
  takesPrefer: true,
  tag: TAG,
  access: 'member',
  limit: 'backtest',
  pathSchema: idPath,
  acceptedSchema: jobSchema,
  errors: ['not_found', 'concurrent_backtests', 'backtest_cancelled'],
} as const;

const STATE_ROUTE = {
  method: 'get',
  tag: TAG,
  description: 'Only to the account that queued it; kept for an hour after its end.',
  access: 'anyone',
  limit: 'public',
  pathSchema: jobPath,
  querySchema: waitQuery,
  errors: ['not_found'],
} as const;

const REVISIONS_ROUTE = {
  method: 'get',
  summary: 'Bars and events that loads changed after they had been served, newest first',
  querySchema: z.object({
    symbol: symbolField.optional().meta({ description: 'Only those of this symbol' }),
    since: momentFilter('from').optional().meta({ description: 'Recorded at or after; a date or an ISO time' }),
    ...pageQuery,
  }),
  dataSchema: listSchema(revisionSchema),
} as const;

export const EVIDENCE_ROUTES: readonly Route<Services>[] = [
  defineRoute({
    operationId: 'getReceipt',
    method: 'get',
    path: '/v1/backtests/{backtest_id}/receipt.json',
    tag: TAG,
    summary: 'The receipt of a kept backtest',
    access: 'member',
    limit: 'account',
    pathSchema: idPath,
    dataSchema: receiptSchema,
    errors: ['not_found'],
    handle: ({ path, ...call }) => receiptOfKept(call, backtest(path.backtest_id)),
  }),
  defineRoute({
    operationId: 'verifyBacktest',
    ...JOB_ROUTE,
    path: '/v1/backtests/{backtest_id}/verify',
    summary: 'Compute a kept backtest again and explain every difference',
    description:
      'A queue job that the call waits for. Tells whether data, engine, or specification differ from the receipt, ' +
      'which bars and events changed, and every metric before and after.',
    dataSchema: verificationSchema,
    handle: ({ path, ...call }) => answerEvidence(call, 'verify', backtest(path.backtest_id)),
  }),
  defineRoute({
    operationId: 'getVerificationJob',
    ...STATE_ROUTE,
    path: `${RUN_KINDS.verify.jobsPath}/{job_id}`,
    summary: 'State of a queued verification',
    dataSchema: verificationStateSchema,
    handle: ({ path, query, ...call }) => evidenceState(call, 'verify', path.job_id, query.wait),
  }),
  defineRoute({
    operationId: 'runLookAhead',
    ...JOB_ROUTE,
    path: '/v1/backtests/{backtest_id}/look-ahead',
    summary: 'Prove that a kept backtest does not look ahead',
    description:
      'A queue job that the call waits for. Computes it on its series cut after every bar of the range and adjusted to ' +
      'that bar, and with ever longer histories before it: 1, 2, 4 … times the longest period of its strategy or rules.',
    dataSchema: lookAheadSchema,
    handle: ({ path, ...call }) => answerEvidence(call, 'look_ahead', backtest(path.backtest_id)),
  }),
  defineRoute({
    operationId: 'getLookAheadJob',
    ...STATE_ROUTE,
    path: `${RUN_KINDS.look_ahead.jobsPath}/{job_id}`,
    summary: 'State of a queued search for look-ahead',
    dataSchema: lookAheadStateSchema,
    handle: ({ path, query, ...call }) => evidenceState(call, 'look_ahead', path.job_id, query.wait),
  }),
  defineRoute({
    operationId: 'getBarOrigin',
    method: 'get',
    path: '/v1/static/{symbol}/bars/{date}',
    tag: TAG,
    summary: 'Why a bar is as it is',
    description:
      'Its rows as traded, the loads and files they came from, and what adjusts them. Plans pro and enterprise.',
    access: 'member',
    limit: 'static',
    pathSchema: z.object({
      symbol: symbolField.meta({ example: 'ACRX.US' }),
      date: dateField.meta({ example: '2025-06-05' }),
    }),
    dataSchema: explainedBarSchema,
    errors: ['invalid_symbol', 'market_not_open', 'symbol_not_found', 'invalid_date', 'not_found', 'plan_capability'],
    errorDetails: { plan_capability: { plan: 'free', category: 'explain' } },
    handle: ({ path, ...call }) => explainBar(call, path.symbol, path.date),
  }),
  defineRoute({
    operationId: 'getPortfolioReceipt',
    method: 'get',
    path: '/v1/portfolios/{portfolio_id}/receipt.json',
    tag: TAG,
    summary: 'The receipt of a kept portfolio',
    access: 'member',
    limit: 'account',
    pathSchema: portfolioPath,
    dataSchema: receiptSchema,
    errors: ['not_found'],
    handle: ({ path, ...call }) => receiptOfKept(call, portfolio(path.portfolio_id)),
  }),
  defineRoute({
    operationId: 'verifyPortfolio',
    ...JOB_ROUTE,
    pathSchema: portfolioPath,
    path: '/v1/portfolios/{portfolio_id}/verify',
    summary: 'Compute a kept portfolio again and explain every difference',
    dataSchema: verificationSchema,
    handle: ({ path, ...call }) => answerEvidence(call, 'verify', portfolio(path.portfolio_id)),
  }),
  defineRoute({
    operationId: 'runPortfolioLookAhead',
    ...JOB_ROUTE,
    pathSchema: portfolioPath,
    path: '/v1/portfolios/{portfolio_id}/look-ahead',
    summary: 'Prove that a kept portfolio does not look ahead',
    dataSchema: lookAheadSchema,
    handle: ({ path, ...call }) => answerEvidence(call, 'look_ahead', portfolio(path.portfolio_id)),
  }),
  defineRoute({
    operationId: 'listRevisions',
    ...REVISIONS_ROUTE,
    path: '/v1/revisions',
    tag: TAG,
    access: 'member',
    limit: 'account',
    errors: ['invalid_symbol', 'market_not_open', 'symbol_not_found', 'invalid_date'],
    handle: ({ query, services }) => listRevisions(services, query),
  }),
];
