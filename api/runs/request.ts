/** Queues a run, waits for its end, and answers with its result or with where its state can be read. */
import { randomUUID } from 'node:crypto';
import { ANSWERS_KEPT_MS } from '../../db/accounts/idempotency.ts';
import { isQueuePaused } from '../../db/queue/queues.ts';
import { isUnderWay, type Run, type RunKind, selectRun } from '../../db/runs/runs.ts';
import { ServiceError } from '../../engine/util/errors.ts';
import { RUN_KINDS, type RunWork } from '../../jobs/contracts/run-kinds.ts';
import { cancelUnstarted, type NewRun } from '../../jobs/runs/enqueue.ts';
import { accountOf, type Caller, ownerOf } from '../access/caller.ts';
import { boundsOf, PLANS } from '../access/plans.ts';
import type { RequestContext } from '../access/request-context.ts';
import type { Accepted } from '../http/answer/reply.ts';
import type { RunCall, Services } from './services.ts';
import { acceptedRun, type DoneRun, isDone, runFailure } from './state.ts';

/** Margin between the time limit of a run and the notification of its end. */
const END_MS = 3_000;

export type RunRequest = RunWork & {
  /** Whether the caller wants the result kept. Results of guests are never kept. */
  readonly save?: boolean;
  /** Whether the answer has long parts of the result. Default: it may. */
  readonly hasParts?: boolean;
};

type AwaitedRequest = RunRequest & {
  /** Whether to return at once, without waiting for the result. */
  readonly isAsync: boolean;
};

/**
 * Runs what a call requests. Answers with what `show` makes of the result, or with 202 if the caller does not wait or has waited
 * too long.
 */
export async function answerRun<T>(
  call: RunCall,
  request: RunRequest,
  show: (run: DoneRun) => T | Promise<T>,
): Promise<T | Accepted> {
  const { services, context, caller } = call;
  const { isAsync, locale } = context;
  const run = await requestRun(services, context, caller, { ...request, isAsync });
  return isDone(run) && !isAsync ? show(run) : acceptedRun(services.pool, run, locale);
}

/** The run when it has ended or the caller has waited long enough. Throws the error of an awaited run that failed. */
export async function requestRun(
  services: Services,
  context: RequestContext,
  caller: Caller,
  request: AwaitedRequest,
): Promise<Run> {
  const { pool, now } = services;
  const { id, isQueued } = await workOfCall(
    context,
    now(),
    (id) => selectRun(pool, id),
    (run) => isUnderWay(run) || run.result !== null,
  );
  const queue = () => queueRun(services, context, caller, id, request);
  const run = await awaitRun(services, context, { id, ...request }, isQueued ? null : queue);
  if (!run) throw new ServiceError('invalid_credential'); // Its account was deleted.
  const failure = request.isAsync ? null : runFailure(run);
  if (failure) throw failure;
  return run;
}

/** Waits for a run unless the request is asynchronous; first queues it if `queue` is given. Null: it was deleted. */
async function awaitRun(
  services: Services,
  context: RequestContext,
  {
    id,
    kind,
    isAsync,
    hasParts = true,
  }: Pick<AwaitedRequest, 'kind' | 'isAsync' | 'hasParts'> & { readonly id: string },
  queue: (() => Promise<void>) | null,
): Promise<Run | null> {
  const { runs, backtestWaitMs } = services;
  const { ended, queued, unsubscribe } = runs.subscribe(id);
  try {
    await queue?.();
    queued();
    if (!isAsync) await waitFor(services, context, { id, kind }, ended, waitMsFor(kind, backtestWaitMs));
  } finally {
    unsubscribe();
  }
  return runs.read(id, hasParts);
}

/**
 * The id of the work of a call, and whether an attempt of the same call has queued it already. Work whose idempotency key has expired,
 * or which is not `usable` any more, is of an earlier call: the new work gets another id.
 */
export async function workOfCall<W extends { readonly createdAt: Date }>(
  { idempotentJobId }: RequestContext,
  now: number,
  select: (id: string) => Promise<W | null>,
  usable: (work: W) => boolean = () => true,
): Promise<{ readonly id: string; readonly isQueued: boolean }> {
  if (idempotentJobId === null) return { id: randomUUID(), isQueued: false };
  const earlier = await select(idempotentJobId);
  if (earlier === null) return { id: idempotentJobId, isQueued: false };
  const isQueued = earlier.createdAt.getTime() > now - ANSWERS_KEPT_MS && usable(earlier);
  return { id: isQueued ? idempotentJobId : randomUUID(), isQueued };
}

async function queueRun(
  { runQueue, limiter, now }: Services,
  context: RequestContext,
  caller: Caller,
  id: string,
  { kind, spec, save = false }: RunRequest,
): Promise<void> {
  const { concurrent_backtests, backtest_history_max } = PLANS[caller.plan].quotas;
  const account = accountOf(caller);
  await context.spend?.({ kind, spec });
  const run = {
    id,
    kind,
    spec,
    isKept: save && account !== null,
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

/** A call that waits as long as a run may take waits a little longer, so that it gets the error of a run that times out. */
export function waitMsFor(kind: RunKind, ms: number): number {
  const { seconds } = RUN_KINDS[kind];
  return seconds !== null && ms >= 1000 * seconds ? Math.max(ms, 1000 * seconds + END_MS) : ms;
}

/** A call that has waited this long is answered at once if its queue is paused. */
const PAUSE_CHECK_MS = 1_000;

/** Waits for the end of a run for at most `ms`. If the client disconnects, a run that no worker has started is canceled. */
async function waitFor(
  { pool, boss, now }: Services,
  context: RequestContext,
  awaited: Pick<NewRun, 'id' | 'kind'>,
  ended: Promise<void>,
  ms: number,
): Promise<void> {
  const from = performance.now();
  const disconnect = context.abortSignal();
  const { promise: enough, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, ms);
  const pauseCheck = setTimeout(() => {
    isQueuePaused(pool, awaited.kind).then(
      (isPaused) => isPaused && resolve(),
      () => {}, // The run is read after the wait, which reports an outage.
    );
  }, PAUSE_CHECK_MS);
  if (disconnect.aborted) resolve();
  disconnect.addEventListener('abort', () => resolve(), { once: true });
  await Promise.race([ended, enough]);
  clearTimeout(timer);
  clearTimeout(pauseCheck);
  context.waitedMs += performance.now() - from;
  if (disconnect.aborted) await cancelUnstarted(pool, boss, awaited, new Date(now()));
}
