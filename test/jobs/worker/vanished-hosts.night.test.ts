/**
 * Machines that vanish: their processes stop, and nothing more comes from their connections, which stay open. What they have begun holds
 * up nobody for long.
 */
import type { ChildProcess } from 'node:child_process';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { PgBoss } from 'pg-boss';
import pino from 'pino';
import { countConnectedProcesses } from '../../../db/connection-counts.ts';
import { transaction } from '../../../db/pool.ts';
import { selectSyncJob } from '../../../db/queue/sync-jobs.ts';
import { VENUE_BASIS_CODE } from '../../../engine/market/venue-basis.ts';
import { SampleProvider } from '../../../jobs/providers/sample/sample-provider.ts';
import { openBoss } from '../../../jobs/queue/boss.ts';
import { enqueueSync, type WantedSync } from '../../../jobs/sync/enqueue.ts';
import { signUp } from '../../support/accounts.ts';
import { openTestApi } from '../../support/api.ts';
import { createSampleDatabase, createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { deadline, LEAST_FACTOR } from '../../support/deadlines.ts';
import { eventually } from '../../support/eventually.ts';
import { freePort } from '../../support/free-port.ts';
import { BARS_HEADER, createMarketFolder, type MarketFolder } from '../../support/market-folder.ts';
import { endProcess, startProcess } from '../../support/processes.ts';
import { TcpProxy } from '../../support/tcp-proxy.ts';

const SESSION = '2024-07-01';
const NOW = '2026-06-03T16:00:00Z';
/** Longer on a machine that is slow. */
const within = (ms: number) => deadline(ms) / LEAST_FACTOR;

let database: TestDatabase;
let folder: MarketFolder;
const ending: (() => unknown)[] = [];

beforeAll(() => {
  folder = createMarketFolder({ 'symbols.csv': 'symbol\nS\n' });
  folder.write(`daily/consolidated/${SESSION}.csv`, `${BARS_HEADER}S,${SESSION},1,2,1,1,5\n`);
});
afterAll(() => folder.remove());
afterEach(async () => {
  for (const end of ending.splice(0).reverse()) await end();
});

/** The way of a machine to the database. */
async function openWay(): Promise<TcpProxy> {
  const way = await TcpProxy.start(Number(new URL(database.url).port));
  ending.push(() => way.close());
  return way;
}

async function start(name: 'api' | 'worker', url: string, env: Readonly<Record<string, string>>) {
  const child = await startProcess(name, { DATABASE_URL: url, DATA_DIR: folder.path, ...env });
  ending.push(() => endProcess(child, 'SIGKILL'));
  return child;
}

/** Stops a process whose connections have fallen silent: for everyone else, its machine has vanished. */
function vanish(child: ChildProcess): number {
  child.kill('SIGSTOP');
  return performance.now();
}

describe('a worker that vanishes', () => {
  let boss: PgBoss;

  async function open(): Promise<void> {
    database = await createTestDatabase();
    ending.push(() => database.drop());
    boss = await openBoss({ url: database.url, log: pino({ level: 'silent' }) });
    ending.push(() => boss.stop({ graceful: false }));
  }

  const startWorker = (url = database.url) => start('worker', url, { PROVIDER: 'files', PROVIDER_DIR: folder.path });

  const queue = async (jobType: WantedSync['jobType']) =>
    Number(
      await transaction(database.pool, (connection) =>
        enqueueSync(connection, boss, { jobType, spec: {}, requestedBy: 'test' }),
      ),
    );

  const untilDone = (id: number, ms: number) =>
    eventually(
      () => selectSyncJob(database.pool, id),
      (job) => job?.status === 'ok',
      ms,
    );

  it.each([
    ['has locked a queue', 'advisory_xact_lock($1, hashtext'],
    ['has fetched a job', 'with claimed as'],
  ])('when it %s leaves the queue to others within seconds', async (_, last) => {
    await open();
    const way = await openWay();
    const doomed = await startWorker(way.through(database.url));
    const frozen = way.freezeAfter(last);
    const id = await queue('symbols');
    await frozen;
    const since = vanish(doomed);
    await startWorker();
    await untilDone(await queue('adjustments'), 15_000);
    await untilDone(id, 15_000);
    expect(performance.now() - since).toBeLessThan(within(15_000));
  });

  it('with a job is replaced within 15 seconds', async () => {
    await open();
    const way = await openWay();
    const doomed = await startWorker(way.through(database.url));
    await untilDone(await queue('symbols'), 15_000);
    await transaction(database.pool, async (barrier) => {
      await barrier.query(
        `insert into loaded_sessions (basis, day, rows, rejected, is_complete)
         values (${VENUE_BASIS_CODE.consolidated}, '${SESSION}', 0, 0, false)`,
      );
      await queue('daily_bars');
      await eventually(
        () =>
          database.pool.query(
            `select from pg_stat_activity where datname = current_database() and wait_event = 'transactionid'`,
          ),
        ({ rowCount }) => rowCount === 1,
      );
      await startWorker();
      way.freeze();
      const since = vanish(doomed);
      await eventually(
        () => database.pool.query(`select from job_claims where queue = 'sync.daily_bars' and attempt = 1`),
        ({ rowCount }) => rowCount === 1,
        30_000,
      );
      expect(performance.now() - since).toBeLessThan(within(15_000));
      // Because the server has ended the connection that holds its lease, and no longer counts the machine.
      await eventually(
        () => countConnectedProcesses(database.pool),
        ({ worker }) => worker === 1,
        1_000,
      );
    });
  });
});

describe('an API that vanishes', () => {
  it('while it admits a run leaves the account to others within seconds', async () => {
    const provider = new SampleProvider({ symbols: 50, now: () => Date.parse(NOW) });
    database = await createSampleDatabase(provider);
    ending.push(() => database.drop());
    const api = await openTestApi({ database, provider, realCallers: true, backtestWaitMs: 100 });
    ending.push(() => api.close());
    const person = await signUp(api);
    const run = { symbol: 'ACRX', strategy: 'sma_cross' };

    const way = await openWay();
    const port = await freePort();
    const doomed = await start('api', way.through(database.url), {
      PORT: String(port),
      PROVIDER: 'sample',
      SAMPLE_SYMBOLS: '50',
      FIXED_NOW: NOW,
    });
    const frozen = way.freezeAfter('from admit(');
    const call = fetch(`http://127.0.0.1:${port}/v1/backtest`, {
      method: 'POST',
      headers: { ...person.program, 'content-type': 'application/json' },
      body: JSON.stringify(run),
    }).catch(() => {});
    await frozen;
    const since = vanish(doomed);
    const answer = await eventually(
      () => api.post('/v1/backtest', run, person.program),
      ({ status }) => status !== 503,
      10_000,
    );
    expect(answer.status).toBe(202);
    expect(performance.now() - since).toBeLessThan(within(10_000));
    await endProcess(doomed, 'SIGKILL');
    await call;
  });
});
