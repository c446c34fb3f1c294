/** Evidence: receipts, verification, the search for look-ahead, and revisions of market data. */
import { type Revision, selectRevisions } from '../../db/market/revisions.ts';
import { found } from '../../engine/util/errors.ts';
import { RUN_KINDS } from '../../jobs/contracts/run-kinds.ts';
import type { AccountCaller } from '../access/caller.ts';
import type { Route } from '../call/route.ts';
import { type Accepted, JsonText } from '../http/answer/reply.ts';
import { dateField, idField, listSchema, momentFilter, pageQuery, symbolField, z } from '../http/input/fields.ts';
import { findInstrument } from '../market/directory.ts';
import { lookAheadSchema, receiptSchema } from '../runs/evidence-schemas.ts';
import { type Kept, ownKept } from '../runs/keep.ts';
import { answerRun } from '../runs/request.ts';
import { jobPath, jobSchema, waitQuery } from '../runs/schemas.ts';
import { defineRoute, type RunCall, type Services } from '../runs/services.ts';
import { isDone, ownRun, runState } from '../runs/state.ts';
import { storedSummary } from '../runs/view.ts';
import { explainBar } from './explain.ts';
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

type EvidenceCall = RunCall<AccountCaller>;

type EvidenceKind = 'verify' | 'look_ahead';

async function receiptOf(call: EvidenceCall, kept: Kept) {
  return found(storedSummary(await ownKept(call, kept)).summary.receipt);
}

/** Runs a job on a kept backtest or portfolio. */
async function answerEvidence(call: EvidenceCall, kind: EvidenceKind, kept: Kept): Promise<JsonText | Accepted> {
  const { id: backtestId } = await ownKept(call, kept);
  const request = { kind, spec: { backtestId }, save: false };
  return answerRun(call, request, ({ result }) => new JsonText(result.summary));
}

async function evidenceState(call: RunCall, kind: EvidenceKind, jobId: string, waitSeconds: number): Promise<JsonText> {
  const run = await ownRun(call, kind, jobId, waitSeconds);
  const result = isDone(run) ? JSON.parse(run.result.summary) : null;
  const state = await runState(call.services.pool, run, call.context.locale);
  return new JsonText(JSON.stringify({ ...state, result }));
}

interface RevisionQuery {
  readonly symbol?: string;
  readonly since?: Date;
  readonly page: number;
  readonly size: number;
}

async function listRevisions({ pool, market }: Services, { symbol, since, page, size }: RevisionQuery) {
  const instrumentId = symbol === undefined ? undefined : findInstrument(market.directory, symbol).id;
  const { total, items } = await selectRevisions(pool, { instrumentId, since }, { page, size });
  const symbols = new Map(market.directory.items.map((item) => [item.id, item.qualified]));
  const view = (revision: Revision) => revisionView(revision, symbols.get(revision.instrumentId) ?? null);
  return { total, page, size, items: items.map(view) };
}

function revisionView(revision: Revision, symbol: string | null): z.input<typeof revisionSchema> {
  const { id, day: date, syncJobId: sync_job_id } = revision;
  const change = { id, symbol, date, sync_job_id, at: revision.at.toISOString() };
  return 'eventKey' in revision
    ? { ...change, kind: 'event', was: revision.was, is: revision.became }
    : { ...change, kind: 'bar', venue_mode: revision.venueBasis, was: revision.was, is: revision.became };
}

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
  description: 'Only for the account that queued it. Available for an hour after its end.',
  access: 'anyone',
  limit: 'public',
  pathSchema: jobPath,
  querySchema: waitQuery,
  errors: ['not_found'],
} as const;

const REVISIONS_ROUTE = {
  method: 'get',
  summary: 'List bars and events that loads changed after they had been served, newest first',
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
    summary: 'Get the receipt of a kept backtest',
    access: 'member',
    limit: 'account',
    pathSchema: idPath,
    dataSchema: receiptSchema,
    errors: ['not_found'],
    handle: ({ path, ...call }) => receiptOf(call, backtest(path.backtest_id)),
  }),
  defineRoute({
    operationId: 'verifyBacktest',
    ...JOB_ROUTE,
    path: '/v1/backtests/{backtest_id}/verify',
    summary: 'Compute a kept backtest again and explain every difference',
    description:
      'A queue job that the call waits for. The result says whether data, engine, or specification differ from the receipt, ' +
      'which bars and events changed, and each metric before and after.',
    dataSchema: verificationSchema,
    handle: ({ path, ...call }) => answerEvidence(call, 'verify', backtest(path.backtest_id)),
  }),
  defineRoute({
    operationId: 'getVerificationJob',
    ...STATE_ROUTE,
    path: `${RUN_KINDS.verify.jobsPath}/{job_id}`,
    summary: 'Get the state of a queued verification',
    dataSchema: verificationStateSchema,
    handle: ({ path, query, ...call }) => evidenceState(call, 'verify', path.job_id, query.wait),
  }),
  defineRoute({
    operationId: 'runLookAhead',
    ...JOB_ROUTE,
    path: '/v1/backtests/{backtest_id}/look-ahead',
    summary: 'Check a kept backtest for look-ahead',
    description:
      'A queue job that the call waits for. It repeats the backtest on the series cut off after each bar of the range and adjusted ' +
      'to that bar, and with longer and longer histories before the range: 1, 2, 4 … times the longest period of its strategy or rules.',
    dataSchema: lookAheadSchema,
    handle: ({ path, ...call }) => answerEvidence(call, 'look_ahead', backtest(path.backtest_id)),
  }),
  defineRoute({
    operationId: 'getLookAheadJob',
    ...STATE_ROUTE,
    path: `${RUN_KINDS.look_ahead.jobsPath}/{job_id}`,
    summary: 'Get the state of a queued check for look-ahead',
    dataSchema: lookAheadStateSchema,
    handle: ({ path, query, ...call }) => evidenceState(call, 'look_ahead', path.job_id, query.wait),
  }),
  defineRoute({
    operationId: 'getBarOrigin',
    method: 'get',
    path: '/v1/static/{symbol}/bars/{date}',
    tag: TAG,
    summary: 'Get the origin of a bar',
    description:
      'Its rows as traded, the loads and files that they come from, and the events that adjust them. Plans pro and enterprise.',
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
    summary: 'Get the receipt of a kept portfolio',
    access: 'member',
    limit: 'account',
    pathSchema: portfolioPath,
    dataSchema: receiptSchema,
    errors: ['not_found'],
    handle: ({ path, ...call }) => receiptOf(call, portfolio(path.portfolio_id)),
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
    summary: 'Check a kept portfolio for look-ahead',
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
