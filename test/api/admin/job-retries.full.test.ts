/** Failed jobs of every queue, retried in the back office, in bulk, and on the command line. */

import { randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';
import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Command } from 'commander';
import { NOTHING_OWN } from '../../../api/rules/resolve.ts';
import { sweepBody, sweepOf } from '../../../api/sweeps/request.ts';
import { transaction } from '../../../db/pool.ts';
import { required } from '../../../engine/util/values.ts';
import { QUEUE_NAMES, QUEUES, type QueueName } from '../../../jobs/contracts/queues.ts';
import { SampleProvider } from '../../../jobs/providers/sample/sample-provider.ts';
import { enqueueAssembly, enqueueSweep } from '../../../jobs/sweep/enqueue.ts';
import { enqueueSync } from '../../../jobs/sync/enqueue.ts';
import { addJobCommands } from '../../../ops/commands/job-commands.ts';
import { addAdmin, addPerson, type Person } from '../../support/accounts.ts';
import { openTestApi, type TestApi } from '../../support/api.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { runSyncJob } from '../../support/market-folder.ts';

let database: TestDatabase;
let api: TestApi;
let admin: Person;

beforeAll(async () => {
  database = await createTestDatabase();
  const provider = new SampleProvider({ symbols: 50, now: Date.now });
  await runSyncJob(database.pool, provider, 'symbols');
  api = await openTestApi({ database, provider, now: Date.now, realCallers: true });
  admin = await addAdmin(api);
  process.env.DATABASE_URL = database.url;
  process.env.DATA_DIR = tmpdir();
});
afterAll(async () => {
  await api.close();
  await database.drop();
});
beforeEach(() => database.pool.query('delete from pgboss.job'));

const get = async (path: string) => (await api.get(`/api/admin/${path}`, admin.console)).body.data;
const post = (path: string, body: object = {}) => api.post(`/api/admin/${path}`, body, admin.console);

/** Runs a command as an operator types it; returns what it printed. */
async function ops(...args: string[]): Promise<string> {
  const written: string[] = [];
  const write = (text: string | Uint8Array) => written.push(String(text)) > 0;
  const spies = [process.stdout, process.stderr].map((stream) => jest.spyOn(stream, 'write').mockImplementation(write));
  const program = new Command();
  addJobCommands(program);
  try {
    await program.parseAsync(args, { from: 'user' });
  } finally {
    for (const spy of spies) spy.mockRestore();
    process.exitCode = undefined;
  }
  return written.join('');
}

const PAYLOADS: Partial<Record<QueueName, object>> = {
  'storage.remove': { prefix: 'users/1/' },
  'mail.login_code': { loginRequestId: 7 },
  'signals.mail': { userId: 1, through: '2024-01-02' },
  compare: { comparisonId: 1 },
};

async function newSweep(): Promise<string> {
  const [at, id] = [new Date(), randomUUID()];
  const { spec, request } = sweepOf(
    sweepBody.parse({ universe: 'all', runs: [{ strategy: 'sma_cross' }] }),
    api.services.market,
    [NOTHING_OWN],
  );
  const instruments = [{ instrumentId: 1, symbol: 'A.US', listedOn: null, delistedOn: null }];
  const sweep = { id, spec, request, instruments, combinations: 1, bars: 250, requestId: 'request', at };
  const { id: userId } = await addPerson(api, undefined, { plan: 'pro' });
  await transaction(database.pool, (connection) => enqueueSweep(connection, api.services.boss, { ...sweep, userId }));
  return id;
}

/** Queues a job with its record, and lets both fail. Returns the id of the job. */
async function failedJob(queue: QueueName): Promise<string> {
  const { pool } = database;
  const { boss } = api.services;
  const { record } = QUEUES[queue];
  await pool.query('delete from pgboss.job where name = $1', [queue]);
  if (record === 'sync') {
    const jobType = required(
      (['symbols', 'adjustments', 'daily_bars'] as const).find((type) => queue === `sync.${type}`),
    );
    await transaction(pool, (connection) => enqueueSync(connection, boss, { jobType, spec: {}, requestedBy: 'test' }));
  } else if (queue === 'export.account') {
    const owner = await addPerson(api);
    await api.post('/api/account/data-export', {}, owner.console);
  } else if (record === 'export') {
    await post('data/export', { start: '2000-01-01', end: '2026-01-01' });
  } else if (record === 'sweep') {
    const sweepId = await newSweep();
    if (queue === 'sweep.assemble') {
      await pool.query('update sweep_chunks set done_at = now() where sweep_id = $1', [sweepId]);
      await transaction(pool, (connection) => enqueueAssembly(connection, boss, 1, { sweepId, requestId: null }));
    }
  } else {
    await boss.insert(queue, [{ data: { runId: randomUUID(), requestId: null, ...PAYLOADS[queue] } }]);
  }
  await pool.query(`update sync_jobs set status = 'failed', error = 'x', finished_at = now() where status = 'running'`);
  await pool.query(`update exports set status = 'failed', error = 'x', finished_at = now() where status = 'pending'`);
  const { rows } = await pool.query(
    `update pgboss.job set state = 'failed', retry_count = retry_limit, started_on = now(), completed_on = now(),
       output = '{"message": "gone"}' where name = $1 returning id`,
    [queue],
  );
  expect(rows).toHaveLength(1);
  return rows[0].id;
}

const isRun = (queue: QueueName) => QUEUES[queue].record === 'run';

describe.each(QUEUE_NAMES)('a failed job of %s', (queue) => {
  it('can be retried in the back office', async () => {
    const id = await failedJob(queue);
    const { status, headers, body } = await post(`jobs/${queue}/${id}/retry`);
    if (isRun(queue)) return expect([status, body.key]).toEqual([409, 'error.job_is_over']);
    expect(status).toBe(202);
    expect(headers.location).toBe(`/api/admin/jobs/${queue}/${body.data.id}`);
    const { state } = await get(headers.location.slice('/api/admin/'.length));
    expect(['waiting', 'retry']).toContain(state);
    expect(body.data.id === id).toBe(QUEUES[queue].record === null);
  });

  it('can be retried with the others', async () => {
    await failedJob(queue);
    const { body } = await post(`queues/${queue}/retry-failed`);
    expect(body.data).toMatchObject(isRun(queue) ? { retried: 0, skipped: 1 } : { retried: 1, skipped: 0 });
  });

  it('can be retried on the command line', async () => {
    const id = await failedJob(queue);
    const said = await ops('jobs', 'retry', queue, id);
    if (isRun(queue)) return expect(said).toMatch(/cannot be retried|nobody|over|ended/i);
    const [, next] = said.match(new RegExp(`^queued again as ${queue} (\\S+)\n$`)) ?? [];
    expect(['waiting', 'retry']).toContain((await get(`jobs/${queue}/${next}`)).state);
  });
});

it('a retry of a sweep that waits for another one of its account answers with the failed job', async () => {
  const id = await failedJob('sweep.chunk');
  const { rows } = await database.pool.query(
    `select s.id, s.user_id from sweeps s join sweep_chunks c on c.sweep_id = s.id where c.job_id = $1`,
    [id],
  );
  await database.pool.query(
    `insert into sweeps (id, user_id, spec, cells, chunks, created_at, started_at, status)
     values ($1, $2, '{}', 1, 1, now(), now(), 'running')`,
    [randomUUID(), rows[0].user_id],
  );
  const { status, body } = await post(`jobs/sweep.chunk/${id}/retry`);
  expect([status, body.data.id]).toEqual([202, id]);
});

it('failures of a queue that no longer exists are shown', async () => {
  await failedJob('storage.remove');
  const gone = randomUUID();
  await api.services.boss.createQueue('gone.queue');
  await api.services.boss.send('gone.queue', {}, { id: gone });
  await database.pool.query(
    `update pgboss.job set state = 'failed', started_on = now(), completed_on = now(), output = '{"message": "gone"}' where id = $1`,
    [gone],
  );
  const { items } = await get('jobs/failures');
  expect(items.map(({ queue, runbook }: Record<string, string>) => [queue, runbook])).toEqual(
    expect.arrayContaining([
      ['gone.queue', 'ops/docs/RUNBOOK.md#jobs'],
      ['storage.remove', 'ops/docs/RUNBOOK.md#storage'],
    ]),
  );
  expect(await get(`jobs/gone.queue/${gone}`)).toMatchObject({ queue: 'gone.queue', error: 'gone' });
  expect(await ops('jobs', 'failures')).toContain('gone.queue');
});
