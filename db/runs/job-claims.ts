/** Claims of jobs and leases of workers: they distinguish the jobs of a dead worker from those of a slow one. */

import { DATA_VERSION } from '../market/data-versions.ts';
import { type Connection, namedStatement, type Queryable } from '../pool.ts';
import type { Selected } from '../schema/columns.ts';
import { selection } from '../schema/tables.ts';
import { isKnown as isKnownResult } from './run-results.ts';
import type { StartedRun } from './runs.ts';

/** Notified by the trigger `job_changed` with the name of a queue that has a job to run. */
export const JOB_WAKE_CHANNEL = 'job_wake';

const FETCH_LOCK = 7_302;
const WORKER_LOCK = 7_303;

/**
 * Serializes fetches from a queue for the rest of the transaction, so that its limits are exact. False, without waiting, while another
 * worker fetches from it.
 */
export async function tryLockQueueFetch(connection: Connection, queue: string): Promise<boolean> {
  const { rows } = await connection.query<{ locked: boolean }>(
    'select pg_try_advisory_xact_lock($1, hashtext($2)) as locked',
    [FETCH_LOCK, queue],
  );
  return rows[0].locked;
}

/** Takes the worker's lease on this connection, which ends with it, however the process ends, and records the name of the worker. */
export async function holdWorkerLease(connection: Queryable, workerKey: number, name: string): Promise<void> {
  await connection.query('select pg_advisory_lock($1, $2)', [WORKER_LOCK, workerKey]);
  await connection.query('insert into workers (worker_key, name) values ($1, $2) on conflict do nothing', [
    workerKey,
    name,
  ]);
}

/** Deletes workers that started before a moment and have no lease any more. */
export async function deleteDeadWorkers(db: Queryable, startedBefore: Date): Promise<void> {
  await db.query(
    `delete from workers where started_at < $1 and not exists (
       select from pg_locks where locktype = 'advisory' and classid = ${WORKER_LOCK} and objid::bigint = worker_key)`,
    [startedBefore],
  );
}

export interface RunningWorker {
  readonly name: string;
  readonly startedAt: Date;
  /** `forS`: seconds since the claim. */
  readonly jobs: readonly {
    readonly queue: string;
    readonly id: string;
    readonly since: string;
    readonly forS: number;
  }[];
}

/** The workers that hold their lease, with the jobs that they have claimed. */
export async function selectWorkers(db: Queryable): Promise<RunningWorker[]> {
  const { rows } = await db.query<RunningWorker>(
    `select w.name, w.started_at as "startedAt", coalesce((
       select json_agg(json_build_object('queue', c.queue, 'id', c.job_id, 'since', c.claimed_at,
         'forS', extract(epoch from clock_timestamp() - c.claimed_at)::int) order by c.claimed_at)
       from job_claims c where c.worker_key = w.worker_key), '[]') as jobs
     from workers w where exists (
       select from pg_locks where locktype = 'advisory' and classid = ${WORKER_LOCK} and objid::bigint = w.worker_key)
     order by w.started_at, w.name`,
  );
  return rows;
}

const CLAIM = selection('job_claims', {
  queue: 'queue',
  jobId: 'job_id',
  attempt: 'attempt',
});

export type JobClaim = Selected<typeof CLAIM>;

export interface ClaimingWorker {
  /** Names the worker in its claims. */
  readonly workerKey: number;
  readonly engineVersion: string;
  readonly at: Date;
}

/**
 * Claims jobs of a queue that were fetched in this transaction, and starts the runs that they work for. Returns those runs by the ids of
 * their jobs; a run that has ended or was deleted is not among them.
 */
export async function claimJobs(
  db: Queryable,
  queue: string,
  jobs: readonly Pick<JobClaim, 'jobId' | 'attempt'>[],
  { workerKey, engineVersion, at }: ClaimingWorker,
): Promise<Map<string, StartedRun>> {
  const [ids, attempts] = [jobs.map(({ jobId }) => jobId), jobs.map(({ attempt }) => attempt)];
  const { rows } = await db.query<StartedRun & { readonly id: string }>(
    namedStatement(CLAIM_JOBS, [queue, ids, attempts, workerKey, engineVersion, at]),
  );
  return new Map(rows.map(({ id, ...run }) => [id, { ...run, fingerprint: ownBytes(run.fingerprint) }]));
}

/** A run that has not finished is under way. With a condition on its status, the server might read the index of all runs under way. */
const CLAIM_JOBS = `
  with claimed as (
    insert into job_claims (queue, job_id, attempt, worker_key)
    select $1::text, id, attempt, $4::bigint from unnest($2::uuid[], $3::int[]) as fetched (id, attempt)
    on conflict (queue, job_id) do update set attempt = excluded.attempt, worker_key = excluded.worker_key, claimed_at = now()),
  data as materialized (select (${DATA_VERSION}) as version),
  started as (
    update runs r set status = 'running', started_at = coalesce(started_at, $6::timestamptz)
    from data where r.id = any($2::uuid[]) and r.finished_at is null
    returning r.id, r.spec::text as spec, r.user_id, r.is_saved, r.history_max, r.seconds_max, data.version,
      sha256(convert_to(concat_ws(E'\\n', $5::text, data.version, r.spec::text), 'UTF8')) as fingerprint)
  select id, spec, user_id as "userId", is_saved as "isKept", history_max as "historyMax", seconds_max as "secondsMax",
    version as "dataVersion", fingerprint, coalesce((${isKnownResult('started')}), false) as "isKnown"
  from started`;

/** A copy in its own buffer: small buffers of Node share one of 8 KB, all of which a message to a thread would copy. */
function ownBytes(bytes: Uint8Array): Uint8Array {
  return Uint8Array.from(bytes);
}

/** Deletes the claims of ended attempts. The claim of a newer attempt stays. */
export async function deleteClaims(db: Queryable, claims: readonly JobClaim[]): Promise<void> {
  await db.query(
    `delete from job_claims where (queue, job_id, attempt) in (select * from unnest($1::text[], $2::uuid[], $3::int[]))`,
    [claims.map((c) => c.queue), claims.map((c) => c.jobId), claims.map((c) => c.attempt)],
  );
}

/**
 * Returns the claims of workers whose lease is free, for the caller to settle and delete in this transaction. The lock of each dead
 * worker is held until the commit, so that no job is rescued twice.
 */
export async function takeDeadClaims(connection: Connection): Promise<JobClaim[]> {
  const { rows } = await connection.query<JobClaim>(
    `with claiming as materialized (select distinct worker_key from job_claims),
     dead as materialized (
       select worker_key from claiming where pg_try_advisory_xact_lock(${WORKER_LOCK}, worker_key::int))
     select ${CLAIM.sql} from job_claims where worker_key in (select worker_key from dead)`,
  );
  return rows;
}
