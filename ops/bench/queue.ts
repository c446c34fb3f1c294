/** A job from being queued to being known to have run, in another process: ours on pg-boss against graphile-worker. */
import { randomUUID } from 'node:crypto';
import { makeWorkerUtils } from 'graphile-worker';
import { RunWaiting } from '../../api/runs/wait.ts';
import { listen } from '../../db/listener.ts';
import { createPool } from '../../db/pool.ts';
import { RunQueue } from '../../jobs/backtest/enqueue.ts';
import { createLogger } from '../../jobs/logger.ts';
import { openBoss } from '../../jobs/queue/boss.ts';
import { type Bench, type BenchMarket, ensureBenchDatabase, freshBenchDatabase } from './market.ts';
import { inTurns, type Measurement, medianOf, rateOfCallers, ratioOf } from './measure.ts';
import { endChild, startChild } from './processes.ts';
import { figure } from './report.ts';

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
} as const;

/** A queue with its worker: queues a job and resolves when it has run. */
interface BenchQueue {
  runJob(): Promise<void>;
  close(): Promise<void>;
}

/** Runs as the API queues and awaits them, taken by our consumers, which store an empty result. `waitMs`: how long a job waits. */
export async function openOurs(url: string, workers = 1, waitMs = 0): Promise<BenchQueue> {
  const log = createLogger('bench', 'warn');
  const pool = createPool({ url, max: 10, applicationName: 'bench' });
  const children = await Promise.all(
    Array.from({ length: workers }, () => startChild('./worker-child.ts', [url, String(waitMs), '/nowhere'])),
  );
  const listener = await listen({ url, applicationName: 'bench-waiting' });
  const waiting = await RunWaiting.open({ listener, db: pool, log });
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
      await Promise.all(children.map(({ child }) => endChild(child)));
      await boss.stop({ graceful: false });
      waiting.close();
      await listener.close();
      await pool.end();
    },
  };
}

export async function openGraphile(url: string): Promise<BenchQueue> {
  const pool = createPool({ url, max: 10, applicationName: 'bench-graphile' });
  const utils = await makeWorkerUtils({ pgPool: pool });
  await utils.migrate();
  const { child } = await startChild('./graphile-child.ts', [url, RAN_CHANNEL]);
  const waiting = new Map<string, () => void>();
  const channels = { [RAN_CHANNEL]: (id: string) => waiting.get(id)?.() };
  const listener = await listen({ url, applicationName: 'bench-awaiting', channels });
  return {
    runJob: async () => {
      const id = randomUUID();
      const { promise, resolve } = Promise.withResolvers<void>();
      waiting.set(id, resolve);
      await utils.addJob('tell', { id });
      await promise;
      waiting.delete(id);
    },
    close: async () => {
      await endChild(child);
      await utils.release();
      await listener.close();
      await pool.end();
    },
  };
}

/** Milliseconds from queueing to knowing, the median of jobs that have the queue for themselves. */
export const roundTrip = (queue: BenchQueue) => medianOf(SEQUENTIAL, () => queue.runJob());

/** Jobs per second with several callers. */
export const rateOf = (queue: BenchQueue) => rateOfCallers(CALLERS, SECONDS, () => queue.runJob());

type Sides = Readonly<Record<'ours' | 'graphile', Measurement>>;

/** Measures both queues in turns, after jobs on which they compile. */
async function compare({ serverUrl }: BenchMarket, measure: (queue: BenchQueue) => Promise<number>): Promise<Sides> {
  const url = await freshBenchDatabase(serverUrl, 'bench_queue');
  const queues = { ours: await openOurs(url), graphile: await openGraphile(url) };
  for (const queue of Object.values(queues)) await rateOf(queue);
  const sides = await inTurns(ROUNDS, {
    ours: () => measure(queues.ours),
    graphile: () => measure(queues.graphile),
  });
  for (const queue of Object.values(queues)) await queue.close();
  return sides;
}

const benchRoundTrip: Bench = async (market) => {
  const { ours, graphile } = await compare(market, roundTrip);
  const times = `${ours.median.toFixed(2)} ms against ${graphile.median.toFixed(2)} ms, a job without work`;
  return [figure('queue.roundtrip_time_vs_graphile', ratioOf(ours, graphile), times)];
};

const benchRate: Bench = async (market) => {
  const { ours, graphile } = await compare(market, rateOf);
  const rates = `${Math.round(ours.median)} against ${Math.round(graphile.median)} jobs/s at ${CALLERS} callers`;
  return [figure('queue.rate16_vs_graphile', ratioOf(ours, graphile), rates)];
};

/** The gain from a second worker when the work takes the time, not the queue. */
const benchWorkers: Bench = async ({ serverUrl }) => {
  const url = await ensureBenchDatabase(serverUrl, 'bench_workers');
  const rates: Measurement[] = [];
  for (const workers of [1, 2]) {
    const queue = await openOurs(url, workers, WORK_MS);
    rates.push((await inTurns(ROUNDS, { rate: () => rateOf(queue) })).rate);
    await queue.close();
  }
  const [one, two] = rates;
  const note = `${Math.round(two.median)} against ${Math.round(one.median)} jobs/s that wait ${WORK_MS} ms`;
  return [figure('backtest.rate_2_workers_vs_1', ratioOf(two, one), note)];
};

export const QUEUE = {
  'queue.roundtrip_time_vs_graphile': benchRoundTrip,
  'queue.rate16_vs_graphile': benchRate,
  'backtest.rate_2_workers_vs_1': benchWorkers,
};
