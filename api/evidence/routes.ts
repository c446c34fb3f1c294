/** Evidence: receipts, verification, the search for look-ahead, and revisions of market data. */
import { type Revision, selectRevisions } from '../../db/market/revisions.ts';
import type { KeptKind } from '../../db/runs/kept-runs.ts';
import { found } from '../../engine/util/errors.ts';
import type { AccountCaller } from '../access/caller.ts';
import type { Route } from '../call/route.ts';
import { type Accepted, JsonText } from '../http/answer/reply.ts';
import { dateField, listSchema, momentFilter, pageQuery, symbolField, z } from '../http/input/fields.ts';
import { findInstrument } from '../market/directory.ts';
import { lookAheadSchema, receiptSchema } from '../runs/evidence-schemas.ts';
import { type Kept, ownKept } from '../runs/keep.ts';
import { keptPath } from '../runs/kept-routes.ts';
import { answerRun } from '../runs/request.ts';
import { jobSchema } from '../runs/schemas.ts';
import { defineRoute, type RunCall, type Services } from '../runs/services.ts';
import type { DoneRun } from '../runs/state.ts';
import { OF_ACCOUNT, stateRoute } from '../runs/state-route.ts';
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
  acceptedSchema: jobSchema,
  errors: ['not_found', 'concurrent_backtests', 'backtest_cancelled'],
} as const;

interface KeptEvidence {
  readonly kind: KeptKind;
  readonly ids: { readonly receipt: string; readonly verify: string; readonly lookAhead: string };
  readonly verification?: string;
  readonly proof?: string;
}

/** The routes of one kind of kept run. */
function evidenceRoutes({ kind, ids, verification, proof }: KeptEvidence): readonly Route<Services>[] {
  const { pathSchema, keptOf } = keptPath(kind);
  const path = `/v1/${kind}s/{${kind}_id}`;
  return [
    defineRoute({
      operationId: ids.receipt,
      method: 'get',
      path: `${path}/receipt.json`,
      tag: TAG,
      summary: `Get the receipt of a kept ${kind}`,
      access: 'member',
      limit: 'account',
      pathSchema,
      dataSchema: receiptSchema,
      errors: ['not_found'],
      handle: ({ path, ...call }) => receiptOf(call, keptOf(path)),
    }),
    defineRoute({
      operationId: ids.verify,
      ...JOB_ROUTE,
      path: `${path}/verify`,
      pathSchema,
      summary: `Compute a kept ${kind} again and explain every difference`,
      description: verification,
      dataSchema: verificationSchema,
      handle: ({ path, ...call }) => answerEvidence(call, 'verify', keptOf(path)),
    }),
    defineRoute({
      operationId: ids.lookAhead,
      ...JOB_ROUTE,
      path: `${path}/look-ahead`,
      pathSchema,
      summary: `Check a kept ${kind} for look-ahead`,
      description: proof,
      dataSchema: lookAheadSchema,
      handle: ({ path, ...call }) => answerEvidence(call, 'look_ahead', keptOf(path)),
    }),
  ];
}

const summaryOf = (_call: RunCall, { result }: DoneRun) => new JsonText(result.summary);

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
  ...evidenceRoutes({
    kind: 'backtest',
    ids: { receipt: 'getReceipt', verify: 'verifyBacktest', lookAhead: 'runLookAhead' },
    verification:
      'A queue job that the call waits for. The result says whether data, engine, or specification differ from the receipt, ' +
      'which bars and events changed, and each metric before and after.',
    proof:
      'A queue job that the call waits for. It repeats the backtest on the series cut off after each bar of the range and adjusted ' +
      'to that bar, and with longer and longer histories before the range: 1, 2, 4 … times the longest period of its strategy or rules.',
  }),
  ...evidenceRoutes({
    kind: 'portfolio',
    ids: { receipt: 'getPortfolioReceipt', verify: 'verifyPortfolio', lookAhead: 'runPortfolioLookAhead' },
  }),
  stateRoute('verify', {
    operationId: 'getVerificationJob',
    tag: TAG,
    summary: 'Get the state of a queued verification',
    description: OF_ACCOUNT,
    dataSchema: verificationStateSchema,
    show: summaryOf,
  }),
  stateRoute('look_ahead', {
    operationId: 'getLookAheadJob',
    tag: TAG,
    summary: 'Get the state of a queued check for look-ahead',
    description: OF_ACCOUNT,
    dataSchema: lookAheadStateSchema,
    show: summaryOf,
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
