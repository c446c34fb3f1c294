/** Fails attempts of jobs. */
import type { PgBoss } from 'pg-boss';
import { type Connection, executorOn } from '../../db/pool.ts';
import type { JobClaim } from '../../db/runs/job-claims.ts';
import { affectedJobs } from './boss.ts';

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
