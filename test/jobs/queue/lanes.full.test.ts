/** Lanes and turns: real worker processes with more jobs than slots. */
import type { ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { PLANS } from '../../../api/access/plans.ts';
import { transaction } from '../../../db/pool.ts';
import { selectExport } from '../../../db/queue/exports.ts';
import { deletePause, insertPause } from '../../../db/queue/queues.ts';
import { selectSyncJob } from '../../../db/queue/sync-jobs.ts';
import { required } from '../../../engine/util/values.ts';
import { LANE_NICENESS } from '../../../jobs/contracts/queue-contract.ts';
import { readNewestLoginCode } from '../../../jobs/mail/mailer.ts';
import { SampleProvider } from '../../../jobs/providers/sample/sample-provider.ts';
import { sendUnlessWaiting } from '../../../jobs/queue/send.ts';
import { enqueueSync } from '../../../jobs/sync/enqueue.ts';
import { openStorage } from '../../../storage/open-storage.ts';
import { addAdmin, addPerson, newAddress, newEmail, type Person } from '../../support/accounts.ts';
import { openTestApi, type TestApi } from '../../support/api.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { deadline } from '../../support/deadlines.ts';
import { eventually } from '../../support/eventually.ts';
import { runSyncJob } from '../../support/market-folder.ts';
import { endProcess, startProcess } from '../../support/processes.ts';
import { startSampleWorker } from '../../support/sample-worker.ts';

const NOW = Date.parse('2024-09-04T16:00:00Z');
const SYMBOLS = 50;
let folder: string;
let database: TestDatabase;
let api: TestApi;
let symbol: string;
let worker: ChildProcess;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'lanes-'));
  database = await createTestDatabase();
  const provider = new SampleProvider({ symbols: SYMBOLS, now: () => NOW });
  await runSyncJob(database.pool, provider, 'symbols');
  await runSyncJob(database.pool, provider, 'daily_bars', { venue_mode: 'primary_session', start: '2020-01-01' });
  await runSyncJob(database.pool, provider, 'daily_bars', { venue_mode: 'single_venue' });
  await runSyncJob(database.pool, provider, 'daily_bars', { venue_mode: 'consolidated' });
  const { rows } = await database.pool.query(
    `select i.symbol from daily_bars b join instruments i on i.id = b.instrument_id
     group by 1 order by count(*) desc, 1 limit 1`,
  );
  symbol = rows[0].symbol;
  const storage = openStorage({ folder: join(folder, 'objects') });
  api = await openTestApi({ database, provider, storage, now: () => NOW, realCallers: true });
}, deadline(60_000));
afterAll(async () => {
  await api.close();
  await database.drop();
  rmSync(folder, { recursive: true, force: true });
});
beforeEach(async () => {
  worker = await startSampleWorker(
    { database, folder, now: NOW, symbols: SYMBOLS },
    {
      JWT_SECRET: 'a-secret-of-the-tests-with-enough-characters',
      WORKER_SLOTS: 'interactive=1,mail=2,background=1,compute=1,sweep=2,outbound=1',
    },
  );
});
afterEach(() => endProcess(worker, 'SIGKILL'));

const RANGE = (from: number, to: number) => ({ from, to, step: 1 });
const SHORT = { grid: { fast_period: RANGE(5, 9), slow_period: RANGE(40, 49) } };
/** The concurrent runs that an account may have. */
const MANY = 20;
/** A grid with the maximum number of combinations. */
const LONG = {
  grid: { fast_period: RANGE(2, 51), slow_period: RANGE(60, 159) },
};

/** Queues an optimization; returns its id. */
async function optimize({ program }: Person, what: object): Promise<string> {
  const body = { symbol, strategy: 'sma_cross', time_range: 'MAX', ...what };
  const response = await api.post('/v1/optimize', body, program);
  expect(response.status).toBe(202);
  return response.body.data.job_id;
}

const enterprise = () => addPerson(api, newEmail(), { plan: 'enterprise' });

async function statusesOf(ids: readonly string[]): Promise<string[]> {
  const { rows } = await database.pool.query(
    'select status from runs where id = any($1) order by array_position($1, id)',
    [ids],
  );
  return rows.map(({ status }) => status);
}

/** Returns the queues whose jobs ran while a job of `queue` did, without queues of awaited jobs. */
async function alongside(queue: string): Promise<string[]> {
  const { rows } = await database.pool.query(
    `select distinct j.name from pgboss.job j join pgboss.job other on other.name = $1 and other.started_on <= coalesce(j.completed_on, now())
       and coalesce(other.completed_on, now()) >= j.started_on
     where j.name <> $1 and j.name not in ('backtest', 'mail.login_code') order by 1`,
    [queue],
  );
  return rows.map(({ name }) => name);
}

/** Returns the nice values of the threads of a process. */
function nicenessOf(pid: number): number[] {
  return readdirSync(`/proc/${pid}/task`).map((task) => {
    const fields = readFileSync(`/proc/${pid}/task/${task}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ');
    return Number(fields[16]);
  });
}

it(
  'other lanes continue while optimizations fill theirs',
  async () => {
    const person = await enterprise();
    const ids: string[] = [];
    for (let i = 0; i < MANY; i++) ids.push(await optimize(person, { ...LONG, cost: { commission_rate: i / 1e5 } }));
    await eventually(
      () => statusesOf(ids.slice(0, 1)),
      ([status]) => status !== 'queued',
    );
    const admin = await addAdmin(api);
    const requested = await api.post(
      '/api/admin/data/export',
      { start: '2015-01-01', end: '2024-08-30', venue_mode: 'single_venue' },
      admin.console,
    );
    expect(requested.status).toBe(202);
    const load = await transaction(database.pool, (connection) =>
      enqueueSync(connection, api.services.boss, { jobType: 'symbols', spec: {}, requestedBy: 'test' }),
    );
    await sendUnlessWaiting(api.services.boss, 'snapshot.build', { requestId: null });
    const email = newEmail();
    await api.post('/api/auth/request-code', { email }, { 'x-forwarded-for': newAddress() });
    const backtest = await api.post('/v1/backtest', { symbol, time_range: '1Y' }, (await addPerson(api)).program);
    expect(backtest.status).toBe(200);
    // With one lane for all jobs without waiting callers, none of these would start before the optimizations have ended.
    await eventually(
      () => readNewestLoginCode(join(folder, 'outbox'), email),
      (sent) => sent !== null,
    );
    await eventually(
      () => selectExport(database.pool, requested.body.data.id),
      (exported) => exported?.status === 'done',
    );
    await eventually(
      () => selectSyncJob(database.pool, required(load)),
      (job) => job?.status === 'ok',
    );
    await eventually(
      () => database.pool.query('select from snapshots'),
      ({ rowCount }) => rowCount === 1,
    );
    expect((await statusesOf(ids)).at(-1)).toBe('queued');
    expect(await alongside('optimize')).toEqual(['export', 'snapshot.build', 'sync.symbols']);
    if (process.platform === 'linux') expect(nicenessOf(required(worker.pid))).toContain(LANE_NICENESS.compute);
    await endProcess(worker, 'SIGKILL');
    await database.pool.query(`delete from pgboss.job where name = 'optimize'`);
    await database.pool.query('delete from runs');
  },
  deadline(60_000),
);

it(
  'an account with one optimization does not wait for the twelve of another',
  async () => {
    const at = new Date();
    await insertPause(database.pool, 'optimize', 'test', at);
    const [many, one] = [await enterprise(), await enterprise()];
    const ids: string[] = [];
    for (let i = 0; i < 12; i++) ids.push(await optimize(many, { ...SHORT, cost: { commission_rate: i / 1e5 } }));
    const single = await optimize(one, SHORT);
    await deletePause(database.pool, 'optimize');
    await eventually(
      () => statusesOf([...ids, single]),
      (statuses) => statuses.every((status) => status === 'done'),
    );
    // A worker may take several at once, which it begins in the order of the queue.
    const { rows } = await database.pool.query(
      'select id from pgboss.job where id = any($1) order by started_on, priority desc, created_on',
      [[...ids, single]],
    );
    const order = rows.map(({ id }) => (id === single ? 'one' : ids.indexOf(id)));
    // Without its turn as the priority of the job, the single one is the last.
    expect(order).toEqual([0, 'one', 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
  },
  deadline(30_000),
);

it(
  'a new account is served after one more job of another at most, and no run waits forever',
  async () => {
    const at = new Date();
    const [many, late] = [await enterprise(), await enterprise()];
    await insertPause(database.pool, 'optimize', 'test', at);
    const first: string[] = [];
    for (let i = 0; i < 4; i++) first.push(await optimize(many, { ...SHORT, cost: { commission_rate: i / 1e5 } }));
    // Two of them are over and the third one runs.
    const [done, running] = [first.slice(0, 2), first[2]];
    await database.pool.query(`delete from pgboss.job where id = any($1)`, [done]);
    await database.pool.query(`delete from runs where id = any($1)`, [done]);
    await database.pool.query(`update runs set status = 'running' where id = $1`, [running]);
    const second = [await optimize(late, SHORT), await optimize(late, { ...SHORT, cost: { commission_rate: 0.01 } })];
    const { rows } = await database.pool.query(
      `select id from pgboss.job where name = 'optimize' and id = any($1) order by priority desc, created_on`,
      [[first[3], ...second]],
    );
    expect(rows.map(({ id }) => id)).toEqual([first[3], ...second]);
    const { rows: turns } = await database.pool.query('select turn from runs where id = any($1) order by turn', [
      [running, first[3], ...second],
    ]);
    expect(turns.map(({ turn }) => turn)).toEqual([3, 4, 4, 5]);
    await database.pool.query(`delete from pgboss.job where name = 'optimize'`);
    await database.pool.query('delete from runs');
    await deletePause(database.pool, 'optimize');
  },
  deadline(30_000),
);

it(
  'the state of a run shows that its queue is paused, and in the end its processor time',
  async () => {
    await insertPause(database.pool, 'optimize', 'test', new Date());
    const person = await enterprise();
    const id = await optimize(person, LONG);
    const state = async (language: string) =>
      (await api.get(`/v1/optimize/jobs/${id}`, { ...person.program, 'accept-language': language })).body.data;
    expect(await state('en')).toMatchObject({
      status: 'queued',
      notice: expect.stringContaining('paused'),
      worker_seconds: null,
    });
    expect((await state('zh-CN')).notice).toContain('暂停');
    expect((await state('zh-TW')).notice).toContain('暫停');
    await deletePause(database.pool, 'optimize');
    await eventually(
      () => statusesOf([id]),
      ([status]) => status === 'done',
    );
    const { notice, worker_seconds: cost } = await state('en');
    expect(notice).toBeNull();
    expect(cost).toBeGreaterThan(0.01);
  },
  deadline(30_000),
);

it(
  'a job that exceeds the processor time of its plan is ended, and its slot is free',
  async () => {
    await insertPause(database.pool, 'optimize', 'test', new Date());
    const person = await enterprise();
    const long = await optimize(person, { ...LONG, walk_forward: { train_bars: 500, test_bars: 10 } });
    const next = await optimize(person, SHORT);
    const { rows } = await database.pool.query('select seconds_max from runs where id = $1', [long]);
    expect(rows).toEqual([{ seconds_max: PLANS.enterprise.quotas.job_seconds_max }]);
    // As if the plan had one second.
    await database.pool.query('update runs set seconds_max = 1 where id = $1', [long]);
    await deletePause(database.pool, 'optimize');
    const statuses = await eventually(
      () => statusesOf([long, next]),
      (all) => all.every((status) => ['done', 'failed'].includes(status)),
    );
    expect(statuses).toEqual(['failed', 'done']);
    const { data } = (await api.get(`/v1/optimize/jobs/${long}`, person.program)).body;
    expect(data).toMatchObject({ result: null, error: { key: 'error.job_too_long' }, worker_seconds: 1 });
    expect(data.error.message).toContain('more than the 1 seconds of worker time that your plan includes');
  },
  deadline(30_000),
);

it('a call that waits for a run of a paused queue is answered at once with the reason', async () => {
  await insertPause(database.pool, 'backtest', 'test', new Date());
  const { program } = await enterprise();
  const began = performance.now();
  const { status, body } = await api.post('/v1/backtest', { symbol, time_range: '1Y' }, program);
  expect(performance.now() - began).toBeLessThan(deadline(5_000));
  expect([status, body.data.status]).toEqual([202, 'queued']);
  expect(body.data.notice).toContain('paused');
  await deletePause(database.pool, 'backtest');
  await eventually(
    () => statusesOf([body.data.job_id]),
    ([state]) => state === 'done',
  );
});

it('a job of another queue of the lane runs between those of a queue with many jobs', async () => {
  await endProcess(worker, 'SIGKILL');
  const { boss, pool } = api.services;
  const removal = (i: number) => ({ prefix: `users/${1_000_000 + i}/`, requestId: null });
  await transaction(pool, async (connection) => {
    const db = { executeSql: (text: string, values?: unknown[]) => connection.query(text, values) };
    for (let i = 0; i < 20; i++) await boss.send('storage.remove', removal(i), { id: randomUUID(), db });
    await boss.send('export.expire', { requestId: null }, { db });
  });
  worker = await startProcess('worker', {
    DATABASE_URL: database.url,
    DATA_DIR: folder,
    FIXED_NOW: new Date(NOW).toISOString(),
    WORKER_SLOTS: 'background=1',
  });
  const started = () =>
    pool.query(
      `select name, state from pgboss.job where name in ('storage.remove', 'export.expire') order by started_on`,
    );
  const { rows } = await eventually(started, ({ rows: jobs }) => jobs.every(({ state }) => state === 'completed'));
  // With a queue fetched from as long as it has jobs, the other one is the last.
  expect(rows.findIndex(({ name }) => name === 'export.expire')).toBeLessThan(3);
});
