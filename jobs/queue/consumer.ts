/**
 * Takes jobs from the queues and runs them in threads. It wakes up on notifications, when a slot becomes free, and once
 * a second in case a notification was lost. See `dead-workers.ts` for the jobs of a worker that dies.
 */
import { randomInt } from 'node:crypto';
import { hostname } from 'node:os';
import type { PgBoss } from 'pg-boss';
import type { Logger } from 'pino';
import type { DatabaseClock } from '../../db/clock.ts';
import { presenceConnection } from '../../db/connection-counts.ts';
import { isLockTimeout } from '../../db/errors.ts';
import { type Listener, listen } from '../../db/listener.ts';
import { discardPlans, type Pool } from '../../db/pool.ts';
import { QUEUE_PAUSES_CHANNEL, selectWaitingQueues } from '../../db/queue/queues.ts';
import { holdWorkerLease, JOB_WAKE_CHANNEL } from '../../db/runs/job-claims.ts';
import { fromKeys } from '../../engine/util/values.ts';
import { ENGINE_VERSION } from '../../engine/version.ts';
import { isShared, type Lane, SHARED_LANES } from '../contracts/queue-contract.ts';
import { QUEUE_NAMES, QUEUES, type QueueName } from '../contracts/queues.ts';
import { ATTEMPTS, SETTLEMENTS } from '../contracts/traces.ts';
import { settledJobs } from './boss.ts';
import { rescueJobsOfDeadWorkers, stalledTransactionsReporter } from './dead-workers.ts';
import { type FetchRequest, mayStartExtra, PART_MS, RoundRobin, SlotTurns } from './round-robin.ts';
import { Settlement } from './settlement.ts';
import { type TakenJob, takeJobs } from './take-jobs.ts';
import { type Gate, isShut, newGate } from './thread-control.ts';
import type { JobRunner, ThreadReply } from './thread-pool.ts';

export interface ConsumerOptions {
  readonly url: string;
  readonly pool: Pool;
  /** A pool of one connection, on which jobs are fetched, one queue at a time. */
  readonly fetching: Pool;
  readonly boss: PgBoss;
  readonly threads: JobRunner;
  /** Jobs that run at once, per lane. */
  readonly slots: Readonly<Record<Lane, number>>;
  /** Epoch milliseconds. */
  readonly now: () => number;
  readonly clock?: DatabaseClock;
  readonly log: Logger;
}

/** A job that this worker runs. */
interface ActiveJob {
  readonly queue: QueueName;
  readonly job: TakenJob;
  readonly account: string | null;
  readonly gate: Gate;
  readonly abort: AbortController;
  readonly ended: PromiseWithResolvers<void>;
  /** When it started, in monotonic milliseconds. */
  readonly since: number;
}

const POLL_MS = 1_000;
const RESCUE_MS = 500;
const HEARTBEAT_MS = 3_000;
const STALLED_MS = 2_000;

export class Consumer {
  private readonly options: ConsumerOptions;
  private readonly workerKey = randomInt(1, 2 ** 31 - 1);
  private readonly worker = `${hostname()} (process ${process.pid})`;
  private readonly active = new Set<ActiveJob>();
  private readonly settlement: Settlement;
  private readonly timers: NodeJS.Timeout[] = [];
  private listener: Listener | null = null;
  private fetchingJobs: Promise<void> | null = null;
  private readonly roundRobin = new RoundRobin();
  private readonly turns = fromKeys(SHARED_LANES, () => new SlotTurns<ActiveJob>());
  /** Paused queues. */
  private paused: ReadonlySet<string> = new Set();
  /** How many reads of the queues have begun. */
  private polls = 0;
  /** Resolves when the pauses of the last notification have been read. No job is taken before. */
  private pausesRead: Promise<void> = Promise.resolve();
  private isStopping = false;

  constructor(options: ConsumerOptions) {
    this.options = options;
    this.settlement = new Settlement({ ...options, worker: this.worker });
  }

  async start(): Promise<void> {
    this.listener = await listen({
      url: this.options.url,
      applicationName: presenceConnection('worker'),
      clock: this.options.clock,
      log: this.options.log,
      channels: {
        [JOB_WAKE_CHANNEL]: (queue) => this.wake(QUEUE_NAMES.filter((name) => name === queue)),
        [QUEUE_PAUSES_CHANNEL]: () => {
          this.pausesRead = this.pollQueues();
        },
      },
      onConnection: (connection) => holdWorkerLease(connection, this.workerKey, this.worker),
      onConnected: () => this.pollQueues(),
    });
    this.every(POLL_MS, () => this.pollQueues());
    this.every(POLL_MS, () => discardPlans(this.options.fetching));
    this.every(PART_MS, async () => this.endParts());
    this.every(RESCUE_MS, () => rescueJobsOfDeadWorkers(this.options));
    this.every(RESCUE_MS, () => this.settlement.removeEndedClaims());
    this.every(STALLED_MS, stalledTransactionsReporter(this.options));
    this.every(HEARTBEAT_MS, () => this.renewHeartbeats());
    await this.pollQueues();
  }

  /**
   * Reads which queues are paused, and requests a fetch from those that have waiting jobs. An answer that arrives after
   * a later read has begun is left to that one: it may not know of the newest pause.
   */
  private async pollQueues(): Promise<void> {
    this.polls += 1;
    const poll = this.polls;
    try {
      const { paused, waiting } = await selectWaitingQueues(this.options.pool, QUEUE_NAMES);
      if (poll !== this.polls) return;
      this.paused = new Set(paused);
      this.wake(waiting);
    } catch (error) {
      this.options.log.warn({ err: error }, 'the queues could not be read');
    }
  }

  /** Takes no more jobs, waits `graceMs` for running ones, and then aborts the others, which another worker runs again. */
  async stop(graceMs: number): Promise<void> {
    this.isStopping = true;
    for (const timer of this.timers) clearInterval(timer);
    await this.fetchingJobs;
    const ended = Promise.all([...this.active].map((job) => job.ended.promise));
    const timeout = setTimeout(() => this.abortAll('the worker is shutting down'), graceMs);
    await ended;
    await this.settlement.close();
    clearTimeout(timeout);
    await this.listener?.close();
    await this.options.threads.close();
  }

  private abortAll(reason: string): void {
    for (const job of this.active) job.abort.abort(new Error(reason));
  }

  /** Runs `work` periodically, never twice at once. Logs failures. */
  private every(ms: number, work: () => Promise<void>): void {
    let isBusy = false;
    const run = async () => {
      if (isBusy) return;
      isBusy = true;
      await work().catch((error) => this.options.log.warn({ err: error }, 'a periodic task of the worker failed'));
      isBusy = false;
    };
    this.timers.push(setInterval(run, ms));
  }

  /** Requests a fetch from `queues`. A request during a fetch causes another fetch afterwards. */
  private wake(queues: readonly QueueName[]): void {
    this.roundRobin.wake(queues);
    if (this.fetchingJobs || this.isStopping || this.roundRobin.isIdle) return;
    this.fetchingJobs = this.fetchJobs().finally(() => {
      this.fetchingJobs = null;
      this.wake([]);
    });
  }

  private async fetchJobs(): Promise<void> {
    const { log } = this.options;
    for (;;) {
      await this.pausesRead;
      const request = this.roundRobin.next((queue) => this.capacityOf(queue));
      if (!request || this.isStopping) return;
      if (this.paused.has(request.queue)) continue;
      try {
        await this.take(request);
      } catch (error) {
        log.warn({ err: error, queue: request.queue }, 'fetching jobs failed');
        if (isLockTimeout(error)) this.roundRobin.took(request, 0, true);
        else this.roundRobin.pause();
      }
    }
  }

  /** How many jobs of a queue may start now. If no slot is free, an extra job may start when another one has run for long. */
  private capacityOf(queue: QueueName): number {
    const { lane } = QUEUES[queue];
    const free = this.freeSlots(lane);
    if (free > 0 || !isShared(lane)) return free;
    const since = this.jobsOf(lane).map((one) => one.since);
    const availableBytes = process.availableMemory();
    const running = { since, slots: this.options.slots[lane], now: performance.now(), availableBytes };
    return mayStartExtra(queue, running) ? 1 : 0;
  }

  /** Lets the jobs of a lane go on in turn, as many as it has slots. */
  private shareSlots(lane: Lane): void {
    if (!isShared(lane)) return;
    // An aborted job ends at once.
    const jobs = this.jobsOf(lane).filter(({ abort }) => !abort.signal.aborted);
    this.turns[lane].share(jobs, this.options.slots[lane]);
  }

  /** Ends the parts of jobs that have others of their lane wait. */
  private endParts(): void {
    for (const lane of SHARED_LANES) {
      if (this.freeSlots(lane) >= 0) continue;
      const going = this.jobsOf(lane).filter(({ gate }) => !isShut(gate));
      this.turns[lane].endParts(going, performance.now());
      this.shareSlots(lane);
    }
  }

  private freeSlots(lane: Lane): number {
    return this.options.slots[lane] - this.jobsOf(lane).length;
  }

  private jobsOf(lane: Lane): ActiveJob[] {
    return [...this.active].filter(({ queue }) => QUEUES[queue].lane === lane);
  }

  /** Takes jobs of a queue and starts them. If no slot is free, an extra job is of an account without a running one in the lane. */
  private async take(request: FetchRequest): Promise<void> {
    const { fetching, boss, now } = this.options;
    const worker = { workerKey: this.workerKey, engineVersion: ENGINE_VERSION, at: new Date(now()) };
    const { lane } = QUEUES[request.queue];
    const isExtra = this.freeSlots(lane) <= 0;
    const accounts = this.jobsOf(lane).flatMap(({ account }) => account ?? []);
    const jobs = await takeJobs({ fetching, boss, worker }, request, isExtra ? [...new Set(accounts)] : []);
    this.roundRobin.took(request, jobs?.length ?? 0, isExtra || jobs === null);
    for (const job of jobs ?? []) this.begin(request.queue, job);
  }

  private async begin(queue: QueueName, job: TakenJob): Promise<void> {
    const { lane } = QUEUES[queue];
    const [abort, ended] = [new AbortController(), Promise.withResolvers<void>()];
    const { account } = job;
    const one: ActiveJob = { queue, job, account, gate: newGate(), abort, ended, since: performance.now() };
    this.active.add(one);
    this.shareSlots(lane);
    // From then on an extra job may start.
    const longJobTimer = isShared(lane) ? setTimeout(() => this.wakeLane(lane), PART_MS) : undefined;
    const reply = await this.run(one);
    clearTimeout(longJobTimer);
    // The slot is free as soon as the thread is, before the job is settled.
    this.active.delete(one);
    if (isShared(lane)) this.turns[lane].endParts([one], performance.now());
    this.shareSlots(lane);
    ended.resolve();
    const outcome = { queue, job, reply, isHandedOver: this.isStopping };
    SETTLEMENTS.runStores(job.data, () => this.settlement.settle(outcome)).then(() => {
      if (QUEUES[queue].options.policy !== 'standard') this.wake([queue]);
    });
    this.wakeLane(lane);
  }

  /** Another job of the lane may start: requests a fetch from its queues that had more jobs than slots. */
  private wakeLane(lane: Lane): void {
    this.roundRobin.wakeUnfinished(lane);
    this.wake([]);
  }

  private async run({ queue, job, abort, gate }: ActiveJob): Promise<ThreadReply> {
    const { id: jobId, data, run, attempt, retryLimit } = job;
    const { signal } = abort;
    // The run was canceled or has ended.
    if (QUEUES[queue].record === 'run' && run === null) return { type: 'done', end: null };
    const isLastAttempt = attempt >= retryLimit;
    return ATTEMPTS.tracePromise(
      () => this.options.threads.run({ queue, jobId, data, run, attempt, isLastAttempt, gate }, signal),
      { queue, jobId, attempt, data },
    );
  }

  private async renewHeartbeats(): Promise<void> {
    const active = [...this.active];
    for (const queue of new Set(active.map((one) => one.queue))) {
      const jobs = active.filter((one) => one.queue === queue);
      const fences = jobs.map(({ job }) => ({ id: job.id, retryCount: job.attempt }));
      const touched = settledJobs(await this.options.boss.touch(queue, fences));
      for (const { job, abort } of jobs) {
        if (!touched.has(job.id)) abort.abort(new Error('the job was canceled or taken over'));
      }
    }
  }
}
