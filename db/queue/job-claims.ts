/**
 * Claims of jobs and leases of workers: they tell the jobs of a dead worker from those of a slow one. Also other statements on
 * the jobs that pg-boss keeps.
 */
import type { Selected } from '../columns.ts';
import type { Connection, Queryable } from '../pool.ts';
import { selection } from '../tables.ts';

/** Notified by the trigger `job_changed` with the name of a queue that has a job to run. */
export const JOB_WAKE_CHANNEL = 'job_wake';

const FETCH_LOCK = 7_302;
const WORKER_LOCK = 7_303;

/** Serializes fetches from a queue for the rest of the transaction, so that its limits are exact. */
export async function lockQueueFetch(connection: Connection, queue: string): Promise<void> {
  await connection.query('select pg_advisory_xact_lock($1, hashtext($2))', [FETCH_LOCK, queue]);
}

/** Takes the worker's lease on this connection, which ends with it, however the process ends, and records the name of the worker. */
export async function holdWorkerLease(connection: Queryable, workerKey: number, name: string): Promise<void> {
  await connection.query('select pg_advisory_lock($1, $2)', [WORKER_LOCK, workerKey]);
  await connection.query('insert into workers (worker_key, name) values ($1, $2) on conflict do nothing', [
    workerKey,
    name,
  ]);
}

/** Forgets workers that started before a moment and hold no lease any more. */
export async function deleteDeadWorkers(db: Queryable, startedBefore: Date): Promise<void> {
  await db.query(
    `delete from workers where started_at < $1 and not exists (
       select from pg_locks where locktype = 'advisory' and classid = ${WORKER_LOCK} and objid::bigint = worker_key)`,
    [startedBefore],
  );
}

const CLAIM = selection('job_claims', {
  queue: 'queue',
  jobId: 'job_id',
  attempt: 'attempt',
});

export type JobClaim = Selected<typeof CLAIM>;

/** Deletes the claims of ended attempts. The claim of a newer attempt stays. */
export async function deleteClaims(db: Queryable, claims: readonly JobClaim[]): Promise<void> {
  await db.query(
    `delete from job_claims where (queue, job_id, attempt) in (select * from unnest($1::text[], $2::uuid[], $3::int[]))`,
    [claims.map((c) => c.queue), claims.map((c) => c.jobId), claims.map((c) => c.attempt)],
  );
}

/**
 * Returns the claims of workers whose lease is free, for the caller to settle and delete in this transaction. The lock of each dead
 * worker is held until the commit, so that no job is rescued twice. Workers of the version before offer slots; those of dead ones go.
 */
export async function takeDeadClaims(connection: Connection): Promise<JobClaim[]> {
  const { rows } = await connection.query<JobClaim>(
    `with workers as materialized (select worker_key from job_claims union select worker_key from job_offers),
     dead as materialized (
       select worker_key from workers where pg_try_advisory_xact_lock(${WORKER_LOCK}, worker_key::int)),
     withdrawn as (delete from job_offers where worker_key in (select worker_key from dead))
     select ${CLAIM.sql} from job_claims where worker_key in (select worker_key from dead)`,
  );
  return rows;
}

/** Ends the retry delay of a job. */
export async function runWithoutDelay(db: Queryable, jobId: string): Promise<void> {
  await db.query(`update pgboss.job set start_after = now() where id = $1 and state = 'retry'`, [jobId]);
}

/** Makes the next failure of an active job its last. */
export async function forbidRetry(db: Queryable, jobId: string): Promise<void> {
  await db.query(`update pgboss.job set retry_limit = retry_count where id = $1 and state = 'active'`, [jobId]);
}

export interface QueueDepth {
  readonly queue: string;
  readonly state: string;
  readonly count: number;
}

export async function selectQueueDepths(db: Queryable): Promise<QueueDepth[]> {
  const { rows } = await db.query<QueueDepth>(
    'select name as queue, state::text, count(*)::int as count from pgboss.job group by 1, 2',
  );
  return rows;
}

/** Version of the queue's schema; rejects when the queue is not installed. */
export async function selectQueueVersion(db: Queryable): Promise<number> {
  const { rows } = await db.query<{ version: number }>('select version from pgboss.version');
  return rows[0].version;
}
