/** Real worker processes on a real queue; some are killed. */

import type { ChildProcess } from 'node:child_process';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { PgBoss } from 'pg-boss';
import pino from 'pino';
import { transaction } from '../../../db/pool.ts';
import type { SyncJob } from '../../../db/queue/sync-jobs.ts';
import { VENUE_BASIS_CODE } from '../../../engine/market/venue-basis.ts';
import { required } from '../../../engine/util/values.ts';
import { openBoss } from '../../../jobs/queue/boss.ts';
import { enqueueSync, retrySync, type WantedSync } from '../../../jobs/sync/enqueue.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { eventually } from '../../support/eventually.ts';
import { everyNth } from '../../support/extent.ts';
import { BARS_HEADER, createMarketFolder, type MarketFolder } from '../../support/market-folder.ts';
import { endProcess, startProcess } from '../../support/processes.ts';
import { untilSyncJob } from '../../support/sync-jobs.ts';

const SYMBOLS = 1_500;
const SESSIONS = [
  '2024-07-01',
  '2024-07-02',
  '2024-07-03',
  '2024-07-05',
  '2024-07-08',
  '2024-07-09',
  '2024-07-10',
  '2024-07-11',
];

let database: TestDatabase;
let folder: MarketFolder;
let boss: PgBoss;
const workers: ChildProcess[] = [];

beforeAll(() => {
  const symbols = Array.from({ length: SYMBOLS }, (_, i) => `S${i}`);
  folder = createMarketFolder({ 'symbols.csv': `symbol\n${symbols.join('\n')}\n` });
  for (const day of SESSIONS) {
    folder.write(
      `daily/consolidated/${day}.csv`,
      `${BARS_HEADER}${symbols.map((s, i) => `${s},${day},1,2,1,1,${i}`).join('\n')}\n`,
    );
  }
});
afterAll(() => folder.remove());
beforeEach(async () => {
  folder.write('daily/consolidated/2024-07-12.csv', BARS_HEADER);
  database = await createTestDatabase();
  boss = await openBoss({ url: database.url, log: pino({ level: 'silent' }) });
});
afterEach(async () => {
  await Promise.all(workers.splice(0).map((worker) => endProcess(worker, 'SIGTERM')));
  await boss.stop({ graceful: false });
  await database.drop();
});

async function startWorker(): Promise<ChildProcess> {
  const worker = await startProcess('worker', {
    DATABASE_URL: database.url,
    PROVIDER: 'files',
    PROVIDER_DIR: folder.path,
    DATA_DIR: folder.path,
  });
  workers.push(worker);
  return worker;
}

async function queue(wanted: Pick<WantedSync, 'jobType'> & Partial<WantedSync>): Promise<number> {
  return transaction(database.pool, (connection) =>
    enqueueSync(connection, boss, { spec: {}, requestedBy: 'test', ...wanted }),
  ) as Promise<number>;
}

/** Queues a load, which waits at a session until its worker is killed: otherwise a fast worker could end it before. */
async function killWhileLoading(worker: ChildProcess, session: string): Promise<number> {
  const barrier = await database.pool.connect();
  try {
    await barrier.query(
      `begin; insert into loaded_sessions (basis, day, rows, rejected, is_complete)
       values (${VENUE_BASIS_CODE.consolidated}, '${session}', 0, 0, false)`,
    );
    const id = await queue({ jobType: 'daily_bars' });
    await eventually(
      () =>
        database.pool.query(
          `select from pg_stat_activity where datname = current_database() and wait_event = 'transactionid'`,
        ),
      ({ rowCount }) => rowCount === 1,
    );
    await endProcess(worker, 'SIGKILL');
    return id;
  } finally {
    await barrier.query('rollback');
    barrier.release();
  }
}

const isEnded = (job: SyncJob) => job.status !== 'running';
const countBars = async () =>
  required((await database.pool.query('select count(*)::int as n from daily_bars')).rows[0].n);

describe('a worker', () => {
  it('takes jobs when they are queued, one of a kind at a time, and records their outcome', async () => {
    await startWorker();
    const symbols = await queue({ jobType: 'symbols' });
    expect(await untilSyncJob(database, symbols, isEnded)).toMatchObject({
      status: 'ok',
      attempts: 1,
      progress_pct: 100,
      rows_written: SYMBOLS,
    });
    const ids = [await queue({ jobType: 'daily_bars' }), await queue({ jobType: 'daily_bars' })];
    const [first, second] = await Promise.all(ids.map((id) => untilSyncJob(database, id, isEnded)));
    expect([first.status, second.status]).toEqual(['ok', 'ok']);
    expect(second.started_at?.getTime()).toBeGreaterThanOrEqual(required(first.finished_at?.getTime()));
    expect(await countBars()).toBe(SYMBOLS * SESSIONS.length);
    expect(await endProcess(workers[0], 'SIGTERM')).toBe(0);
    const { rows } = await database.pool.query('select count(*)::int as n from job_claims');
    expect(rows[0].n).toBe(0);
  });

  it('does not retry a broken file, and loads it when it is repaired', async () => {
    await startWorker();
    await untilSyncJob(database, await queue({ jobType: 'symbols' }), isEnded);
    folder.write('daily/consolidated/2024-07-12.csv', BARS_HEADER + 'nonsense\n'.repeat(10));
    const id = await queue({ jobType: 'daily_bars' });
    const failed = await untilSyncJob(database, id, isEnded);
    expect(failed).toMatchObject({
      status: 'failed',
      attempts: 1,
      error: expect.stringMatching(/2024-07-12\.csv: 10 of 10/),
    });
    folder.write('daily/consolidated/2024-07-12.csv', `${BARS_HEADER}S1,2024-07-12,1,2,1,1,5\n`);
    await transaction(database.pool, (connection) => retrySync(connection, boss, failed, null));
    await expect(
      transaction(database.pool, (connection) => retrySync(connection, boss, failed, null)),
    ).rejects.toMatchObject({ code: 'wrong_state' });
    expect(await untilSyncJob(database, id, (job) => job.status === 'ok')).toMatchObject({
      rows_written: SYMBOLS * SESSIONS.length + 1,
    });
  });

  it.each(everyNth(3, [0, 1, 2]))(
    'that is killed at any moment is replaced by another one, and the rows are the same (%i)',
    async (round) => {
      const doomed = await startWorker();
      await untilSyncJob(database, await queue({ jobType: 'symbols' }), isEnded);
      const id = await killWhileLoading(doomed, SESSIONS[2 * round]);
      await startWorker();
      const job = await untilSyncJob(database, id, isEnded);
      expect(job.status).toBe('ok');
      expect(await countBars()).toBe(SYMBOLS * SESSIONS.length);
      const { rows } = await database.pool.query(
        'select count(distinct (instrument_id, day))::int as n from daily_bars',
      );
      expect(rows[0].n).toBe(SYMBOLS * SESSIONS.length);
      const attempts = await database.pool.query(
        'select a.attempt, a.worker, a.error from job_attempts a join sync_jobs s on s.queue_job_id = a.job_id where s.id = $1',
        [id],
      );
      const worker = expect.stringMatching(`\\(process ${doomed.pid}\\)$`);
      expect(attempts.rows).toEqual([{ attempt: 1, worker, error: 'the worker died' }]);
    },
  );

  it('ends with code 0 on SIGTERM', async () => {
    expect(await endProcess(await startWorker(), 'SIGTERM')).toBe(0);
  });
});
