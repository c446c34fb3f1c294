/** A job from being queued to being known to have run, in another process: ours on pg-boss against graphile-worker. */
import type { ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { makeWorkerUtils } from 'graphile-worker';
import { BacktestWaiting } from '../../api/backtests/waiting.ts';
import { type Listener, listen } from '../../db/listener.ts';
import { createPool, type Pool } from '../../db/pool.ts';
import { RunQueue } from '../../jobs/backtest/enqueue.ts';
import { createLogger } from '../../jobs/logger.ts';
import { openBoss } from '../../jobs/queue/boss.ts';
import { startChild } from './child.ts';
import { type Figure, figure, inTurns, type Measurement, rateOfCallers, ratioOf, timedRounds } from './harness.ts';
import { type BenchMarket, ensureBenchDatabase, freshBenchDatabase } from './market.ts';

const ROUNDS = 7;
const SEQUENTIAL = 150;
const CALLERS = 16;
const SECONDS = 1.5;
const WORK_MS = 20;
const RAN_CHANNEL = 'bench_ran';

const EMPTY_RUN = {
  kind: 'backtest',
  userId: null,
  isSaved: false,
  historyMax: null,
  spec: {},
  requestId: 'bench',
  max: 1,
  isAwaited: true,
} as const;

/** `stored`: its jobs store an empty result before they tell, as ours do. */
type GraphileKind = 'graphile' | 'stored';

/** A queue with its worker: queues a job and resolves when it has run. */
interface BenchQueue {
  runJob(): Promise<void>;
  close(): Promise<void>;
}

/** Tells who waits for a job that it has run. */
class Awaiting {
  private readonly waiting = new Map<string, () => void>();
  private listener: Listener | null = null;

  static async open(url: string): Promise<Awaiting> {
    const awaiting = new Awaiting();
    awaiting.listener = await listen({
      url,
      applicationName: 'bench-awaiting',
      channels: { [RAN_CHANNEL]: (id) => awaiting.waiting.get(id)?.() },
    });
    return awaiting;
  }

  async run(queueJob: (id: string) => Promise<unknown>): Promise<void> {
    const id = randomUUID();
    const { promise, resolve } = Promise.withResolvers<void>();
    this.waiting.set(id, resolve);
    await queueJob(id);
    await promise;
    this.waiting.delete(id);
  }

  async close(): Promise<void> {
    await this.listener?.close();
  }
}

export async function startWorker(kind: 'ours' | GraphileKind, url: string, workMs = 0): Promise<ChildProcess> {
  return (await startChild('./queue-child.ts', [kind, url, RAN_CHANNEL, String(workMs)])).child;
}

interface Ours {
  readonly workers: number;
  /** How long a job waits. */
  readonly workMs: number;
}

/** Runs as the API queues and awaits them, taken by our consumers. */
export async function openOurs(url: string, pool: Pool, ours: Ours = { workers: 1, workMs: 0 }): Promise<BenchQueue> {
  const log = createLogger('bench', 'warn');
  const workers: ChildProcess[] = [];
  for (let i = 0; i < ours.workers; i++) workers.push(await startWorker('ours', url, ours.workMs));
  const listener = await listen({ url, applicationName: 'bench-waiting' });
  const waiting = await BacktestWaiting.open({ listener, db: pool, log });
  const boss = await openBoss({ url, log });
  const runs = new RunQueue(pool, boss);
  return {
    runJob: async () => {
      const id = randomUUID();
      const { ended, forget } = waiting.expect(id);
      await runs.add({ ...EMPTY_RUN, id, owner: id, at: new Date() });
      await ended;
      forget();
    },
    close: async () => {
      for (const worker of workers) worker.disconnect();
      await boss.stop({ graceful: false });
      waiting.close();
      await listener.close();
    },
  };
}

export async function openGraphile(url: string, kind: GraphileKind = 'graphile'): Promise<BenchQueue> {
  const pool = createPool({ url, max: 10, applicationName: 'bench-graphile' });
  const utils = await makeWorkerUtils({ pgPool: pool });
  await utils.migrate();
  const [worker, awaiting] = [await startWorker(kind, url), await Awaiting.open(url)];
  return {
    runJob: () => awaiting.run((id) => utils.addJob('tell', { id })),
    close: async () => {
      worker.disconnect();
      await utils.release();
      await awaiting.close();
      await pool.end();
    },
  };
}

/** Milliseconds from queueing to knowing, the median of jobs that have the queue for themselves. */
export async function roundTrip(queue: BenchQueue): Promise<number> {
  return (await timedRounds(SEQUENTIAL, () => queue.runJob())).median;
}

/** Jobs per second with several callers. */
export const rateOf = (queue: BenchQueue) => rateOfCallers(CALLERS, SECONDS, () => queue.runJob());

export async function benchQueue({ serverUrl }: BenchMarket): Promise<Figure[]> {
  const url = await freshBenchDatabase(serverUrl, 'bench_queue');
  const pool = createPool({ url, max: 10, applicationName: 'bench' });
  const queues = {
    ours: await openOurs(url, pool),
    graphile: await openGraphile(url),
    stored: await openGraphile(await freshBenchDatabase(serverUrl, 'bench_queue_stored'), 'stored'),
  };
  for (const queue of Object.values(queues)) await rateOf(queue);
  const trips = await inTurns(ROUNDS, {
    ours: () => roundTrip(queues.ours),
    graphile: () => roundTrip(queues.graphile),
    stored: () => roundTrip(queues.stored),
  });
  const rates = await inTurns(ROUNDS, {
    ours: () => rateOf(queues.ours),
    graphile: () => rateOf(queues.graphile),
  });
  for (const queue of Object.values(queues)) await queue.close();
  await pool.end();
  const times = (peer: Measurement) => `${trips.ours.median.toFixed(2)} ms against ${peer.median.toFixed(2)} ms`;
  const perSecond = `${Math.round(rates.ours.median)} against ${Math.round(rates.graphile.median)} jobs/s`;
  const [plain, stored] = [ratioOf(trips.ours, trips.graphile), ratioOf(trips.ours, trips.stored)];
  return [
    figure('queue.roundtrip_time_vs_graphile', plain, '<= 1', `${times(trips.graphile)}, a job without work`),
    figure('queue.roundtrip_time_vs_stored', stored, '', `${times(trips.stored)}, both store an empty result`),
    figure(
      'queue.rate16_vs_graphile',
      ratioOf(rates.ours, rates.graphile),
      '>= 1.5',
      `${perSecond} at ${CALLERS} callers`,
    ),
  ];
}

/** The gain from a second worker when the work takes the time, not the queue. */
export async function benchWorkers({ serverUrl }: BenchMarket): Promise<Figure> {
  const url = await ensureBenchDatabase(serverUrl, 'bench_workers');
  const pool = createPool({ url, max: 10, applicationName: 'bench' });
  const rates: Measurement[] = [];
  for (const workers of [1, 2]) {
    const queue = await openOurs(url, pool, { workers, workMs: WORK_MS });
    rates.push((await inTurns(ROUNDS, { rate: () => rateOf(queue) })).rate);
    await queue.close();
  }
  await pool.end();
  const [one, two] = rates;
  const perSecond = `${Math.round(two.median)} against ${Math.round(one.median)} jobs/s`;
  const note = `${perSecond} that wait ${WORK_MS} ms`;
  return figure('backtest.rate_2_workers_vs_1', ratioOf(two, one), '>= 1.8', note);
}
