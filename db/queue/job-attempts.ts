/** Attempts of jobs. The trigger `job_changed` records those that failed; a claim tells of the one that runs. */
import type { Queryable } from '../pool.ts';

export interface JobAttempt {
  /** From 1. */
  readonly attempt: number;
  /** The machine and process that took the job; null: not known. */
  readonly worker: string | null;
  readonly takenAt: Date;
  /** Null: it runs. */
  readonly endedAt: Date | null;
  readonly error: string | null;
}

/** The attempts of a job that failed, and the one that runs, in order. */
export async function selectAttempts(db: Queryable, queue: string, jobId: string): Promise<JobAttempt[]> {
  const { rows } = await db.query<JobAttempt>(
    `select attempt, worker, taken_at as "takenAt", ended_at as "endedAt", error
     from job_attempts where queue = $1 and job_id = $2
     union all
     select c.attempt + 1, w.name, c.claimed_at, null, null
     from job_claims c join pgboss.job j on j.name = c.queue and j.id = c.job_id and j.retry_count = c.attempt
       left join workers w using (worker_key)
     where c.queue = $1 and c.job_id = $2 and j.state = 'active'
     order by attempt`,
    [queue, jobId],
  );
  return rows;
}

/** Deletes the attempts of jobs that the queue has deleted. */
export async function deleteOldAttempts(db: Queryable): Promise<void> {
  await db.query(
    'delete from job_attempts a where not exists (select from pgboss.job j where j.name = a.queue and j.id = a.job_id)',
  );
}
