/**
 * Rescues the jobs of a worker that has died. A worker holds its lease, a database lock, on its LISTEN connection; the
 * lease ends with the process, and seconds after the machine has vanished, because the server ends a LISTEN connection that has
 * fallen silent. Every worker searches for claims whose lease is free and retries their jobs at once. The heartbeats of pg-boss do
 * the same later.
 */
import type { PgBoss } from 'pg-boss';
import type { Logger } from 'pino';
import { describeStalled, selectStalledTransactions } from '../../db/connection-counts.ts';
import { type Connection, executorOn, type Pool, transaction } from '../../db/pool.ts';
import { deleteClaims, type JobClaim, takeDeadClaims } from '../../db/runs/job-claims.ts';
import { CLAIM_IDLE_MS } from '../../db/session-limits.ts';
import { affectedJobs } from './boss.ts';

export interface Rescue {
  readonly pool: Pool;
  readonly boss: Pick<PgBoss, 'fail' | 'update'>;
  readonly log: Logger;
}

/** Fails the attempts of dead workers and retries their jobs at once. */
export async function rescueJobsOfDeadWorkers({ pool, boss, log }: Rescue): Promise<void> {
  const rescue = async (connection: Connection) => {
    const claims = await takeDeadClaims(connection);
    if (claims.length === 0) return;
    // The claims are deleted last, because the records of failed attempts get the worker from them.
    for (const claim of claims) {
      const isFailed = await failAttempt(connection, boss, claim, { message: 'the worker died' }, 'now');
      if (isFailed) log.warn(claim, 'a job of a dead worker runs again');
    }
    await deleteClaims(connection, claims);
  };
  await transaction(pool, rescue, { transactionIdleMs: CLAIM_IDLE_MS });
}

/** Returns a task that logs each transaction that waits for a vanished machine, once. */
export function stalledTransactionsReporter({ pool, log }: Pick<Rescue, 'pool' | 'log'>): () => Promise<void> {
  let reported = new Set<number>();
  return async () => {
    const stalled = await selectStalledTransactions(pool);
    for (const one of stalled) {
      if (!reported.has(one.pid)) log.warn({ transaction: one }, `a transaction waits: ${describeStalled(one)}`);
    }
    reported = new Set(stalled.map(({ pid }) => pid));
  };
}

/** When a failed job is retried: after the delay of its queue, at once, or never. */
export type Retry = 'later' | 'now' | 'never';

/** Fails an attempt. False, without any effect, when the job has ended or is at another attempt. */
export async function failAttempt(
  connection: Connection,
  boss: Pick<PgBoss, 'fail' | 'update'>,
  { queue, jobId: id, attempt }: JobClaim,
  error: { readonly message: string; readonly stack?: string },
  retry: Retry,
): Promise<boolean> {
  const db = executorOn(connection);
  if (affectedJobs(await boss.fail(queue, { id, retryCount: attempt }, error, { db })) === 0) return false;
  // Unless this was the last attempt, the job waits for the next one: it can be updated, and failed permanently.
  if (retry === 'now') await boss.update({ name: queue, options: { id, startAfter: 0, db } });
  if (retry === 'never') {
    await boss.update({ name: queue, options: { id, retryLimit: attempt, startAfter: 0, db } });
    await boss.fail(queue, id, error, { db });
  }
  return true;
}
