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
import { Pace } from './pace.ts';
import { type Lane, SHARED_LANES } from './queue-contract.ts';
import { QUEUE_NAMES, QUEUES, type QueueName } from './queues.ts';
import { Settlement } from './settlement.ts';
import { takeJobs } from './take-jobs.ts';
import type { JobRunner, ThreadReply } from './thread-pool.ts';
import { type HeldJob, mayRunBeside, nextToBegin, PART_MS, type Turn, Turns } from './turns.ts';

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
interface JobInHand extends HeldJob {
  readonly queue: QueueName;
  readonly job: TakenJob;
  readonly abort: AbortController;
  readonly ended: PromiseWithResolvers<void>;
  since: number | null;
}

/** The lane of short jobs, where a slot would wait for the next job as long as it runs one. Its jobs are taken ahead. */
const AHEAD_LANE: Lane = 'interactive';

const BACKSTOP_MS = 1_000;
const REAP_MS = 500;
const HEARTBEAT_MS = 3_000;

export class Consumer {
  private readonly options: ConsumerOptions;
  private readonly workerKey = randomInt(1, 2 ** 31 - 1);
  private readonly inHand = new Set<JobInHand>();
  private readonly settlement: Settlement;
  private readonly pace = new Pace();
  private readonly timers: NodeJS.Timeout[] = [];
  private listener: Listener | null = null;
  private pumping: Promise<void> | null = null;
  private readonly turns = new Turns();
  /** The account of each lane whose job began last. */
  private readonly begun = new Map<Lane, string>();
  /** Queues that an operator has paused. */
  private paused: ReadonlySet<string> = new Set();
  /** Whether the last look for jobs to take ahead was in vain, since a slot became free. */
  private foundNone = false;
  private isStopping = false;

  constructor(options: ConsumerOptions) {
    this.options = options;
    this.settlement = new Settlement({ ...options, areOthersEnding: (queue) => this.areOthersEnding(queue) });
  }

  async start(): Promise<void> {
    this.listener = await listen({
      url: this.options.url,
      applicationName: presenceConnection('worker'),
      log: this.options.log,
      channels: {
        [JOB_WAKE_CHANNEL]: (queue) => this.wake(QUEUE_NAMES.filter((name) => name === queue)),
        [QUEUE_PAUSES_CHANNEL]: () => this.lookAtQueues(),
      },
      onConnection: (connection) =>
        holdWorkerLease(connection, this.workerKey, `${hostname()} (process ${process.pid})`),
      onConnected: () => this.lookAtQueues(),
    });
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

  /** How many jobs of a lane may be taken now. Where there is no room, jobs that have run for long let one of another account begin. */
  private roomIn(lane: Lane): number {
    const room = this.roomInSlots(lane);
    if (room > 0 || !SHARED_LANES.includes(lane)) return room;
    return mayRunBeside(this.jobsOf(lane), this.options.slots[lane], performance.now()) ? 1 : 0;
  }

  /**
   * While all slots are busy, no jobs are taken ahead if enough are in hand for the next free slots, or if there were none at the last
   * look: other workers that are woken by the same job have taken it.
   */
  private roomInSlots(lane: Lane): number {
    const slots = this.options.slots[lane];
    const held = this.jobsOf(lane).length;
    if (lane !== AHEAD_LANE) return slots - held;
    if (held >= slots && (held >= 2 * slots || this.foundNone)) return 0;
    return slots + this.pace.ahead(slots) - held;
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
    const { lane } = QUEUES[turn.queue];
    const isBeside = this.roomInSlots(lane) <= 0;
    const ignored = isBeside ? [...new Set(this.jobsOf(lane).map(({ account }) => account))] : [];
    const jobs = await takeJobs({ fetching, boss, worker }, turn, ignored);
    if (lane === AHEAD_LANE && !isBeside) this.foundNone = jobs.length === 0;
    this.accept(turn.queue, jobs);
    return jobs.length;
  }

  private accept(queue: QueueName, jobs: readonly TakenJob[]): void {
    for (const job of jobs) {
      const { priority, account } = job;
      const [abort, ended] = [new AbortController(), Promise.withResolvers<void>()];
      this.inHand.add({ queue, job, account: account ?? queue, priority, abort, ended, since: null });
    }
    this.runNext(QUEUES[queue].lane);
  }

  /** Runs the jobs of a lane that may begin. */
  private runNext(lane: Lane): void {
    const lanes = { slots: this.options.slots[lane], isShared: SHARED_LANES.includes(lane) };
    for (;;) {
      const now = performance.now();
      const next = nextToBegin(this.jobsOf(lane), { ...lanes, last: this.begun.get(lane), now });
      if (!next) return;
      this.begun.set(lane, next.account);
      this.begin(next);
    }
  }

  /** A slot is free, or no longer keeps others waiting: for a job in hand, and for the queues of the lane that found none before. */
  private slotFreed(lane: Lane): void {
    if (lane === AHEAD_LANE) this.foundNone = false;
    this.runNext(lane);
    this.turns.wakeUnfinished(lane);
    this.wake([]);
  }

  private async begin(one: JobInHand): Promise<void> {
    const { queue, job } = one;
    const { lane } = QUEUES[queue];
    const since = performance.now();
    one.since = since;
    const givesWay = SHARED_LANES.includes(lane) ? setTimeout(() => this.slotFreed(lane), PART_MS) : undefined;
    const reply = await this.run(one);
    clearTimeout(givesWay);
    if (lane === AHEAD_LANE) this.pace.ran(performance.now() - since);
    // The slot is free as soon as the thread is; the job is settled meanwhile.
    this.inHand.delete(one);
    one.ended.resolve();
    this.settlement.settle({ queue, job, reply, isHandedOn: this.isStopping }).then(() => {
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
