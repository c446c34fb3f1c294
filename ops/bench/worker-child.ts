/** A worker of the service whose jobs wait instead of computing: what remains is the cost of queue, worker, and storage. */
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { createPool } from '../../db/pool.ts';
import { storedResult } from '../../db/runs/run-results.ts';
import { CellBlock } from '../../engine/sweep/cells.ts';
import { toError } from '../../engine/util/thrown.ts';
import { BACKTEST_QUEUE } from '../../jobs/contracts/backtest.ts';
import { SWEEP_CHUNK_QUEUE } from '../../jobs/contracts/sweep.ts';
import { createLogger } from '../../jobs/logger.ts';
import { openBoss } from '../../jobs/queue/boss.ts';
import { Consumer } from '../../jobs/queue/consumer.ts';
import type { JobRun, ThreadReply } from '../../jobs/queue/thread-pool.ts';
import { runChunkBy } from '../../jobs/sweep/run-chunk.ts';
import { openStorage } from '../../storage/open-storage.ts';

const [url, waitMs, folder] = process.argv.slice(2);
const RESULT = storedResult({}, {});
const pool = createPool({ url, max: 4, applicationName: 'bench-worker' });
const fetching = createPool({ url, max: 1, applicationName: 'bench-fetch' });
const log = createLogger('bench', 'warn');
const boss = await openBoss({ url, log, supervise: true });

async function wait(): Promise<void> {
  if (Number(waitMs) > 0) await sleep(Number(waitMs));
}

/** Waits, and has an empty result of its own. */
async function runBacktest(jobId: string): Promise<ThreadReply> {
  await wait();
  const end = { result: RESULT, selection: null, trials: null, at: new Date(), workerSeconds: 0 };
  return { type: 'done', end: { ...end, fingerprint: Buffer.from(jobId) } };
}

const chunkContext = {
  pool,
  storage: openStorage({ folder }),
  now: Date.now,
  boss: () => Promise.resolve(boss),
  signal: new AbortController().signal,
  cost: { seconds: () => 0, add: () => {} },
  isLastAttempt: false,
};

/** Waits, and ends as every other chunk does. */
async function runChunk(data: unknown): Promise<ThreadReply> {
  try {
    await runChunkBy(chunkContext, SWEEP_CHUNK_QUEUE.payload.parse(data), async (_, { instruments }) => {
      await wait();
      return new CellBlock(instruments.length, 1);
    });
    return { type: 'done', end: null };
  } catch (error) {
    const { message, stack = '' } = toError(error);
    return { type: 'failed', message, stack, isPermanent: false };
  }
}

async function run({ queue, data, jobId }: JobRun): Promise<ThreadReply> {
  if (queue === BACKTEST_QUEUE.name) return runBacktest(jobId);
  if (queue === SWEEP_CHUNK_QUEUE.name) return runChunk(data);
  // Nothing assembles sweeps: only their chunks are measured.
  return { type: 'done', end: null };
}

const consumer = new Consumer({
  url,
  pool,
  fetching,
  boss,
  threads: { run, close: async () => {} },
  log,
  now: Date.now,
  slots: { interactive: 2, background: 1, compute: 1, sweep: 2, outbound: 1 },
});
await consumer.start();
process.send?.('ready');
process.on('disconnect', () => process.exit(0));
await once(process, 'SIGTERM');
await consumer.stop(1000);
process.exit(0);
