/**
 * Measures the capacity of one database with many connected workers: its processor time per job, awaited backtest, and
 * notification, and its memory per connection. Unlike rates, these costs also hold on a machine with more cores.
 */
import type { ChildProcess } from 'node:child_process';
import pg from 'pg';
import { createPool, type Pool } from '../../db/pool.ts';
import { postmasterOf, privateMegabytes, processorTime } from './database-load.ts';
import { type Figure, figure, rateOfCallers } from './harness.ts';
import { type BenchMarket, ensureBenchDatabase } from './market.ts';
import { openOurs, startWorker } from './queue.ts';

const CALLERS = 32;
const SECONDS = 3;
/** Worker processes beside the first. */
const MORE_WORKERS = [0, 3, 7] as const;
const LISTENERS = [1, 20, 60] as const;
const NOTIFICATIONS = 2_000;
const CHANNEL = 'bench_capacity';

/** Returns the operations per second, and the processor time of the database per operation in ms. */
async function costOf(postmaster: string, work: () => Promise<unknown>): Promise<{ rate: number; ms: number }> {
  const before = processorTime(postmaster);
  const rate = await rateOfCallers(CALLERS, SECONDS, work);
  return { rate, ms: (processorTime(postmaster) - before) / (rate * SECONDS) };
}

async function benchJobs(url: string, pool: Pool, postmaster: string): Promise<Figure[]> {
  const queue = await openOurs(url, pool);
  const more: ChildProcess[] = [];
  const figures: Figure[] = [];
  for (const count of MORE_WORKERS) {
    while (more.length < count) more.push(await startWorker('ours', url));
    await rateOfCallers(CALLERS, 1, () => queue.runJob());
    const { rate, ms } = await costOf(postmaster, () => queue.runJob());
    const note = `of the database for a job without work, ${Math.round(rate)} jobs/s here`;
    figures.push(figure(`capacity.job_ms_at_${count + 1}_workers`, ms, '', note));
  }
  for (const worker of more) worker.disconnect();
  await queue.close();
  return figures;
}

/** Measures the processor time of a notification by the number of listeners. Each notification has its own transaction, as in the service. */
async function benchNotifications(url: string, pool: Pool, postmaster: string): Promise<Figure[]> {
  const clients: pg.Client[] = [];
  const figures: Figure[] = [];
  for (const count of LISTENERS) {
    while (clients.length < count) {
      const client = new pg.Client({ connectionString: url, application_name: 'bench-listener' });
      await client.connect();
      await client.query(`listen ${CHANNEL}`);
      clients.push(client);
    }
    const before = processorTime(postmaster);
    for (let i = 0; i < NOTIFICATIONS; i++) await pool.query('select pg_notify($1, $2)', [CHANNEL, 'x']);
    const ms = (processorTime(postmaster) - before) / NOTIFICATIONS;
    const note = 'of the database for a notification';
    figures.push(figure(`capacity.notification_ms_at_${count}_listeners`, ms, '', note));
  }
  const { rows } = await pool.query<{ pid: number }>(
    `select pid from pg_stat_activity where application_name = 'bench-listener'`,
  );
  const megabytes = rows.reduce((sum, { pid }) => sum + privateMegabytes(pid), 0) / rows.length;
  figures.push(figure('capacity.connection_mb', megabytes, '', 'memory of the database for an idle connection'));
  await Promise.all(clients.map((client) => client.end()));
  return figures;
}

export async function benchCapacity({ serverUrl }: BenchMarket): Promise<Figure[]> {
  const url = await ensureBenchDatabase(serverUrl, 'bench_queue');
  const pool = createPool({ url, max: 10, applicationName: 'bench' });
  const postmaster = await postmasterOf(pool);
  const figures = [...(await benchJobs(url, pool, postmaster)), ...(await benchNotifications(url, pool, postmaster))];
  await pool.end();
  return figures;
}
