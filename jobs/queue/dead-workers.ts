/**
 * Rescues the jobs of a worker that has died. A worker holds its lease, a database lock, on its LISTEN connection; the
 * lease ends with the process. Every worker searches for claims whose lease is free and retries their jobs at once. If a
 * machine disappears without closing its connections, the heartbeats of pg-boss do the same later.
 */
import type { PgBoss } from 'pg-boss';
import type { Logger } from 'pino';
import { type Pool, transaction } from '../../db/pool.ts';
import { deleteClaims, takeDeadClaims } from '../../db/runs/job-claims.ts';
import { failAttempt } from './fail-attempt.ts';

export interface Rescue {
  readonly pool: Pool;
  readonly boss: Pick<PgBoss, 'fail' | 'update'>;
  readonly log: Logger;
}

/** Fails the attempts of dead workers and retries their jobs at once. */
export async function rescueJobsOfDeadWorkers({ pool, boss, log }: Rescue): Promise<void> {
  await transaction(pool, async (connection) => {
    const claims = await takeDeadClaims(connection);
    if (claims.length === 0) return;
    // The claims are deleted last, because the records of failed attempts get the worker from them.
    for (const claim of claims) {
      const isFailed = await failAttempt(connection, boss, claim, { message: 'the worker died' }, 'now');
      if (isFailed) log.warn(claim, 'a job of a dead worker runs again');
    }
    await deleteClaims(connection, claims);
  });
}
