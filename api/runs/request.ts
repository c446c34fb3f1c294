/** Queues a run and waits for its end. */
import { randomUUID } from 'node:crypto';
import { ANSWERS_KEPT_MS } from '../../db/accounts/idempotency.ts';
import { isQueuePaused } from '../../db/queue/queue-pauses.ts';
import { isUnderWay, type Run, type RunKind, selectRun } from '../../db/runs/runs.ts';
import { ServiceError } from '../../engine/util/errors.ts';
import { RUN_KINDS, type RunWork } from '../../jobs/contracts/run-kinds.ts';
import { cancelUnstarted, type NewRun } from '../../jobs/run-queue.ts';
import { accountOf, type Caller, ownerOf } from '../access/caller.ts';
import { boundsOf, PLANS } from '../access/plans.ts';
import type { RequestContext } from '../access/request-context.ts';
import type { Services } from './services.ts';
import { runFailure } from './state.ts';

/** Between the time limit of a run that did not wait in the queue and the notification of its end. */
const END_MS = 3_000;

export type RunRequest = RunWork & {
  /** Whether the caller wants the result kept. Results of guests are never kept. */
  readonly save: boolean;
  /** Answers at once, without the result. */
  readonly isAsync: boolean;
};

/** The run as it is when it has ended, or when the caller has waited long enough. Throws what made an awaited one fail. */
export async function requestRun(
  services: Services,
  context: RequestContext,
  caller: Caller,
  request: RunRequest,
): Promise<Run> {
  const { pool, now } = services;
  const earlier = context.idempotentJobId === null ? null : await selectRun(pool, context.idempotentJobId);
  const isQueued = earlier !== null && isOfCall(earlier, now()) && (isUnderWay(earlier) || earlier.result !== null);
  const id = isQueued ? earlier.id : queuedId(context, earlier);
  const queue = () => queueRun(services, context, caller, id, request);
  const run = await awaitRun(services, context, { id, ...request }, isQueued ? null : queue);
  if (!run) throw new ServiceError('invalid_credential'); // Its account was deleted meanwhile.
  const failure = request.isAsync ? null : runFailure(run);
  if (failure) throw failure;
  return run;
}

/** Waits for a run, unless it is asynchronous; queues it first if it was not. Null: there is none any more. */
async function awaitRun(
  services: Services,
  context: RequestContext,
  { id, kind, isAsync }: Pick<RunRequest, 'kind' | 'isAsync'> & { readonly id: string },
  queue: (() => Promise<void>) | null,
): Promise<Run | null> {
  const { runs, backtestWaitMs } = services;
  const { ended, queued, forget } = runs.expect(id);
  try {
    await queue?.();
    queued();
    if (!isAsync) await waitFor(services, context, { id, kind }, ended, waitMsFor(kind, backtestWaitMs));
  } finally {
    forget();
  }
  return runs.read(id);
}

/** Whether work with the id of a call is that of the call, and not of one that had its key a day before. */
export function isOfCall({ createdAt }: { readonly createdAt: Date }, now: number): boolean {
  return createdAt.getTime() > now - ANSWERS_KEPT_MS;
}

/** The id of a new run. An earlier one of the same call that gave no result keeps its own. */
function queuedId({ idempotentJobId }: RequestContext, earlier: Run | null): string {
  return earlier === null && idempotentJobId !== null ? idempotentJobId : randomUUID();
}

async function queueRun(
  { runQueue, limiter, now }: Services,
  context: RequestContext,
  caller: Caller,
  id: string,
  { kind, spec, save }: RunRequest,
): Promise<void> {
  const { concurrent_backtests, backtest_history_max } = PLANS[caller.plan].quotas;
  const account = accountOf(caller);
  const run = {
    id,
    kind,
    spec,
    isSaved: save && account !== null,
    owner: ownerOf(caller),
    userId: account?.userId ?? null,
    historyMax: backtest_history_max,
    requestId: context.requestId,
    at: new Date(now()),
    max: concurrent_backtests,
    bounds: boundsOf(caller.plan),
  };
  if (await runQueue.add(run)) return;
  await limiter.refund(context);
  throw new ServiceError('concurrent_backtests', { plan: caller.plan, max: concurrent_backtests, seconds: 1 });
}

/** A call that waits as long as a run may take waits for its end too: the answer is its error, not a job that fails a moment later. */
export function waitMsFor(kind: RunKind, ms: number): number {
  const { seconds } = RUN_KINDS[kind];
  return seconds !== null && ms >= 1000 * seconds ? Math.max(ms, 1000 * seconds + END_MS) : ms;
}

/** A call that has waited for so long is answered at once if its queue is paused. */
const PAUSE_CHECK_MS = 1_000;

/** Waits for the end of a run for `ms` at most. If the client goes away, a run that no worker has started is canceled. */
async function waitFor(
  { pool, boss, now }: Services,
  context: RequestContext,
  awaited: Pick<NewRun, 'id' | 'kind'>,
  ended: Promise<void>,
  ms: number,
): Promise<void> {
  const gone = context.abortSignal();
  const { promise: enough, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, ms);
  const pauseCheck = setTimeout(() => {
    isQueuePaused(pool, awaited.kind).then(
      (isPaused) => isPaused && resolve(),
      () => {}, // The end of the wait tells how the database is.
    );
  }, PAUSE_CHECK_MS);
  if (gone.aborted) resolve();
  gone.addEventListener('abort', () => resolve(), { once: true });
  await Promise.race([ended, enough]);
  clearTimeout(timer);
  clearTimeout(pauseCheck);
  if (gone.aborted) await cancelUnstarted(pool, boss, awaited, new Date(now()));
}
