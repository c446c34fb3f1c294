/** A job from queueing to the notification that it has run in another process: ours on pg-boss against graphile-worker. */
import { randomUUID } from 'node:crypto';
import { Logger, makeWorkerUtils, run } from 'graphile-worker';
import { RunWaiting } from '../../../api/runs/wait.ts';
import { listen } from '../../../db/listener.ts';
import { createPool } from '../../../db/pool.ts';
import { stringProperty } from '../../../engine/util/errors.ts';
import { openBoss } from '../../../jobs/queue/boss.ts';
import { RunQueue } from '../../../jobs/runs/enqueue.ts';
import { BENCH_LOG, type Bench, benchDatabase } from './market.ts';
import { compare, inTurns, medianOf, ratioFigure } from './measure.ts';
import { endChild, startTask } from './processes.ts';
import { runWaitingWorker } from './waiting-worker.ts';

const ROUNDS = 7;
const SEQUENTIAL = 150;
const CALLERS = 16;
const SECONDS = 1.5;
const WORK_MS = 20;
const RAN_CHANNEL = 'bench_ran';
const EMPTY_RUN = {
  kind: 'backtest',
  userId: null,
  isKept: false,
  historyMax: null,
  spec: {},
  requestId: 'bench',
  max: 1,
} as const;

/** A queue with its workers: queues a job and resolves when it has run. */
interface BenchQueue {
  runJob(): Promise<void>;
  close(): Promise<void>;
}

/** Runs as the API queues and awaits them, taken by our consumers, which store an empty result. `waitMs`: how long a job waits. */
export async function openOurs(url: string, workers = 1, waitMs = 0): Promise<BenchQueue> {
  const pool = createPool({ url, max: 10, applicationName: 'bench' });
  const start = () => startTask(runWaitingWorker, [url, String(waitMs), '/nowhere']);
  const started = await Promise.all(Array.from({ length: workers }, start));
  const listener = await listen({ url, applicationName: 'bench-waiting' });
  const waiting = await RunWaiting.open({ listener, db: pool, log: BENCH_LOG });
  const boss = await openBoss({ url, log: BENCH_LOG });
  const runs = new RunQueue(pool, boss);
  return {
    runJob: async () => {
      const id = randomUUID();
      const { ended, unsubscribe } = waiting.subscribe(id);
      await runs.add({ ...EMPTY_RUN, id, owner: id, at: new Date() });
      await ended;
      unsubscribe();
    },
    close: async () => {
      await Promise.all(started.map(({ child }) => endChild(child)));
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
  const { child } = await startTask(runGraphile, [url]);
  const waiting = new Map<string, () => void>();
  const channels = { [RAN_CHANNEL]: (id: string) => waiting.get(id)?.() };
  const listener = await listen({ url, applicationName: 'bench-awaiting', channels });
  return {
    runJob: async () => {
      const id = randomUUID();
      const { promise, resolve } = Promise.withResolvers<void>();
      waiting.set(id, resolve);
      await utils.addJob('notify', { id });
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

/** A worker of graphile-worker with as many slots as ours and jobs that only notify that they have run. */
export async function runGraphile([url]: readonly string[]): Promise<void> {
  const pool = createPool({ url, max: 4, applicationName: 'bench-worker' });
  const notify = async (payload: unknown) => {
    await pool.query({
      name: 'notify',
      text: 'select pg_notify($1, $2)',
      values: [RAN_CHANNEL, stringProperty(payload, 'id')],
    });
  };
  const logger = new Logger(() => () => {});
  await run({ connectionString: url, concurrency: 2, noHandleSignals: true, taskList: { notify }, logger });
}

/** Milliseconds from queueing to the notification, the median of jobs that have the queue for themselves. */
export const roundTrip = (queue: BenchQueue) => medianOf(SEQUENTIAL, () => queue.runJob());

/** Jobs per second with several callers, each of which queues its next job as soon as one has run. */
export async function rateOf(queue: BenchQueue): Promise<number> {
  const start = performance.now();
  let jobs = 0;
  const caller = async () => {
    for (; performance.now() < start + 1000 * SECONDS; jobs++) await queue.runJob();
  };
  await Promise.all(Array.from({ length: CALLERS }, caller));
  return (1000 * jobs) / (performance.now() - start);
}

/** Both queues on one database, after jobs on which they compile. */
function againstGraphile(what: string, unit: string, measure: (queue: BenchQueue) => Promise<number>): Bench {
  return async ({ serverUrl }) => {
    const url = await benchDatabase(serverUrl, 'bench_queue', true);
    const [ours, graphile] = [await openOurs(url), await openGraphile(url)];
    for (const queue of [ours, graphile]) await rateOf(queue);
    const figure = await compare(what, unit, { ours: () => measure(ours), floor: () => measure(graphile) }, ROUNDS);
    for (const queue of [ours, graphile]) await queue.close();
    return figure;
  };
}

/** The gain from a second worker when the work takes the time, not the queue. */
const benchWorkers: Bench = async ({ serverUrl }) => {
  const url = await benchDatabase(serverUrl, 'bench_workers');
  const rates: number[][] = [];
  for (const workers of [1, 2]) {
    const queue = await openOurs(url, workers, WORK_MS);
    rates.push((await inTurns({ rate: () => rateOf(queue) })).rate);
    await queue.close();
  }
  return ratioFigure(rates[1], rates[0], 'jobs/s', `jobs that wait ${WORK_MS} ms, with two workers and one`);
};

export const QUEUE: Readonly<Record<string, Bench>> = {
  'queue.roundtrip_time_vs_graphile': againstGraphile('a job without work', 'ms', roundTrip),
  'queue.rate16_vs_graphile': againstGraphile(`${CALLERS} callers`, 'jobs/s', rateOf),
  'backtest.rate_2_workers_vs_1': benchWorkers,
};
