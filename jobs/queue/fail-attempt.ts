/** Fails attempts of jobs: those that went wrong, and those of workers that died. */
import type { PgBoss } from 'pg-boss';
import type { Logger } from 'pino';
import { type Connection, executorOn, type Pool, transaction } from '../../db/pool.ts';
import { deleteClaims, type JobClaim, takeDeadClaims } from '../../db/runs/job-claims.ts';
import { affectedJobs } from './boss.ts';

/** When a failed job is tried again: as its queue says, at once, or never. */
export type Retry = 'later' | 'now' | 'never';

/** False, without any effect, when the job has ended or is at another attempt. */
export async function failAttempt(
  connection: Connection,
  boss: Pick<PgBoss, 'fail' | 'update'>,
  { queue, jobId: id, attempt }: JobClaim,
  error: { readonly message: string; readonly stack?: string },
  retry: Retry,
): Promise<boolean> {
  const db = executorOn(connection);
  if (affectedJobs(await boss.fail(queue, { id, retryCount: attempt }, error, { db })) === 0) return false;
  // Unless it was the last attempt, the job waits for the next one, and so can be changed, and failed for good.
  if (retry === 'now') await boss.update({ name: queue, options: { id, startAfter: 0, db } });
  if (retry === 'never') {
    await boss.update({ name: queue, options: { id, retryLimit: attempt, startAfter: 0, db } });
    await boss.fail(queue, id, error, { db });
  }
  return true;
}

export interface Rescue {
  readonly pool: Pool;
  readonly boss: Pick<PgBoss, 'fail' | 'update'>;
  readonly log: Logger;
}

/** Fails the attempts of dead workers and starts their jobs again. */
export async function rescueJobsOfDeadWorkers({ pool, boss, log }: Rescue): Promise<void> {
  await transaction(pool, async (connection) => {
    const claims = await takeDeadClaims(connection);
    if (claims.length === 0) return;
    // The claims are deleted last: the records of the failed attempts take the worker from them.
    for (const claim of claims) {
      const isFailed = await failAttempt(connection, boss, claim, { message: 'the worker died' }, 'now');
      if (isFailed) log.warn(claim, 'a job of a dead worker runs again');
    }
    await deleteClaims(connection, claims);
  });
}
