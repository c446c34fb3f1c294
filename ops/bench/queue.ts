/** A job from being queued to being known to have run, in another process: ours on pg-boss against graphile-worker. */
import type { ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { makeWorkerUtils } from 'graphile-worker';
import { type Listener, listen } from '../../db/listener.ts';
import { createPool, type Pool } from '../../db/pool.ts';
import { createLogger } from '../../jobs/logger.ts';
import { openBoss, send } from '../../jobs/queue/boss.ts';
import { startChild } from './child.ts';
import { type Figure, figure, inTurns, rateOfCallers, ratioOf, timedRounds } from './harness.ts';
import { type BenchMarket, ensureBenchDatabase } from './market.ts';

const ROUNDS = 7;
const SEQUENTIAL = 150;
const CALLERS = 16;
const SECONDS = 1.5;
const RAN_CHANNEL = 'bench_ran';

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

export async function startWorker(kind: 'ours' | 'graphile', url: string): Promise<ChildProcess> {
  return (await startChild('./queue-child.ts', [kind, url, RAN_CHANNEL])).child;
}

/** Jobs as the API queues them, taken by our consumer. */
export async function openOurs(url: string, pool: Pool): Promise<BenchQueue> {
  const [worker, awaiting] = [await startWorker('ours', url), await Awaiting.open(url)];
  const boss = await openBoss({ url, log: createLogger('bench', 'warn') });
  return {
    runJob: () => awaiting.run((id) => send(boss, pool, 'backtest', id, { runId: id, requestId: null })),
    close: async () => {
      worker.disconnect();
      await boss.stop({ graceful: false });
      await awaiting.close();
    },
  };
}

async function openGraphile(url: string, pool: Pool): Promise<BenchQueue> {
  const utils = await makeWorkerUtils({ pgPool: pool });
  await utils.migrate();
  const [worker, awaiting] = [await startWorker('graphile', url), await Awaiting.open(url)];
  return {
    runJob: () => awaiting.run((id) => utils.addJob('tell', { id })),
    close: async () => {
      worker.disconnect();
      await utils.release();
      await awaiting.close();
    },
  };
}

/** Milliseconds from queueing to knowing, the median of jobs that have the queue for themselves. */
export async function roundTrip(queue: BenchQueue): Promise<number> {
  return (await timedRounds(SEQUENTIAL, () => queue.runJob())).median;
}

/** Jobs per second with several callers. */
const rateOf = (queue: BenchQueue) => rateOfCallers(CALLERS, SECONDS, () => queue.runJob());

export async function benchQueue({ serverUrl }: BenchMarket): Promise<Figure[]> {
  const url = await ensureBenchDatabase(serverUrl, 'bench_queue');
  const pool = createPool({ url, max: 10, applicationName: 'bench' });
  const queues = { ours: await openOurs(url, pool), graphile: await openGraphile(url, pool) };
  for (const queue of Object.values(queues)) await rateOf(queue);
  const trips = await inTurns(ROUNDS, {
    ours: () => roundTrip(queues.ours),
    graphile: () => roundTrip(queues.graphile),
  });
  const rates = await inTurns(ROUNDS, {
    ours: () => rateOf(queues.ours),
    graphile: () => rateOf(queues.graphile),
  });
  for (const queue of Object.values(queues)) await queue.close();
  await pool.end();
  const times = `${trips.ours.median.toFixed(2)} ms against ${trips.graphile.median.toFixed(2)} ms`;
  const perSecond = `${Math.round(rates.ours.median)} against ${Math.round(rates.graphile.median)} jobs/s`;
  return [
    figure('queue.roundtrip_time_vs_graphile', ratioOf(trips.ours, trips.graphile), '', `${times}, a job without work`),
    figure('queue.rate16_vs_graphile', ratioOf(rates.ours, rates.graphile), '', `${perSecond} at ${CALLERS} callers`),
  ];
}
