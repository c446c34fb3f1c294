/** Settles jobs that have ended in a worker: completes or fails them in the queue, and removes their claims. */
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

export class Settlement {
  private readonly options: CompletionsOptions;
  private readonly completions: Completions;
  private readonly underWay = new Set<Promise<unknown>>();
  /** Claims that are removed together. */
  private readonly ended = new Set<JobClaim>();

  constructor(options: CompletionsOptions) {
    this.options = options;
    this.completions = new Completions(options);
  }

  /** Never rejects. */
  async settle(outcome: Outcome): Promise<void> {
    const settled = this.settleInQueue(outcome).finally(() => this.underWay.delete(settled));
    this.underWay.add(settled);
    await settled;
  }

  private async settleInQueue(outcome: Outcome): Promise<void> {
    const { queue, job, reply } = outcome;
    const claim = { queue, jobId: job.id, attempt: job.attempt };
    try {
      if (reply.type === 'done') {
        const isCompleted = await this.completions.add(queue, { id: job.id, attempt: job.attempt, end: reply.end });
        // With a completed job its claim is gone. One that was canceled meanwhile still has it.
        if (!isCompleted) this.ended.add(claim);
      } else {
        await this.fail(outcome, reply);
        this.ended.add(claim);
      }
    } catch (error) {
      this.options.log.error({ err: error, queue, jobId: job.id }, 'settling a job failed');
      // With its claim, a job whose end was lost with the connection is found and run again.
      if (!isDatabaseAway(error)) this.ended.add(claim);
    }
  }

  private async fail({ queue, job, isHandedOn }: Outcome, reply: ThreadReply & { type: 'failed' }): Promise<void> {
    const { pool, boss, log } = this.options;
    const { id, attempt } = job;
    log.warn({ queue, jobId: id, attempt, reason: reply.message }, 'job failed');
    if (reply.isPermanent) await forbidRetry(pool, id);
    await boss.fail(queue, { id, retryCount: attempt }, { message: reply.message, stack: reply.stack });
    if (isHandedOn) await runWithoutDelay(pool, id);
  }

  async removeEndedClaims(): Promise<void> {
    const claims = [...this.ended];
    if (claims.length === 0) return;
    await deleteClaims(this.options.pool, claims);
    for (const claim of claims) this.ended.delete(claim);
  }

  /** Resolves when everything is settled. */
  async close(): Promise<void> {
    await Promise.all(this.underWay);
    await this.removeEndedClaims();
    await this.completions.close();
  }
}
