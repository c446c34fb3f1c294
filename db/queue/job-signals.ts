/**
 * Signals and claims of the job queue. pg-boss keeps the jobs; these few statements wake workers the moment a job can
 * run and tell a dead worker's jobs from a slow one's.
 */
import { createHash } from 'node:crypto';
import type { Connection, Queryable } from '../pool.ts';

export const JOB_WAKE_CHANNEL = 'job_wake';

/**
 * Whatever makes a job runnable (send, retry, resume, redrive) wakes the workers of its queue. A backtest whose job ends
 * without a result, however that came, ends with it, so that nobody waits for it and its slot is free.
 */
const SIGNALS = `
  create or replace function notify_job_wake() returns trigger language plpgsql as $$
  begin
    perform pg_notify('${JOB_WAKE_CHANNEL}', new.name);
    return null;
  end $$;
  create or replace trigger job_wake after insert or update of state, start_after, blocked on pgboss.job
    for each row when (new.state < 'active' and not new.blocked and new.start_after <= now())
    execute function notify_job_wake();
  create or replace function end_backtest_run() returns trigger language plpgsql as $$
  begin
    update backtest_runs set finished_at = now(),
      status = case when new.state = 'cancelled' then 'cancelled' else 'failed' end,
      error_code = case when new.state = 'failed' then 'internal' end
    where id = new.id and status in ('queued', 'running');
    return null;
  end $$;
  create or replace trigger backtest_job_ended after insert or update of state on pgboss.job
    for each row when (new.name in ('backtest', 'optimize') and new.state in ('failed', 'cancelled'))
    execute function end_backtest_run();`;

/** Notes on a function which definition of all of them is installed. */
const SIGNALS_VERSION = `job signals ${createHash('sha256').update(SIGNALS).digest('hex').slice(0, 16)}`;

/**
 * Creates functions and triggers on pg-boss's table. Where they are installed already nothing is written, so that a role
 * that does not own the schema can start the service.
 */
export async function installJobSignals(db: Queryable): Promise<void> {
  const { rows } = await db.query<{ version: string | null }>(
    `select obj_description(to_regprocedure('notify_job_wake()'), 'pg_proc') as version`,
  );
  if (rows[0].version === SIGNALS_VERSION) return;
  await db.query(`${SIGNALS} comment on function notify_job_wake() is '${SIGNALS_VERSION}';`);
}

const FETCH_LOCK = 7_302;
const WORKER_LOCK = 7_303;

/** Serializes fetches of a queue for the rest of the transaction, so that its caps are exact. */
export async function lockQueueFetch(connection: Connection, queue: string): Promise<void> {
  await connection.query('select pg_advisory_xact_lock($1, hashtext($2))', [FETCH_LOCK, queue]);
}

/** Holds the worker's lease on this connection: it ends with the connection, however the process ends. */
export async function holdWorkerLease(connection: Queryable, workerKey: number): Promise<void> {
  await connection.query('select pg_advisory_lock($1, $2)', [WORKER_LOCK, workerKey]);
}

export interface JobClaim {
  readonly queue: string;
  readonly jobId: string;
  readonly attempt: number;
}

export async function insertClaims(db: Queryable, workerKey: number, claims: readonly JobClaim[]): Promise<void> {
  await db.query({
    name: 'insert_job_claims',
    text: `insert into job_claims (queue, job_id, attempt, worker_key)
           select queue, id, attempt, $4 from unnest($1::text[], $2::uuid[], $3::int[]) t (queue, id, attempt)
           on conflict (queue, job_id) do update set attempt = excluded.attempt, worker_key = excluded.worker_key,
             claimed_at = now()`,
    values: [claims.map((c) => c.queue), claims.map((c) => c.jobId), claims.map((c) => c.attempt), workerKey],
  });
}

/** Removes the claims of attempts that have ended; the claim of a newer attempt stays. */
export async function deleteClaims(db: Queryable, claims: readonly JobClaim[]): Promise<void> {
  await db.query(
    `delete from job_claims where (queue, job_id, attempt) in (select * from unnest($1::text[], $2::uuid[], $3::int[]))`,
    [claims.map((c) => c.queue), claims.map((c) => c.jobId), claims.map((c) => c.attempt)],
  );
}

/**
 * Takes over the claims of workers whose lease is free, inside the caller's transaction. The lock of each dead worker
 * is held until commit, so that two reapers never rescue one job twice.
 */
export async function takeDeadClaims(connection: Connection): Promise<JobClaim[]> {
  const { rows } = await connection.query<JobClaim>(
    `with workers as materialized (select distinct worker_key from job_claims),
     dead as materialized (
       select worker_key from workers where pg_try_advisory_xact_lock(${WORKER_LOCK}, worker_key::int))
     delete from job_claims where worker_key in (select worker_key from dead)
     returning queue, job_id as "jobId", attempt`,
  );
  return rows;
}

/** Lets a job that waits out a retry delay run at once. */
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
