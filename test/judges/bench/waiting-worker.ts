/** A worker of the service whose jobs wait instead of computing: what remains is the cost of queue, worker, and storage. */
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { createPool } from '../../../db/pool.ts';
import { storedResult } from '../../../db/runs/run-results.ts';
import { CellBlock } from '../../../engine/sweep/cells.ts';
import { BACKTEST_QUEUE } from '../../../jobs/contracts/backtest.ts';
import { SWEEP_CHUNK_QUEUE } from '../../../jobs/contracts/sweep.ts';
import { openBoss } from '../../../jobs/queue/boss.ts';
import { Consumer } from '../../../jobs/queue/consumer.ts';
import type { JobRun, ThreadReply } from '../../../jobs/queue/thread-pool.ts';
import { runChunkBy, writeCells } from '../../../jobs/sweep/run-chunk.ts';
import { openStorage } from '../../../storage/open-storage.ts';
import { testJobContext } from '../../support/job-context.ts';
import { BENCH_LOG } from './market.ts';

/** `waitMs`: how long a job waits; `folder`: the storage of the chunks of sweeps. */
export async function runWaitingWorker([url, waitMs, folder]: readonly string[]): Promise<void> {
  const pool = createPool({ url, max: 4, applicationName: 'bench-worker' });
  const fetching = createPool({ url, max: 1, applicationName: 'bench-fetch' });
  const boss = await openBoss({ url, log: BENCH_LOG, supervise: true });
  const context = testJobContext({ pool, storage: openStorage({ folder }), boss: async () => boss });
  const wait = () => (waitMs === '0' ? undefined : sleep(Number(waitMs)));

  const run = async ({ queue, data, jobId }: JobRun): Promise<ThreadReply> => {
    if (queue === SWEEP_CHUNK_QUEUE.name) {
      const compute = writeCells(async (_, { instruments }) => {
        await wait();
        return new CellBlock(instruments.length, 1);
      });
      await runChunkBy(context, SWEEP_CHUNK_QUEUE.payload.parse(data), compute);
    }
    // Nothing assembles sweeps: only their chunks are measured.
    if (queue !== BACKTEST_QUEUE.name) return { type: 'done', end: null };
    await wait();
    const kept = { backtestId: null, selection: null, trials: null };
    const end = { result: storedResult({}), ...kept, at: new Date(), workerSeconds: 0 };
    // Each run has its own result.
    return { type: 'done', end: { ...end, fingerprint: Buffer.from(jobId) } };
  };

  const slots = { interactive: 2, mail: 1, background: 1, compute: 1, sweep: 2, outbound: 1 };
  const threads = { run, close: async () => {} };
  const consumer = new Consumer({ url, pool, fetching, boss, threads, log: BENCH_LOG, now: Date.now, slots });
  await consumer.start();
  once(process, 'SIGTERM').then(async () => {
    await consumer.stop(1000);
    process.exit(0);
  });
}
