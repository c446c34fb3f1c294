/** Jobs in the back office: who waits for what, how long it takes, and changes of many at once. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { holdWorkerLease } from '../../../db/runs/job-claims.ts';
import type { Payload, QueueName } from '../../../jobs/contracts/queues.ts';
import { SampleProvider } from '../../../jobs/providers/sample/sample-provider.ts';
import { type SendOptions, send } from '../../../jobs/queue/send.ts';
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
});
afterAll(async () => {
  await api.close();
  await database.drop();
});
beforeEach(() => database.pool.query('delete from pgboss.job'));

const get = async (path: string) => (await api.get(`/api/admin/${path}`, admin.console)).body.data;
const update = async (body: object) => (await api.post('/api/admin/jobs/update', body, admin.console)).body.data;

async function queue<Q extends QueueName>(name: Q, payload: Payload<Q>, options?: SendOptions): Promise<string> {
  const id = randomUUID();
  await send(api.services.boss, database.pool, name, id, payload, options);
  return id;
}

const removal = (prefix: string) => queue('storage.remove', { prefix, requestId: null });
const idsOf = async (query: string): Promise<string[]> =>
  (await get(`jobs?${query}`)).items.map(({ id }: { id: string }) => id);

/** Marks a job as completed by a worker, after it has waited and run for some seconds. */
async function complete(id: string, worker: string, waited = 1, ran = 1): Promise<void> {
  await database.pool.query(
    `update pgboss.job set state = 'completed', created_on = now() - make_interval(secs => $3::float8 + $4::float8),
       start_after = now() - make_interval(secs => $3::float8 + $4::float8), started_on = now() - make_interval(secs => $4::float8), completed_on = now(),
       output = jsonb_build_object('worker', $2::text) where id = $1`,
    [id, worker, waited, ran],
  );
}

async function fail(id: string): Promise<void> {
  await database.pool.query(
    `update pgboss.job set state = 'failed', retry_count = retry_limit, started_on = now(), completed_on = now() where id = $1`,
    [id],
  );
}

describe('jobs', () => {
  it('are found by account, worker, time, and text', async () => {
    const person = await addPerson(api);
    const owned = await queue(
      'sweep.assemble',
      { sweepId: randomUUID(), requestId: 'request-of-a-sweep' },
      { account: `user:${person.id}` },
    );
    const removed = await removal('users/Seventeen/');
    await complete(removed, 'host-7 (process 42)');
    await database.pool.query(`update pgboss.job set created_on = '2026-01-05T12:00:00Z' where id = $1`, [removed]);
    expect(await idsOf(`account=${encodeURIComponent(person.email.toUpperCase())}`)).toEqual([owned]);
    expect(await idsOf(`worker=${encodeURIComponent('host-7 (process 42)')}`)).toEqual([removed]);
    expect(await idsOf('worker=host-8')).toEqual([]);
    expect(await idsOf('text=USERS/seventeen')).toEqual([removed]);
    expect(await idsOf('text=request-of-a-sweep')).toEqual([owned]);
    expect(await idsOf(`text=${removed.slice(0, 13)}`)).toEqual([removed]);
    expect(await idsOf('from=2026-01-05&to=2026-01-05')).toEqual([removed]);
    expect(await idsOf('to=2026-01-05T11:59:59Z')).toEqual([]);
    expect((await api.get('/api/admin/jobs?from=2026-01-06&to=2026-01-05', admin.console)).status).toBe(400);
    // Text is searched for as it is, without wildcards.
    expect(await idsOf('text=users/%25')).toEqual([]);
  });

  it('are listed by pages over all queues, newest first', async () => {
    const ids: string[] = [];
    for (let n = 0; n < 6; n++)
      ids.unshift(
        n % 2 === 0
          ? await removal(`users/${n}/`)
          : await queue('mail.login_code', { loginRequestId: n, requestId: null }),
      );
    const pages = [await idsOf('size=2&page=1'), await idsOf('size=2&page=2'), await idsOf('size=2&page=3')];
    expect(pages.flat()).toEqual(ids);
  });

  it('tell in their detail which webhooks told of them', async () => {
    const person = await addPerson(api);
    const id = await removal('users/1/');
    await database.pool.query(
      `with hook as (insert into webhooks (user_id, url, events, secret, created_at) values ($1, 'https://example.com', '{backtest.finished}', 'c2VjcmV0', now()) returning id)
       insert into webhook_deliveries (webhook_id, event, data, created_at, status, due_at, attempts, answers)
       select id, 'backtest.finished', $2, now(), 'delivered', null, 1, '[{"at": "2026-06-01T16:00:03.000Z", "status": 200, "error": null, "ms": 12}]' from hook`,
      [person.id, { job_id: id, status: 'done' }],
    );
    const { deliveries } = await get(`jobs/storage.remove/${id}`);
    expect(deliveries).toEqual([
      expect.objectContaining({
        event: 'backtest.finished',
        status: 'delivered',
        attempts: 1,
        last_at: '2026-06-01T16:00:03.000Z',
      }),
    ]);
  });
});

it('queues tell percentiles of waiting and running', async () => {
  for (let n = 1; n <= 101; n++) await complete(await removal(`users/${n}/`), 'host', n, n / 10);
  const { items } = await get('queues');
  const { times } = items.find((one: { queue: string }) => one.queue === 'storage.remove');
  expect(times.jobs).toBe(101);
  expect(times.waiting_s.p50).toBeCloseTo(51, 5);
  expect(times.waiting_s.p95).toBeCloseTo(96, 5);
  expect(times.waiting_s.p99).toBeCloseTo(100, 5);
  expect(times.running_s.p50).toBeCloseTo(5.1, 5);
  expect(items.find((one: { queue: string }) => one.queue === 'export').times).toBeNull();
});

it('instances tell which worker runs which job, and only those that are alive', async () => {
  const id = await removal('users/1/');
  const lease = await database.pool.connect();
  await holdWorkerLease(lease, 17, 'host-9 (process 17)');
  await database.pool.query(`insert into workers (worker_key, name) values (18, 'a dead one')`);
  await database.pool.query(
    `insert into job_claims (queue, job_id, attempt, worker_key) values ('storage.remove', $1, 0, 17)`,
    [id],
  );
  const { items } = await get('instances');
  await database.pool.query('delete from job_claims');
  await lease.query('select pg_advisory_unlock_all()');
  lease.release();
  const workers = items.filter(({ kind }: { kind: string }) => kind === 'worker');
  expect(workers).toEqual([
    {
      kind: 'worker',
      name: 'host-9 (process 17)',
      since: expect.any(String),
      jobs: [{ queue: 'storage.remove', id, since: expect.any(String) }],
    },
  ]);
  expect(items.map(({ kind }: { kind: string }) => kind)).toContain('api');
});

describe('a change of many jobs', () => {
  it('retries those that match, some at a time, and only those that were shown', async () => {
    const ids = [await removal('users/1/'), await removal('users/2/'), await removal('users/3/')].sort();
    for (const id of ids) await fail(id);
    const shown = await update({ action: 'retry', queue: 'storage.remove', dry_run: true });
    expect([shown.total, shown.job_ids, shown.done]).toEqual([3, ids, 0]);
    await fail(await removal('users/later/'));
    const wanted = { action: 'retry', queue: 'storage.remove', to: shown.to, limit: 2 };
    const first = await update(wanted);
    expect([first.total, first.done, first.next]).toEqual([3, 2, ids[1]]);
    const second = await update({ ...wanted, after: first.next });
    expect([second.total, second.done, second.next]).toEqual([1, 1, null]);
    expect((await idsOf('state=failed')).length).toBe(1);
    const { items } = await get('audit?action=job.update');
    expect(items.map(({ details }: { details: { count: number } }) => details.count)).toEqual([1, 2, 0]);
  });

  it('takes the whole filter of a list', async () => {
    const id = await removal('users/with 17 of 17 GB/');
    await fail(id);
    await fail(await removal('users/other/'));
    const wanted = { action: 'retry', state: 'failed', text: '17 of 17', dry_run: true };
    expect(await update(wanted)).toMatchObject({ total: 1, job_ids: [id] });
    expect(await update({ ...wanted, state: 'waiting' })).toMatchObject({ total: 0 });
  });

  it('cancels jobs that wait, and leaves those that have ended', async () => {
    const [waiting, done] = [await removal('users/1/'), await removal('users/2/')];
    await complete(done, 'host');
    expect(await update({ action: 'cancel', text: 'users/' })).toMatchObject({ total: 1, done: 1, job_ids: [waiting] });
    expect(await idsOf('state=cancelled')).toEqual([waiting]);
  });

  it('moves jobs before or behind all that wait', async () => {
    const [one, two, three] = [await removal('users/1/'), await removal('users/2/'), await removal('users/3/')];
    const order = async () =>
      (await api.services.boss.fetch('storage.remove', { batchSize: 3, includeMetadata: true }))
        .sort((a, b) => b.priority - a.priority || a.createdOn.getTime() - b.createdOn.getTime())
        .map(({ id }) => id);
    expect((await update({ action: 'move_first', text: three })).done).toBe(1);
    expect((await update({ action: 'move_last', text: one })).done).toBe(1);
    expect(await order()).toEqual([three, two, one]);
  });

  it('is for administrators', async () => {
    const person = await addPerson(api);
    expect((await api.post('/api/admin/jobs/update', { action: 'cancel' }, person.program)).status).toBe(403);
  });
});
