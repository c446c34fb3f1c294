/** Handlers of the routes of evidence. */

import { type Revision, selectRevisions } from '../../db/market/revisions.ts';
import type { Run } from '../../db/runs/runs.ts';
import { found } from '../../engine/util/errors.ts';
import type { AccountCaller } from '../access/caller.ts';
import { type Accepted, JsonText } from '../http/answer/reply.ts';
import type { z } from '../http/input/fields.ts';
import { findInstrument } from '../market/directory.ts';
import { type Kept, ownKept } from '../runs/keep.ts';
import { requestRun } from '../runs/request.ts';
import type { RunCall, Services } from '../runs/services.ts';
import { acceptedRun, isDone, ownRun, runState } from '../runs/state.ts';
import { storedSummary } from '../runs/view.ts';
import type { revisionSchema } from './schemas.ts';

type EvidenceCall = RunCall<AccountCaller>;

type EvidenceKind = 'verify' | 'look_ahead';

export async function receiptOfKept(call: EvidenceCall, kept: Kept) {
  return found(storedSummary(await ownKept(call, kept)).summary.receipt);
}

/** Runs a job on a kept backtest or portfolio: what it found, or 202 with where to ask for it. */
export async function answerEvidence(call: EvidenceCall, kind: EvidenceKind, kept: Kept): Promise<JsonText | Accepted> {
  const { services, context, caller } = call;
  const { id: backtestId } = await ownKept(call, kept);
  const { isAsync } = context;
  const run = await requestRun(services, context, caller, { kind, spec: { backtestId }, save: false, isAsync });
  if (isDone(run) && !isAsync) return new JsonText(run.result.summary);
  return acceptedRun(services.pool, run, context.locale);
}

export async function evidenceState(
  call: RunCall,
  kind: EvidenceKind,
  jobId: string,
  waitSeconds: number,
): Promise<JsonText> {
  const run: Run = await ownRun(call, kind, jobId, waitSeconds);
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

export async function listRevisions({ pool, market }: Services, { symbol, since, page, size }: RevisionQuery) {
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
