/**
 * Rescues the jobs of a worker that has died. A worker holds its lease, a database lock, on its LISTEN connection; the
 * lease ends with the process, and seconds after the machine has vanished, because the server ends a LISTEN connection that has
 * fallen silent. Every worker searches for claims whose lease is free and retries their jobs at once. The heartbeats of pg-boss do
 * the same later.
 */
import type { PgBoss } from 'pg-boss';
import type { Logger } from 'pino';
import { type Connection, type Pool, transaction } from '../../db/pool.ts';
import { deleteClaims, takeDeadClaims } from '../../db/runs/job-claims.ts';
import { CLAIM_IDLE_MS } from '../../db/session-limits.ts';
import { describeStalled, selectStalledTransactions } from '../../db/stalled-transactions.ts';
import { failAttempt } from './fail-attempt.ts';

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
