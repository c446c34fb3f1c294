/** Settles jobs that have ended in a worker: completes or fails them in the queue, and removes their claims. */
import { setTimeout as sleep } from 'node:timers/promises';
import { failRun } from '../../db/backtests/backtest-runs.ts';
import { isDatabaseAway } from '../../db/errors.ts';
import { deleteClaims, forbidRetry, type JobClaim, runWithoutDelay } from '../../db/queue/job-claims.ts';
import type { TakenJob } from '../../db/queue/job-fetch.ts';
import { Completions, type CompletionsOptions } from './completions.ts';
import type { QueueName } from './queues.ts';
import type { ThreadReply } from './thread-pool.ts';

/** An attempt of a job and its outcome. */
export interface Outcome {
  readonly queue: QueueName;
  readonly job: TakenJob;
  readonly reply: ThreadReply;
  /** Whether a failed job is tried again at once, by another worker. */
  readonly isHandedOn: boolean;
}

/** Pause before a settlement is tried again that an outage of the database prevented. */
const RETRY_MS = 500;

export interface SettlementOptions extends CompletionsOptions {
  /** Epoch milliseconds. */
  readonly now: () => number;
}

export class Settlement {
  private readonly options: SettlementOptions;
  private readonly completions: Completions;
  private readonly underWay = new Set<Promise<unknown>>();
  /** Claims that are removed together. */
  private readonly ended = new Set<JobClaim>();
  private isClosing = false;

  constructor(options: SettlementOptions) {
    this.options = options;
    this.completions = new Completions(options);
  }

  /** Resolves when the job is settled, after an outage of the database if need be. Never rejects. */
  async settle(outcome: Outcome): Promise<void> {
    const settled = this.settleInQueue(outcome).finally(() => this.underWay.delete(settled));
    this.underWay.add(settled);
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
        // With a completed job its claim is gone. One that was canceled or taken over meanwhile still has it.
        if (!(await this.end(outcome))) this.ended.add(claim);
        return;
      } catch (error) {
        log.error({ err: error, queue, jobId: job.id }, 'settling a job failed');
        if (!isDatabaseAway(error)) return void this.ended.add(claim);
        // With its claim, a job whose end is lost with this worker is found and run again.
        if (this.isClosing) return;
      }
      await sleep(RETRY_MS);
    }
  }

  /** Ends a job in its queue, only at the attempt of the outcome. Returns whether its claim is gone too. */
  private async end(outcome: Outcome): Promise<boolean> {
    const { queue, job, reply } = outcome;
    if (reply.type === 'failed') {
      await this.fail(outcome, reply);
      return false;
    }
    if (reply.type === 'too_long') await this.failTooLong(job.id, reply.secondsMax);
    const end = reply.type === 'done' ? reply.end : null;
    return this.completions.add(queue, { id: job.id, attempt: job.attempt, end });
  }

  private async fail({ queue, job, isHandedOn }: Outcome, reply: ThreadReply & { type: 'failed' }): Promise<void> {
    const { pool, boss } = this.options;
    const { id, attempt } = job;
    if (reply.isPermanent) await forbidRetry(pool, id);
    await boss.fail(queue, { id, retryCount: attempt }, { message: reply.message, stack: reply.stack });
    if (isHandedOn) await runWithoutDelay(pool, id);
  }

  /** The caller can repair it, so it is no failure of the queue. */
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

  /** Resolves when everything is settled, or the database is away. */
  async close(): Promise<void> {
    this.isClosing = true;
    await Promise.all(this.underWay);
    await this.removeEndedClaims();
    await this.completions.close();
  }
}
