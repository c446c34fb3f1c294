/**
 * Takes jobs from the queues and runs them in threads. It wakes up on notifications, when a slot becomes free, and once a second in
 * case a notification was lost. `dead-workers.ts` tells what happens to the jobs of a worker that dies.
 */
import { randomInt } from 'node:crypto';
import type { JobWithMetadata, PgBoss } from 'pg-boss';
import type { Logger } from 'pino';
import { presenceConnection } from '../../db/connected-processes.ts';
import { type Listener, listen } from '../../db/listener.ts';
import { executorOn, forgetPlans, type Pool, type Queryable, transaction } from '../../db/pool.ts';
import {
  deleteClaims,
  forbidRetry,
  holdWorkerLease,
  insertClaims,
  JOB_WAKE_CHANNEL,
  type JobClaim,
  lockQueueFetch,
  runWithoutDelay,
} from '../../db/queue/job-claims.ts';
import { QUEUE_PAUSES_CHANNEL, selectPausedQueues } from '../../db/queue/queue-jobs.ts';
import { affectedJobs } from './boss.ts';
import { rescueJobsOfDeadWorkers } from './dead-workers.ts';
import type { Lane } from './queue-contract.ts';
import { QUEUE_NAMES, QUEUES, type QueueName } from './queues.ts';
import type { JobRunner, ThreadReply } from './thread-pool.ts';
import { type Turn, Turns } from './turns.ts';

export interface ConsumerOptions {
  readonly url: string;
  readonly pool: Pool;
  /** A pool of one connection, on which jobs are fetched from one queue after the other. */
  readonly fetching: Pool;
  readonly boss: PgBoss;
  readonly threads: JobRunner;
  /** Jobs that run at once, per lane. */
  readonly slots: Readonly<Record<Lane, number>>;
  readonly log: Logger;
}

interface RunningJob {
  readonly queue: QueueName;
  readonly jobId: string;
  readonly attempt: number;
  readonly abort: AbortController;
  readonly ended: Promise<void>;
}

const BACKSTOP_MS = 1_000;
const REAP_MS = 500;
const HEARTBEAT_MS = 3_000;

export class Consumer {
  private readonly options: ConsumerOptions;
  private readonly workerKey = randomInt(1, 2 ** 31 - 1);
  private readonly running = new Map<string, RunningJob>();
  private readonly timers: NodeJS.Timeout[] = [];
  private listener: Listener | null = null;
  private pumping: Promise<void> | null = null;
  private readonly turns = new Turns();
  /** Queues that an operator has paused. */
  private paused: ReadonlySet<string> = new Set();
  /** Jobs that have ended and are being settled in the queue. */
  private readonly settling = new Set<Promise<unknown>>();
  /** Claims of jobs that have ended, to be removed together. */
  private readonly ended = new Set<JobClaim>();
  private isStopping = false;

  constructor(options: ConsumerOptions) {
    this.options = options;
  }

  async start(): Promise<void> {
    this.listener = await listen({
      url: this.options.url,
      applicationName: presenceConnection('worker'),
      channels: {
        [JOB_WAKE_CHANNEL]: (queue) => this.wake(QUEUE_NAMES.filter((name) => name === queue)),
        [QUEUE_PAUSES_CHANNEL]: () => this.readPauses(),
      },
      onConnection: (connection) => holdWorkerLease(connection, this.workerKey),
      onConnected: () => this.readPauses(),
    });
    this.every(BACKSTOP_MS, () => this.readPauses());
    this.every(BACKSTOP_MS, () => forgetPlans(this.options.fetching));
    this.every(REAP_MS, () => rescueJobsOfDeadWorkers(this.options));
    this.every(REAP_MS, () => this.removeEndedClaims());
    this.every(HEARTBEAT_MS, () => this.renewHeartbeats());
    await this.readPauses();
  }

  /** Reads which queues are paused, then looks for jobs in the others. */
  private async readPauses(): Promise<void> {
    try {
      this.paused = new Set(await selectPausedQueues(this.options.pool));
    } catch (error) {
      this.options.log.warn({ err: error }, 'the paused queues could not be read');
    }
    this.wake();
  }

  /** Stops taking jobs, waits `graceMs` for running ones, then aborts the others, which run again on another worker. */
  async stop(graceMs: number): Promise<void> {
    this.isStopping = true;
    for (const timer of this.timers) clearInterval(timer);
    await this.pumping;
    const inHand = Promise.all([...this.running.values()].map((job) => job.ended));
    const timeout = setTimeout(() => this.abortAll('the worker is shutting down'), graceMs);
    await inHand;
    await Promise.all(this.settling);
    await this.removeEndedClaims();
    clearTimeout(timeout);
    await this.listener?.close();
    await this.options.threads.close();
  }

  private abortAll(reason: string): void {
    for (const job of this.running.values()) job.abort.abort(new Error(reason));
  }

  /** Runs `work` periodically, never twice at once. A failure is logged, and the next run tries again. */
  private every(ms: number, work: () => Promise<void>): void {
    let busy = false;
    const turn = async () => {
      if (busy) return;
      busy = true;
      await work().catch((error) => this.options.log.warn({ err: error }, 'worker housekeeping failed'));
      busy = false;
    };
    this.timers.push(setInterval(turn, ms));
  }

  /** Requests a fetch from the queues. A request during a fetch causes another one after it. */
  private wake(queues: readonly QueueName[] = QUEUE_NAMES): void {
    this.turns.wake(queues);
    if (this.pumping || this.isStopping || this.turns.isIdle) return;
    this.pumping = this.pump().finally(() => {
      this.pumping = null;
      this.wake([]);
    });
  }

  private async pump(): Promise<void> {
    const { slots, log } = this.options;
    for (;;) {
      const turn = this.turns.next((lane) => slots[lane] - this.busySlots(lane));
      if (!turn || this.isStopping) return;
      if (this.paused.has(turn.queue)) continue;
      try {
        this.turns.took(turn, await this.take(turn));
      } catch (error) {
        log.warn({ err: error }, 'fetching jobs failed');
        this.turns.pause();
      }
    }
  }

  /** Fetches and starts jobs of a queue; returns how many. */
  private async take({ queue, batchSize }: Turn): Promise<number> {
    const jobs = await this.fetch(queue, batchSize);
    const claims = jobs.map((job) => ({ queue, jobId: job.id, attempt: job.retryCount }));
    // Not awaited here: only the end of a job waits for its claim.
    const { pool, log } = this.options;
    const claimed = claims.length > 0 ? insertClaims(pool, this.workerKey, claims) : Promise.resolve();
    claimed.catch((error) => log.warn({ err: error, queue }, 'claiming jobs failed'));
    for (const job of jobs) this.begin(queue, job, claimed);
    return jobs.length;
  }

  /** Fetches jobs. Only one worker at a time fetches from a queue whose policy limits how many jobs run. */
  private fetch(queue: QueueName, batchSize: number): Promise<JobWithMetadata<object>[]> {
    const { fetching, boss } = this.options;
    const fetchOn = (db: Queryable) =>
      boss.fetch<object>(queue, { batchSize, includeMetadata: true, db: executorOn(db) });
    if (QUEUES[queue].options.policy === 'standard') return fetchOn(fetching);
    return transaction(fetching, async (connection) => {
      await lockQueueFetch(connection, queue);
      return fetchOn(connection);
    });
  }

  private busySlots(lane: Lane): number {
    let busy = 0;
    for (const job of this.running.values()) if (QUEUES[job.queue].lane === lane) busy++;
    return busy;
  }

  /** A slot is free: wakes the queues of the lane that found none before. */
  private wakeUnfinished(lane: Lane): void {
    this.turns.wakeUnfinished(lane);
    this.wake([]);
  }

  private begin(queue: QueueName, job: JobWithMetadata<object>, claimed: Promise<void>): void {
    const abort = new AbortController();
    const attempt = job.retryCount;
    const key = `${job.id} ${attempt}`;
    const run = {
      queue,
      jobId: job.id,
      data: job.data,
      attempt,
      isLastAttempt: attempt >= job.retryLimit,
    };
    const ended = this.options.threads.run(run, abort.signal).then((reply) => {
      // The slot is free as soon as the thread is; the job is settled meanwhile.
      this.running.delete(key);
      const settled = this.settle(queue, job.id, attempt, reply)
        .catch((error) => this.options.log.error({ err: error, queue, jobId: job.id }, 'settling a job failed'))
        .then(() => {
          if (QUEUES[queue].options.policy !== 'standard') this.wake([queue]);
          return claimed;
        })
        .then(() => this.ended.add({ queue, jobId: job.id, attempt }))
        .catch(() => {}) // There is no claim; that has been told.
        .finally(() => this.settling.delete(settled));
      this.settling.add(settled);
      this.wakeUnfinished(QUEUES[queue].lane);
    });
    this.running.set(key, { queue, jobId: job.id, attempt, abort, ended });
  }

  private async settle(queue: QueueName, jobId: string, attempt: number, reply: ThreadReply): Promise<void> {
    const { pool, boss, log } = this.options;
    const fence = { id: jobId, retryCount: attempt };
    if (reply.type === 'done') await boss.complete(queue, fence, undefined, { db: executorOn(pool) });
    else {
      log.warn({ queue, jobId, attempt, reason: reply.message }, 'job failed');
      if (reply.isPermanent) await forbidRetry(pool, jobId);
      await boss.fail(queue, fence, { message: reply.message, stack: reply.stack });
      if (this.isStopping) await runWithoutDelay(pool, jobId);
    }
  }

  private async removeEndedClaims(): Promise<void> {
    const claims = [...this.ended];
    if (claims.length === 0) return;
    await deleteClaims(this.options.pool, claims);
    for (const claim of claims) this.ended.delete(claim);
  }

  private async renewHeartbeats(): Promise<void> {
    for (const job of this.running.values()) {
      const fence = { id: job.jobId, retryCount: job.attempt };
      const touched = await this.options.boss.touch(job.queue, fence);
      if (affectedJobs(touched) === 0) job.abort.abort(new Error('the job was cancelled or taken over'));
    }
  }
}
