/**
 * A worker with one kind of job that only says it has run: our consumer, or graphile-worker with as many slots. Ours stores an empty
 * result before it tells; `stored` is graphile-worker with a job that does so too.
 */

import { setTimeout as sleep } from 'node:timers/promises';
import { Logger, run as runGraphile } from 'graphile-worker';
import { storedResult } from '../../db/backtests/run-results.ts';
import { createPool } from '../../db/pool.ts';
import { textIn } from '../../engine/thrown.ts';
import { createLogger } from '../../jobs/logger.ts';
import { openBoss } from '../../jobs/queue/boss.ts';
import { Consumer } from '../../jobs/queue/consumer.ts';
import type { JobRun, ThreadReply } from '../../jobs/queue/thread-pool.ts';

const [kind, url, ranChannel, workMs] = process.argv.slice(2);
const SLOTS = 2;
const RESULT = storedResult({}, {});
const TELL = { name: 'tell', text: 'select pg_notify($1, $2)' };
const STORE_AND_TELL = {
  name: 'store_and_tell',
  text: 'with stored as (insert into bench_results values ($2::text::uuid)) select pg_notify($1, $2)',
};
const pool = createPool({ url, max: 4, applicationName: 'bench-worker' });

/** A job that waits, and has an empty result of its own. */
async function run({ jobId }: Pick<JobRun, 'jobId'>): Promise<ThreadReply> {
  if (Number(workMs) > 0) await sleep(Number(workMs));
  const end = {
    fingerprint: Buffer.from(jobId),
    result: RESULT,
    selection: null,
    trials: null,
    at: new Date(),
    workerSeconds: 0,
  };
  return { type: 'done', end };
}

async function startOurs(): Promise<void> {
  const log = createLogger('bench', 'warn');
  const fetching = createPool({ url, max: 1, applicationName: 'bench-fetch' });
  const boss = await openBoss({ url, log, supervise: true });
  const threads = { run, close: async () => {} };
  const consumer = new Consumer({
    url,
    pool,
    fetching,
    boss,
    threads,
    log,
    now: Date.now,
    slots: { interactive: SLOTS, background: 1, compute: 1, sweep: 1, outbound: 1 },
  });
  await consumer.start();
}

async function startGraphile(tell: typeof TELL): Promise<void> {
  await pool.query('create table if not exists bench_results (id uuid primary key); truncate bench_results');
  const taskList = {
    tell: async (payload: unknown) => {
      await pool.query({ ...tell, values: [ranChannel, textIn(payload, 'id')] });
    },
  };
  const logger = new Logger(() => () => {});
  await runGraphile({ connectionString: url, concurrency: SLOTS, noHandleSignals: true, taskList, logger });
}

const START: Readonly<Record<string, () => Promise<void>>> = {
  ours: startOurs,
  graphile: () => startGraphile(TELL),
  stored: () => startGraphile(STORE_AND_TELL),
};
await START[kind]();
process.send?.('ready');
process.on('disconnect', () => process.exit(0));
