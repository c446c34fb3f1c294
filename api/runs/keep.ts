/** Runs whose results an account may keep: run, shown, deleted. */
import { transaction } from '../../db/pool.ts';
import { deleteBacktest, type KeptKind, type SavedBacktest, selectBacktest } from '../../db/runs/kept-runs.ts';
import type { ResultPart } from '../../db/runs/run-results.ts';
import { found } from '../../engine/util/errors.ts';
import { RUN_KINDS, type RunWork } from '../../jobs/contracts/run-kinds.ts';
import { enqueueRemoval } from '../../jobs/storage/enqueue.ts';
import { backtestPrefix } from '../../storage/keys.ts';
import { objectWith } from '../http/answer/long-json.ts';
import { type Accepted, type JsonStream, JsonText } from '../http/answer/reply.ts';
import type { Locale } from '../http/language/locale.ts';
import { requestRun } from './request.ts';
import type { AccountCall, RunCall } from './services.ts';
import { acceptedRun, isDone, ownRun, runState } from './state.ts';
import { runResult, savedResult, showingOf } from './view.ts';

/** How a run that may be kept is queued and answered. */
export type RunAnswer = RunWork<KeptKind> & {
  readonly save: boolean;
  /** Long parts of the answer. */
  readonly parts: readonly ResultPart[];
};

/** Runs what may be kept: its result, or 202 with where to ask for it. */
export async function answerRun(
  call: RunCall,
  { parts, ...request }: RunAnswer,
): Promise<JsonText | JsonStream | Accepted> {
  const { services, context, caller } = call;
  const { isAsync } = context;
  const run = await requestRun(services, context, caller, { ...request, isAsync });
  if (isDone(run) && !isAsync) return runResult(services.pool, run, parts, showingOf(call, context.locale));
  return acceptedRun(services.pool, run, context.locale);
}

/** The state of a run, for the caller who queued it. */
export async function keptState(
  call: RunCall,
  kind: KeptKind,
  jobId: string,
  waitSeconds: number,
): Promise<JsonText | JsonStream> {
  const run = await ownRun(call, kind, jobId, waitSeconds);
  const { locale } = call.context;
  const result = isDone(run)
    ? runResult(call.services.pool, run, RUN_KINDS[kind].kept.parts, showingOf(call, locale))
    : new JsonText('null');
  return objectWith(await runState(call.services.pool, run, locale), [['result', result]]);
}

/** The result that the caller keeps, by kind and id. */
export interface Kept {
  readonly kind: KeptKind;
  readonly id: number;
}

export async function ownKept({ services, caller }: AccountCall, { kind, id }: Kept): Promise<SavedBacktest> {
  return found(await selectBacktest(services.pool, { kind, userId: caller.account.userId, id }));
}

export async function keptResult(
  call: AccountCall,
  kept: Kept,
  parts: readonly ResultPart[],
  locale: Locale,
): Promise<JsonText | JsonStream> {
  return savedResult(call.services.storage, await ownKept(call, kept), parts, showingOf(call, locale));
}

/** Deletes the row at once, and queues a job that deletes the objects. */
export async function removeKept(
  { services, context, caller }: AccountCall,
  { kind, id }: Kept,
): Promise<{ deleted: true }> {
  const { pool, boss } = services;
  const { userId } = caller.account;
  await transaction(pool, async (connection) => {
    found(await deleteBacktest(connection, { kind, userId, id }));
    const removal = { prefix: backtestPrefix(userId, id), requestId: context.requestId };
    await enqueueRemoval(connection, boss, removal);
  });
  return { deleted: true };
}
