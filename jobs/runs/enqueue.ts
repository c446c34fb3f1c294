/** Records and queues runs of every kind, and cancels them. */
import type { PgBoss } from 'pg-boss';
import { BATCH_LOCK_MS, Batcher } from '../../db/batcher.ts';
import { type Connection, executorOn, type Pool, transaction } from '../../db/pool.ts';
import { admitRuns, cancelQueuedRun, type RunKind, selectActiveRuns } from '../../db/runs/runs.ts';
import { CLAIM_IDLE_MS } from '../../db/session-limits.ts';
import { type JobBounds, priorityOf, UNBOUND } from '../contracts/queue-contract.ts';
import { type Payload, QUEUES, queuesOf } from '../contracts/queues.ts';
import { type TraceHeaders, traceHeaders } from '../contracts/traces.ts';

export interface NewRun {
  readonly id: string;
  readonly kind: RunKind;
  /** The owner whose concurrent runs are limited: `user:…` or `ip:…`. */
  readonly owner: string;
  readonly userId: number | null;
  /** Whether the result is kept in the account. */
  readonly isKept: boolean;
  /** How many backtests the account may keep; null: any number. */
  readonly historyMax: number | null;
  readonly spec: object;
  readonly requestId: string;
  readonly at: Date;
  /** Unfinished runs that the owner may have at once. */
  readonly max: number;
  /** Absent: those of an operator. */
  readonly bounds?: JobBounds;
}

/** A run with the trace of its own call: runs of several calls are queued together. */
interface TracedRun extends NewRun {
  readonly trace?: TraceHeaders;
}

/** The most runs that share a transaction. */
const MAX_TOGETHER = 32;
/** A job that hangs is retried after its limit of processor seconds times this factor, plus a minute: meanwhile others have their turns. */
const EXPIRE_FACTOR = 30;
const UNBOUND_SECONDS = 300;

function requestedRun({
  id,
  kind,
  owner,
  userId,
  isKept,
  historyMax,
  spec,
  requestId,
  at,
  max,
  bounds = UNBOUND,
}: NewRun) {
  const account = { owner, user_id: userId, is_saved: isKept, history_max: historyMax, max };
  const bound = { seconds_max: bounds.secondsMax };
  return { id, kind, ...account, spec, request_id: requestId, created_at: at, ...bound };
}

function jobOf({ id, kind, owner, requestId, bounds = UNBOUND, trace }: TracedRun, turn: number) {
  const payload: Payload<RunKind> = { runId: id, requestId };
  return {
    id,
    data: { ...QUEUES[kind].payload.parse(payload), ...trace },
    priority: priorityOf(turn, bounds.planRank),
    group: { id: owner },
    expireInSeconds: 60 + EXPIRE_FACTOR * (bounds.secondsMax ?? UNBOUND_SECONDS),
  };
}

/** Records and queues runs of one kind. False for each run whose owner has too many unfinished ones. */
export async function enqueueRuns(
  pool: Pool,
  boss: Pick<PgBoss, 'insert'>,
  kind: RunKind,
  runs: readonly TracedRun[],
): Promise<boolean[]> {
  const enqueue = async (connection: Connection) => {
    const lane = queuesOf(QUEUES[kind].lane);
    const turns = await admitRuns(connection, runs.map(requestedRun), lane);
    const jobs = runs.flatMap((run) => {
      const turn = turns.get(run.id);
      return turn === undefined ? [] : [jobOf(run, turn)];
    });
    if (jobs.length === 0) return turns;
    const queued = await boss.insert(kind, jobs, { db: executorOn(connection), returnId: true });
    if (queued?.length !== jobs.length) throw new Error(`queue ${kind} has a job of a new run already`);
    return turns;
  };
  const lockMs = runs.length > 1 ? BATCH_LOCK_MS : undefined;
  const turns = await transaction(pool, enqueue, { lockMs, transactionIdleMs: CLAIM_IDLE_MS });
  return runs.map(({ id }) => turns.has(id));
}

/** Queues runs; concurrent requests share a transaction. */
export class RunQueue {
  private readonly kinds = new Map<RunKind, Batcher<TracedRun, boolean>>();
  private readonly pool: Pool;
  private readonly boss: Pick<PgBoss, 'insert'>;

  constructor(pool: Pool, boss: Pick<PgBoss, 'insert'>) {
    this.pool = pool;
    this.boss = boss;
  }

  /** Records a run and queues its job; false when its owner has too many unfinished runs. */
  add(run: NewRun): Promise<boolean> {
    let batcher = this.kinds.get(run.kind);
    if (!batcher) {
      batcher = new Batcher({ max: MAX_TOGETHER, run: (runs) => enqueueRuns(this.pool, this.boss, run.kind, runs) });
      this.kinds.set(run.kind, batcher);
    }
    return batcher.add({ ...run, trace: traceHeaders() });
  }
}

/** Cancels a run that no worker has started yet. */
export async function cancelUnstarted(
  pool: Pool,
  boss: PgBoss,
  { id, kind }: Pick<NewRun, 'id' | 'kind'>,
  at: Date,
): Promise<void> {
  if (await cancelQueuedRun(pool, id, at)) await boss.cancel(kind, id);
}

/** Cancels all unfinished runs of an account with their jobs, so that waiting callers get an answer. */
export async function cancelRunsOf(connection: Connection, boss: PgBoss, userId: number): Promise<void> {
  for (const { id, kind } of await selectActiveRuns(connection, userId)) {
    await boss.cancel(kind, id, { db: executorOn(connection) });
  }
}
