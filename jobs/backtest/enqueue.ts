/** Runs of backtests and optimizations: recorded and queued, canceled. */
import type { PgBoss } from 'pg-boss';
import { admissionOn } from '../../db/backtests/admissions.ts';
import { cancelQueuedRun, type RunKind, selectActiveRuns } from '../../db/backtests/backtest-runs.ts';
import { Gathered } from '../../db/gathered.ts';
import { type Connection, executorOn, type Pool, type Queryable } from '../../db/pool.ts';
import { type JobBounds, UNBOUND } from '../queue/queue-contract.ts';
import { type Payload, QUEUES, queuesOf } from '../queue/queues.ts';

export interface NewRun {
  readonly id: string;
  readonly kind: RunKind;
  /** The owner in whose concurrency it counts: `user:…` or `ip:…`. */
  readonly owner: string;
  readonly userId: number | null;
  /** Whether the result is kept in the account. */
  readonly isSaved: boolean;
  /** How many backtests the account may keep; null: any number. */
  readonly historyMax: number | null;
  readonly spec: object;
  readonly requestId: string;
  readonly at: Date;
  /** Runs that the owner may have under way at once. */
  readonly max: number;
  /** Absent: those of an operator. */
  readonly bounds?: JobBounds;
  /**
   * Whether its caller hears of it only when it has ended. Until then a crash of the database may lose the run: whoever tells of it
   * before confirms first that it is on disk (`confirmRun`).
   */
  readonly isAwaited: boolean;
}

/** Runs that are recorded in one statement at most. */
const MAX_TOGETHER = 32;

/** Records and queues runs of one kind. False for each whose owner has too many under way already. */
export async function enqueueRuns(
  db: Queryable,
  boss: PgBoss,
  kind: RunKind,
  runs: readonly NewRun[],
): Promise<boolean[]> {
  const requested = runs.map(({ id, owner, userId, isSaved, historyMax, spec, requestId, at, max, bounds }) => {
    const payload: Payload<RunKind> = { runId: id, requestId };
    const account = { user_id: userId, is_saved: isSaved, history_max: historyMax };
    const data = QUEUES[kind].payload.parse(payload);
    const { planRank, secondsMax } = bounds ?? UNBOUND;
    const bound = { max, plan_rank: planRank, seconds_max: secondsMax };
    return { id, kind, owner, ...account, spec, request_id: requestId, created_at: at, ...bound, data };
  });
  const areAwaited = runs.every(({ isAwaited }) => isAwaited);
  const admission = admissionOn(db, { requested, lane: queuesOf(QUEUES[kind].lane), areAwaited });
  const admitted = new Set(await boss.insert(kind, [], { db: admission, returnId: true }));
  return runs.map(({ id }) => admitted.has(id));
}

/** Queues runs; those of one moment share a statement. */
export class RunQueue {
  private readonly kinds = new Map<RunKind, Gathered<NewRun, boolean>>();
  private readonly db: Queryable;
  private readonly boss: PgBoss;

  constructor(db: Queryable, boss: PgBoss) {
    this.db = db;
    this.boss = boss;
  }

  /** Records a run and queues its job; false when its owner has too many under way already. */
  add(run: NewRun): Promise<boolean> {
    let gathered = this.kinds.get(run.kind);
    if (!gathered) {
      gathered = new Gathered({ max: MAX_TOGETHER, run: (runs) => enqueueRuns(this.db, this.boss, run.kind, runs) });
      this.kinds.set(run.kind, gathered);
    }
    return gathered.add(run);
  }
}

/** Cancels a backtest whose caller went away, unless a worker has taken it. */
export async function cancelUnstarted(
  pool: Pool,
  boss: PgBoss,
  { id, kind }: Pick<NewRun, 'id' | 'kind'>,
  at: Date,
): Promise<void> {
  if (await cancelQueuedRun(pool, id, at)) await boss.cancel(kind, id);
}

/** Cancels the jobs of all runs of an account, and with them the runs, so that callers who wait are answered. */
export async function cancelRunsOf(connection: Connection, boss: PgBoss, userId: number): Promise<void> {
  for (const { id, kind } of await selectActiveRuns(connection, userId)) {
    await boss.cancel(kind, id, { db: executorOn(connection) });
  }
}
