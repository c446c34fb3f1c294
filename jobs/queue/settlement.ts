/**
 * Settles jobs that have ended in a worker: completes or fails them in the queue, and removes their claims. Jobs that succeed at the same
 * time share the transaction that completes them and ends their runs.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { PgBoss } from 'pg-boss';
import type { Logger } from 'pino';
import { BATCH_LOCK_MS, Batcher } from '../../db/batcher.ts';
import { isDatabaseUnreachable, isMissingReference } from '../../db/errors.ts';
import { type Connection, executorOn, type Pool, transaction } from '../../db/pool.ts';
import { deleteClaims, type JobClaim } from '../../db/runs/job-claims.ts';
import { endRuns, type RunEnd } from '../../db/runs/run-ends.ts';
import { failRun } from '../../db/runs/runs.ts';
import type { QueueName } from '../contracts/queues.ts';
import { settledJobs } from './boss.ts';
import { failAttempt, type Retry } from './dead-workers.ts';
import type { TakenJob } from './take-jobs.ts';
import type { ThreadReply } from './thread-pool.ts';

interface Completion {
  readonly id: string;
  readonly attempt: number;
  /** Null: the job works for no run, or its run has ended. */
  readonly end: RunEnd | null;
}

export interface CompletionsOptions {
  readonly pool: Pool;
  readonly boss: Pick<PgBoss, 'complete'>;
  /** The name of the worker, which its completed jobs keep. */
  readonly worker: string;
}

const MAX_TOGETHER = 16;

export class Completions {
  private readonly queues = new Map<QueueName, Batcher<Completion, boolean>>();
  private readonly options: CompletionsOptions;

  constructor(options: CompletionsOptions) {
    this.options = options;
  }

  /** False, without any effect, when the job was canceled or is at another attempt. */
  async add(queue: QueueName, completion: Completion): Promise<boolean> {
    let batcher = this.queues.get(queue);
    if (!batcher) {
      batcher = new Batcher({ max: MAX_TOGETHER, run: (jobs) => this.complete(queue, jobs) });
      this.queues.set(queue, batcher);
    }
    try {
      return await batcher.add(completion);
    } catch (error) {
      // The account was deleted, and the run with it.
      if (completion.end === null || !isMissingReference(error)) throw error;
      return batcher.add({ ...completion, end: null });
    }
  }

  /** Ends the runs whose jobs pg-boss completes: those whose attempt is still the current one. */
  private async complete(queue: QueueName, jobs: readonly Completion[]): Promise<boolean[]> {
    const { pool, boss, worker } = this.options;
    const fences = jobs.map(({ id, attempt }) => ({ id, retryCount: attempt }));
    const complete = async (connection: Connection) => {
      const completed = settledJobs(await boss.complete(queue, fences, { worker }, { db: executorOn(connection) }));
      const ended = jobs.flatMap(({ id, end }) => (end && completed.has(id) ? [{ id, end }] : []));
      if (ended.length > 0) await endRuns(connection, ended);
      return completed;
    };
    const completed = await transaction(pool, complete, { lockMs: jobs.length > 1 ? BATCH_LOCK_MS : undefined });
    return jobs.map(({ id }) => completed.has(id));
  }
}

/** The outcome of an attempt. */
export interface Outcome {
  readonly queue: QueueName;
  readonly job: TakenJob;
  readonly reply: ThreadReply;
  /** Whether a failed job is retried at once, by another worker. */
  readonly isHandedOver: boolean;
}

/** Pause before a settlement is retried after an outage of the database. */
const RETRY_MS = 500;

export interface SettlementOptions {
  readonly pool: Pool;
  readonly boss: Pick<PgBoss, 'complete' | 'fail' | 'update'>;
  readonly log: Logger;
  /** Epoch milliseconds. */
  readonly now: () => number;
  readonly worker: string;
}

export class Settlement {
  private readonly options: SettlementOptions;
  private readonly completions: Completions;
  private readonly pending = new Set<Promise<unknown>>();
  /** Claims of settled jobs, which are removed in batches. */
  private readonly ended = new Set<JobClaim>();
  private isClosing = false;

  constructor(options: SettlementOptions) {
    this.options = options;
    this.completions = new Completions(options);
  }

  /** Resolves when the job is settled, if necessary after an outage of the database. Never rejects. */
  async settle(outcome: Outcome): Promise<void> {
    const settled = this.settleInQueue(outcome).finally(() => this.pending.delete(settled));
    this.pending.add(settled);
    await settled;
  }

  private async settleInQueue(outcome: Outcome): Promise<void> {
    const { queue, job, reply } = outcome;
    const { log } = this.options;
    const claim = { queue, jobId: job.id, attempt: job.attempt };
    if (reply.type === 'failed') {
      log.warn({ queue, jobId: job.id, attempt: job.attempt, reason: reply.message }, 'job failed');
    }
    for (;;) {
      try {
        await this.end(outcome, claim);
        return void this.ended.add(claim);
      } catch (error) {
        log.error({ err: error, queue, jobId: job.id }, 'settling a job failed');
        if (!isDatabaseUnreachable(error)) return void this.ended.add(claim);
        // The claim remains, so that other workers find the job and run it again.
        if (this.isClosing) return;
      }
      await sleep(RETRY_MS);
    }
  }

  /** Ends a job in its queue, if it is still at the attempt of the claim. */
  private async end({ queue, job, reply, isHandedOver }: Outcome, claim: JobClaim): Promise<void> {
    if (reply.type === 'failed') {
      const retry: Retry = reply.isPermanent ? 'never' : isHandedOver ? 'now' : 'later';
      const { pool, boss } = this.options;
      const error = { message: reply.message, stack: reply.stack };
      await transaction(pool, (connection) => failAttempt(connection, boss, claim, error, retry));
      return;
    }
    if (reply.type === 'too_long') await this.failTooLong(job.id, reply.secondsMax);
    const end = reply.type === 'done' ? reply.end : null;
    await this.completions.add(queue, { id: job.id, attempt: job.attempt, end });
  }

  /** Fails the run but not the job, because the request was too large. */
  private async failTooLong(runId: string, max: number): Promise<void> {
    const { pool, now } = this.options;
    await failRun(pool, runId, { code: 'job_too_long', details: { max } }, new Date(now()), max);
  }

  async removeEndedClaims(): Promise<void> {
    const claims = [...this.ended];
    if (claims.length === 0) return;
    await deleteClaims(this.options.pool, claims);
    for (const claim of claims) this.ended.delete(claim);
  }

  /** Resolves when every job is settled, or the database is unavailable. */
  async close(): Promise<void> {
    this.isClosing = true;
    await Promise.all(this.pending);
    await this.removeEndedClaims();
  }
}
