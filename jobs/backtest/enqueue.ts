/** Runs of backtests and optimizations: recorded and queued, canceled. */
import type { PgBoss } from 'pg-boss';
import { cancelQueuedRun, insertRun, type NewRun, selectActiveRuns } from '../../db/backtests/backtest-runs.ts';
import { type Connection, executorOn, type Pool } from '../../db/pool.ts';
import { send } from '../queue/boss.ts';

/** Records a run and queues its job; false when its owner has `max` runs under way already. */
export async function enqueueRun(connection: Connection, boss: PgBoss, run: NewRun, max: number): Promise<boolean> {
  const turn = await insertRun(connection, run, max);
  if (turn === null) return false;
  await send(boss, connection, run.kind, run.id, { runId: run.id, requestId: run.requestId }, -turn);
  return true;
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
