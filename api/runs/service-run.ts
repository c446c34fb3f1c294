/** Runs of the service itself, whose results are for everybody, among them the examples that pages open with. */
import { createHash } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { isDuplicate } from '../../db/errors.ts';
import { selectRun } from '../../db/runs/runs.ts';
import { ServiceError } from '../../engine/util/errors.ts';
import type { RunWork } from '../../jobs/contracts/run-kinds.ts';
import type { Guest } from '../access/caller.ts';
import type { RequestContext } from '../access/request-context.ts';
import { idOfDigest } from '../call/idempotency.ts';
import { RequestFailure } from '../http/input/request-failure.ts';
import type { RunCall, Services } from './services.ts';
import { type DoneRun, isDone } from './state.ts';

/** They count together. */
const OWNER = 'service';
const MAX_RUNS = 16;
/** A result that no account keeps is stored for so long. */
const KEPT_MS = 3_600_000;

/**
 * All processes use one run for the same `name`, and it goes on when the reader who caused it leaves. Null: it failed, or has not
 * ended in time.
 */
export async function serviceRun(
  { pool, runs, runQueue, now, backtestWaitMs }: Services,
  { requestId }: RequestContext,
  name: string,
  { kind, spec }: RunWork,
): Promise<DoneRun | null> {
  const id = idOf(`${kind} ${name} ${Math.floor(now() / KEPT_MS)}`);
  const { ended, queued, unsubscribe } = runs.subscribe(id);
  try {
    if ((await selectRun(pool, id)) === null) {
      const owned = { owner: OWNER, userId: null, isKept: false, historyMax: null, max: MAX_RUNS };
      await runQueue.add({ id, kind, spec, requestId, at: new Date(now()), ...owned }).catch(ignoreDuplicate);
    }
    queued();
    await Promise.race([ended, wait(backtestWaitMs, undefined, { ref: false })]);
  } finally {
    unsubscribe();
  }
  const run = await runs.read(id, true);
  return run !== null && isDone(run) ? run : null;
}

const idOf = (facts: string) => idOfDigest(createHash('sha256').update(facts).digest());

/** Another process has queued the run at the same time. */
function ignoreDuplicate(error: unknown): void {
  if (!isDuplicate(error)) throw error;
}

/** Who asks for an example: no reader, so that nobody's plan limits it. */
const NOBODY: Guest = { kind: 'guest', counter: 'example', plan: 'enterprise' };

interface Kept<T> {
  readonly version: string;
  readonly example: Promise<T>;
  usedAt: number;
}

export class MarketExample<S extends Services, T> {
  private readonly compute: (call: RunCall<Guest, S>) => Promise<T>;
  /** The newest example of each market that this process serves. */
  private readonly kept = new WeakMap<Services['market'], Kept<T>>();

  constructor(compute: (call: RunCall<Guest, S>) => Promise<T>) {
    this.compute = compute;
  }

  read({ services, context }: Pick<RunCall<Guest, S>, 'services' | 'context'>): Promise<T> {
    const { market, now } = services;
    const { version } = market;
    const known = this.kept.get(market);
    // Parts of a result that nobody has read for so long are no longer stored.
    if (known?.version === version && now() - known.usedAt < KEPT_MS) {
      known.usedAt = now();
      return known.example;
    }
    const example = this.compute({ services, context, caller: NOBODY }).catch(refusedAsNotReady);
    const kept = { version, example, usedAt: now() };
    this.kept.set(market, kept);
    // The next reader tries again.
    example.catch(() => this.kept.get(market) === kept && this.kept.delete(market));
    return example;
  }
}

/** A market whose history is too short for an example has none yet. */
function refusedAsNotReady(error: unknown): never {
  throw error instanceof RequestFailure ? new ServiceError('example_not_ready') : error;
}

/** A run of an example; `name` tells those of one kind apart. */
export async function exampleRun({ services, context }: RunCall<Guest>, name: string, work: RunWork): Promise<DoneRun> {
  const run = await serviceRun(services, context, `${name} ${services.market.version}`, work);
  if (run === null) throw new ServiceError('example_not_ready');
  return run;
}
