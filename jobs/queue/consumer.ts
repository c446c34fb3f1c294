/**
 * Takes jobs from the queues and runs them in threads. It wakes up on notifications, when a slot becomes free, and once a second in
 * case a notification was lost. `dead-workers.ts` tells what happens to the jobs of a worker that dies.
 */
import { randomInt } from 'node:crypto';
import { hostname } from 'node:os';
import type { PgBoss } from 'pg-boss';
import type { Logger } from 'pino';
import { presenceConnection } from '../../db/connected-processes.ts';
import { type Listener, listen } from '../../db/listener.ts';
import { forgetPlans, type Pool } from '../../db/pool.ts';
import { holdWorkerLease, JOB_WAKE_CHANNEL } from '../../db/queue/job-claims.ts';
import type { TakenJob } from '../../db/queue/job-fetch.ts';
import { QUEUE_PAUSES_CHANNEL, selectQueuesAtHand } from '../../db/queue/queue-jobs.ts';
import { ENGINE_VERSION } from '../../engine/version.ts';
import { settledJobs } from './boss.ts';
import { rescueJobsOfDeadWorkers } from './dead-workers.ts';
import { attemptKey, GivenJobs } from './given-jobs.ts';
import { Pace } from './pace.ts';
import type { Lane } from './queue-contract.ts';
import { QUEUE_NAMES, QUEUES, type QueueName } from './queues.ts';
import { Settlement } from './settlement.ts';
import { takeJobs } from './take-jobs.ts';
import type { JobRunner, ThreadReply } from './thread-pool.ts';
import { inTurns, type Turn, Turns } from './turns.ts';

export interface ConsumerOptions {
  readonly url: string;
  readonly pool: Pool;
  /** A pool of one connection, on which jobs are fetched from one queue after the other. */
  readonly fetching: Pool;
  readonly boss: PgBoss;
  readonly threads: JobRunner;
  /** Jobs that run at once, per lane. */
  readonly slots: Readonly<Record<Lane, number>>;
  /** Epoch milliseconds. */
  readonly now: () => number;
  readonly log: Logger;
}

/** A job that this worker has claimed. */
interface JobInHand {
  readonly queue: QueueName;
  readonly job: TakenJob;
  readonly abort: AbortController;
  readonly ended: PromiseWithResolvers<void>;
  /** Whether it came without a look into its queue. */
  readonly isGiven: boolean;
  /** False while it waits for a slot. */
  isRunning: boolean;
}

/**
 * The lane of short jobs, where a slot would wait for the next job as long as it runs one. Its jobs are taken ahead, and given to
 * workers with free slots.
 */
const AHEAD_LANE: Lane = 'interactive';

const BACKSTOP_MS = 1_000;
const REAP_MS = 500;
const HEARTBEAT_MS = 3_000;

export class Consumer {
  private readonly options: ConsumerOptions;
  private readonly workerKey = randomInt(1, 2 ** 31 - 1);
  private readonly inHand = new Set<JobInHand>();
  private readonly settlement: Settlement;
  private readonly given: GivenJobs;
  /** Attempts in hand or being settled. */
  private readonly known = new Set<string>();
  private readonly pace = new Pace();
  private readonly timers: NodeJS.Timeout[] = [];
  private listener: Listener | null = null;
  private pumping: Promise<void> | null = null;
  private readonly turns = new Turns();
  /** The queue of each lane whose job began last. */
  private readonly begun = new Map<Lane, QueueName>();
  /** Queues that an operator has paused. */
  private paused: ReadonlySet<string> = new Set();
  /** Whether the last look for jobs to take ahead was in vain, since a slot became free. */
  private foundNone = false;
  private isStopping = false;

  constructor(options: ConsumerOptions) {
    this.options = options;
    this.settlement = new Settlement({ ...options, areOthersEnding: (queue) => this.areOthersEnding(queue) });
    this.given = new GivenJobs({
      pool: options.pool,
      workerKey: this.workerKey,
      lane: AHEAD_LANE,
      slots: options.slots[AHEAD_LANE],
      ahead: () => this.pace.givenAhead(options.slots[AHEAD_LANE]),
      log: options.log,
      known: this.known,
      accept: (queue, job) => this.accept(queue, [job], true),
    });
  }

  async start(): Promise<void> {
    this.listener = await listen({
      url: this.options.url,
      applicationName: presenceConnection('worker'),
      log: this.options.log,
      channels: {
        [JOB_WAKE_CHANNEL]: (queue) => this.wake(QUEUE_NAMES.filter((name) => name === queue)),
        [QUEUE_PAUSES_CHANNEL]: () => this.lookAtQueues(),
        [this.given.channel]: (message) => this.given.hear(message),
      },
      onConnection: async (connection) => {
        await holdWorkerLease(connection, this.workerKey, `${hostname()} (process ${process.pid})`);
        if (!this.isStopping) await this.given.offer(connection);
      },
      onConnected: () => {
        this.lookAtQueues();
        this.given.lookNow();
      },
    });
    this.every(BACKSTOP_MS, () => this.given.lookForUnheard());
    this.every(BACKSTOP_MS, () => this.given.offerAhead());
    this.every(BACKSTOP_MS, () => this.lookAtQueues());
    this.every(BACKSTOP_MS, () => forgetPlans(this.options.fetching));
    this.every(REAP_MS, () => rescueJobsOfDeadWorkers(this.options));
    this.every(REAP_MS, () => this.settlement.removeEndedClaims());
    this.every(HEARTBEAT_MS, () => this.renewHeartbeats());
    await this.lookAtQueues();
  }

  /** Reads which queues are paused, and takes jobs from the others that have some. */
  private async lookAtQueues(): Promise<void> {
    try {
      const { paused, waiting } = await selectQueuesAtHand(this.options.pool, QUEUE_NAMES);
      this.paused = new Set(paused);
      this.wake(waiting);
    } catch (error) {
      this.options.log.warn({ err: error }, 'the queues could not be read');
    }
  }

  /** Stops taking jobs, waits `graceMs` for running ones, then aborts the others, which run again on another worker. */
  async stop(graceMs: number): Promise<void> {
    this.isStopping = true;
    for (const timer of this.timers) clearInterval(timer);
    await this.pumping;
    await this.given.withdraw().catch((error) => this.options.log.warn({ err: error }, 'the offer of slots stays'));
    const ended = Promise.all([...this.inHand].map((job) => job.ended.promise));
    const timeout = setTimeout(() => this.abortAll('the worker is shutting down'), graceMs);
    await ended;
    await this.settlement.close();
    clearTimeout(timeout);
    await this.listener?.close();
    await this.options.threads.close();
  }

  private abortAll(reason: string): void {
    for (const job of this.inHand) job.abort.abort(new Error(reason));
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
  private wake(queues: readonly QueueName[]): void {
    this.turns.wake(queues);
    if (this.pumping || this.isStopping || this.turns.isIdle) return;
    this.pumping = this.pump().finally(() => {
      this.pumping = null;
      this.wake([]);
    });
  }

  private async pump(): Promise<void> {
    const { log } = this.options;
    for (;;) {
      const turn = this.turns.next((lane) => this.roomIn(lane));
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

  /**
   * How many jobs of a lane may be taken now. While all slots are busy, none are taken if enough are in hand for the next free slots,
   * or if there were none at the last look: other workers that are woken by the same job have taken it. Given jobs do not hold up
   * those that wait in another queue of the lane.
   */
  private roomIn(lane: Lane): number {
    const slots = this.options.slots[lane];
    const jobs = this.jobsOf(lane);
    if (lane !== AHEAD_LANE) return slots - jobs.length;
    const taken = jobs.filter(({ isGiven }) => !isGiven).length;
    if (jobs.length >= slots && (taken >= 2 * slots || this.foundNone)) return 0;
    return slots + this.pace.ahead(slots) - taken;
  }

  private jobsOf(lane: Lane): JobInHand[] {
    return [...this.inHand].filter(({ queue }) => QUEUES[queue].lane === lane);
  }

  /** Whether jobs of a queue will have ended within a moment. */
  private areOthersEnding(queue: QueueName): boolean {
    const { lane } = QUEUES[queue];
    if (lane !== AHEAD_LANE || !this.pace.endsSoon(this.options.slots[lane])) return false;
    return [...this.inHand].some((one) => one.queue === queue);
  }

  /** Takes jobs of a queue and runs those that have a slot; returns how many were taken. */
  private async take(turn: Turn): Promise<number> {
    const { fetching, boss, now } = this.options;
    const worker = { workerKey: this.workerKey, engineVersion: ENGINE_VERSION, at: new Date(now()) };
    const jobs = await takeJobs({ fetching, boss, worker }, turn);
    if (QUEUES[turn.queue].lane === AHEAD_LANE) this.foundNone = jobs.length === 0;
    this.accept(turn.queue, jobs, false);
    return jobs.length;
  }

  private accept(queue: QueueName, jobs: readonly TakenJob[], isGiven: boolean): void {
    for (const job of jobs) {
      const ended = Promise.withResolvers<void>();
      this.known.add(attemptKey(job));
      this.inHand.add({ queue, job, ended, isGiven, abort: new AbortController(), isRunning: false });
    }
    this.runNext(QUEUES[queue].lane);
  }

  /** Runs jobs of a lane in the slots that are free: its queues take turns, each with the job that has waited longest. */
  private runNext(lane: Lane): void {
    const jobs = this.jobsOf(lane);
    const waiting = jobs.filter(({ isRunning }) => !isRunning);
    const free = this.options.slots[lane] - (jobs.length - waiting.length);
    if (free <= 0) return;
    for (const one of inTurns(waiting, this.begun.get(lane)).slice(0, free)) {
      this.begun.set(lane, one.queue);
      this.begin(one);
    }
  }

  /** A slot is free: for a job in hand, and for the queues of the lane that found none before. */
  private slotFreed(lane: Lane): void {
    if (lane === AHEAD_LANE) this.foundNone = false;
    this.runNext(lane);
    this.turns.wakeUnfinished(lane);
    this.wake([]);
  }

  private async begin(one: JobInHand): Promise<void> {
    one.isRunning = true;
    const { queue, job } = one;
    const { lane } = QUEUES[queue];
    const since = performance.now();
    const reply = await this.run(one);
    if (lane === AHEAD_LANE) this.pace.ran(performance.now() - since);
    // The slot is free as soon as the thread is; the job is settled meanwhile.
    this.inHand.delete(one);
    one.ended.resolve();
    this.settlement.settle({ queue, job, reply, isHandedOn: this.isStopping }).then(() => {
      this.known.delete(attemptKey(job));
      if (QUEUES[queue].options.policy !== 'standard') this.wake([queue]);
    });
    this.slotFreed(lane);
  }

  private async run({ queue, job, abort }: JobInHand): Promise<ThreadReply> {
    const { id: jobId, data, run, attempt, retryLimit } = job;
    const { signal } = abort;
    if (signal.aborted) return { type: 'failed', message: String(signal.reason), stack: '', isPermanent: false };
    // The run was canceled or has ended.
    if (QUEUES[queue].record === 'run' && run === null) return { type: 'done', end: null };
    return this.options.threads.run({ queue, jobId, data, run, attempt, isLastAttempt: attempt >= retryLimit }, signal);
  }

  private async renewHeartbeats(): Promise<void> {
    const inHand = [...this.inHand];
    for (const queue of new Set(inHand.map((one) => one.queue))) {
      const jobs = inHand.filter((one) => one.queue === queue);
      const fences = jobs.map(({ job }) => ({ id: job.id, retryCount: job.attempt }));
      const touched = settledJobs(await this.options.boss.touch(queue, fences));
      for (const { job, abort } of jobs) {
        if (!touched.has(job.id)) abort.abort(new Error('the job was cancelled or taken over'));
      }
    }
  }
}
