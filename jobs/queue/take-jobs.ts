/** Takes jobs from a queue for a worker. */
import type { PgBoss } from 'pg-boss';
import { type Connection, executorOn, type Pool, transaction } from '../../db/pool.ts';
import { type ClaimingWorker, claimJobs, tryLockQueueFetch } from '../../db/runs/job-claims.ts';
import type { StartedRun } from '../../db/runs/runs.ts';
import { CLAIM_IDLE_MS } from '../../db/session-limits.ts';
import { QUEUES } from '../contracts/queues.ts';
import type { FetchRequest } from './round-robin.ts';

/** A job that a worker has claimed. */
export interface TakenJob {
  readonly id: string;
  readonly data: unknown;
  /** From 0. */
  readonly attempt: number;
  readonly retryLimit: number;
  /** Owner of the run or sweep that the job works for; null: there is none. */
  readonly account: string | null;
  /** Null: the job works for no run, or for one that has ended or was deleted. */
  readonly run: StartedRun | null;
}

export interface Taking {
  readonly fetching: Pool;
  readonly boss: Pick<PgBoss, 'fetch'>;
  readonly worker: ClaimingWorker;
}

/** For rows that another transaction has locked: one connection fetches from all queues. */
const LIMITS = { lockMs: 250, transactionIdleMs: CLAIM_IDLE_MS };

/**
 * Fetches jobs, claims them, and starts their runs in one transaction, so that no job is active without a claim or works for an ended
 * run. Excludes the accounts `ignoreGroups`. Workers take turns at a queue whose policy limits the running jobs: null while it is the
 * turn of another one.
 */
export function takeJobs(
  { fetching, boss, worker }: Taking,
  { queue, batchSize }: FetchRequest,
  ignoreGroups: string[],
): Promise<TakenJob[] | null> {
  const take = async (connection: Connection) => {
    if (QUEUES[queue].options.policy !== 'standard' && !(await tryLockQueueFetch(connection, queue))) return null;
    const db = executorOn(connection);
    const jobs = await boss.fetch(queue, { batchSize, ignoreGroups, includeMetadata: true, db });
    if (jobs.length === 0) return [];
    const claims = jobs.map(({ id, retryCount }) => ({ jobId: id, attempt: retryCount }));
    const runs = await claimJobs(connection, queue, claims, worker);
    return jobs.map(({ id, data, retryCount, retryLimit, groupId }) => ({
      id,
      data,
      attempt: retryCount,
      retryLimit,
      account: groupId ?? null,
      run: runs.get(id) ?? null,
    }));
  };
  return transaction(fetching, take, LIMITS);
}
