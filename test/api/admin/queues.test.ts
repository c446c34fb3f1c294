/** Queues and jobs in the back office. */
import type { ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { transaction } from '../../../db/pool.ts';
import { selectJob } from '../../../db/queue/queue-jobs.ts';
import { type Payload, QUEUES, type QueueName } from '../../../jobs/contracts/queues.ts';
import { SampleProvider } from '../../../jobs/providers/sample/sample-provider.ts';
import { send } from '../../../jobs/queue/send.ts';
import { addAdmin, type Person } from '../../support/accounts.ts';
import { openTestApi, type TestApi } from '../../support/api.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { eventually } from '../../support/eventually.ts';
import { runSyncJob } from '../../support/market-folder.ts';
import { endProcess, startProcess } from '../../support/processes.ts';

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
beforeEach(async () => {
  await database.pool.query('delete from pgboss.job');
  await database.pool.query('delete from paused_queues');
});

const outcome = ({ status, body }: { status: number; body: { key?: string } }) => [status, body.key];
const get = (path: string) => api.get(`/api/admin/${path}`, admin.console);
const post = (path: string, body: object = {}) => api.post(`/api/admin/${path}`, body, admin.console);

async function queue<Q extends QueueName>(name: Q, payload: Payload<Q>): Promise<string> {
  const id = randomUUID();
  await send(api.services.boss, database.pool, name, id, payload);
  return id;
}

/** Marks a job as failed after its last attempt. */
async function fail(id: string, message: string, daysAgo = 0): Promise<string> {
  await database.pool.query(
    `update pgboss.job set state = 'failed', retry_count = retry_limit, started_on = now(),
       completed_on = now() - make_interval(days => $3), output = $2 where id = $1`,
    [id, { message, stack: `Error: ${message}\n    at somewhere` }, daysAgo],
  );
  return id;
}

const removal = (n: number) => ({ prefix: `users/${n}/`, requestId: `request-${n}` });

describe('GET /api/admin/jobs', () => {
  it('names what each job works on, for whom, and on which worker', async () => {
    const runs = [
      ['backtest', { symbol: 'ACRX.US', strategy: 'donchian' }],
      ['optimize', { backtest: { symbol: 'LUMA.US', strategy: 'sma_cross' } }],
      ['portfolio', { strategy: 'buy_hold', instruments: [{ symbol: 'ACRX.US' }, { symbol: 'LUMA.US' }] }],
      ['sql', { query: 'select 1' }],
      ['portfolio', { compare: [{ spec: { strategy: 'targets', instruments: [{ symbol: 'ACRX.US' }] } }] }, 'compared'],
    ] as const;
    const ids: Record<string, string> = {};
    for (const [kind, spec, name = kind] of runs) {
      const runId = randomUUID();
      await database.pool.query(
        `insert into runs (id, kind, owner, user_id, is_saved, progress_pct, status, spec, created_at, turn)
         values ($1, $2, $3, $4, false, 0, 'queued', $5, now(), 0)`,
        [runId, kind, `user:${admin.id}`, admin.id, spec],
      );
      ids[name] = await queue(kind, { runId, requestId: null });
    }
    ids.removal = await queue('storage.remove', removal(1));
    await database.pool.query(
      `insert into job_attempts (queue, job_id, attempt, worker, taken_at, ended_at) values ('backtest', $1, 1, 'host-7', now(), now())`,
      [ids.backtest],
    );
    const { items } = (await get('jobs')).body.data;
    const shown = (name: string) => {
      const { subject, account, worker } = items.find(({ id }: { id: string }) => id === ids[name]);
      return [subject, account, worker];
    };
    expect(shown('backtest')).toEqual(['ACRX.US · donchian', admin.email, 'host-7']);
    expect(shown('optimize')).toEqual(['LUMA.US · sma_cross', admin.email, null]);
    expect(shown('portfolio')).toEqual(['ACRX.US +1 · buy_hold', admin.email, null]);
    expect(shown('compared')).toEqual(['ACRX.US · targets', admin.email, null]);
    expect(shown('sql')).toEqual(['select 1', admin.email, null]);
    expect(shown('removal')).toEqual(['users/1/', null, null]);
  });
});

describe('GET /api/admin/queues', () => {
  it('shows every queue, with and without jobs', async () => {
    const first = await queue('storage.remove', removal(1));
    await queue('storage.remove', removal(2));
    await fail(await queue('storage.remove', removal(3)), 'gone');
    await database.pool.query(
      `update pgboss.job set created_on = now() - interval '90 s', start_after = now() - interval '90 s' where id = $1`,
      [first],
    );
    const { body } = await get('queues');
    expect(body.data.items.map((item: { queue: string }) => item.queue)).toEqual(Object.keys(QUEUES));
    const of = (name: string) => body.data.items.find((item: { queue: string }) => item.queue === name);
    expect(of('storage.remove')).toMatchObject({
      waiting: 2,
      active: 0,
      retry: 0,
      failed: 1,
      completed: 0,
      paused: false,
    });
    expect(of('storage.remove').oldest_waiting_s).toBeGreaterThanOrEqual(90);
    expect(of('backtest')).toMatchObject({ waiting: 0, oldest_waiting_s: null });
  });
});

describe('GET /api/admin/jobs', () => {
  it('lists, filters, and shows jobs', async () => {
    const waiting = await queue('storage.remove', removal(1));
    const failed = await fail(
      await queue('mail.login_code', { loginRequestId: 7, requestId: 'request-7' }),
      'mailbox 17 is full',
    );
    const ids = async (query: string) =>
      (await get(`jobs?${query}`)).body.data.items.map(({ id }: { id: string }) => id);
    expect(await ids('')).toEqual([failed, waiting]);
    expect(await ids('queue=storage.remove')).toEqual([waiting]);
    expect(await ids('state=failed')).toEqual([failed]);
    expect(await ids('state=waiting&size=1&page=2')).toEqual([]);
    expect(await ids(`cause=${encodeURIComponent('mailbox <n> is full')}`)).toEqual([failed]);
    const { body } = await get(`jobs/mail.login_code/${failed}`);
    expect(body.data).toMatchObject({
      id: failed,
      queue: 'mail.login_code',
      state: 'failed',
      error: 'mailbox 17 is full',
      request_id: 'request-7',
      attempts: 7,
      max_attempts: 7,
      runbook: 'ops/docs/RUNBOOK.md#login-mails',
      input: { loginRequestId: 7, requestId: 'request-7' },
      stack: expect.stringContaining('at somewhere'),
    });
    expect((await get(`jobs/storage.remove/${waiting}`)).body.data).toMatchObject({
      attempts: 0,
      error: null,
      runbook: null,
    });
    for (const bad of ['state=created', 'queue=none', 'size=0']) {
      expect(outcome(await get(`jobs?${bad}`))).toEqual([422, 'error.validation_failed']);
    }
    expect(outcome(await get(`jobs/storage.remove/${failed}`))).toEqual([404, 'error.not_found']);
    expect(outcome(await get(`jobs/none/${failed}`))).toEqual([404, 'error.not_found']);
    expect(outcome(await get('jobs/backtest/17'))).toEqual([422, 'error.validation_failed']);
  });

  it('groups failures by cause', async () => {
    for (const n of [1, 2, 3]) await fail(await queue('storage.remove', removal(n)), `object ${n} is locked`, n);
    const id = await fail(await queue('storage.remove', removal(4)), `no bucket ${randomUUID()}`);
    const { items } = (await get('jobs/failures')).body.data;
    expect(items.map(({ cause, count }: { cause: string; count: number }) => [cause, count])).toEqual([
      ['no bucket <id>', 1],
      ['object <n> is locked', 3],
    ]);
    expect(items[1].last_error).toBe('object 1 is locked');
    expect(items[0]).toMatchObject({
      example_job_id: id,
      queue: 'storage.remove',
      runbook: 'ops/docs/RUNBOOK.md#storage',
    });
    expect((await get('jobs/failures?queue=export')).body.data.items).toEqual([]);
  });
});

describe('a retry', () => {
  it('of one job runs in the queue in which it failed', async () => {
    const id = await fail(await queue('storage.remove', removal(1)), 'gone');
    const { status, headers, body } = await post(`jobs/storage.remove/${id}/retry`);
    expect([status, headers.location, body.data.state]).toEqual([202, `/api/admin/jobs/storage.remove/${id}`, 'retry']);
    expect(outcome(await post(`jobs/storage.remove/${id}/retry`))).toEqual([409, 'error.wrong_state']);
    expect(outcome(await post(`jobs/storage.remove/${randomUUID()}/retry`))).toEqual([404, 'error.not_found']);
    const { body: audit } = await get(`audit?action=job.retry&target_id=${id}`);
    expect(audit.data.items.map(({ result }: { result: string }) => result)).toEqual(['failed', 'ok']);
  });

  it('of an export is refused after its week', async () => {
    const range = { start: '2020-01-01', end: '2026-01-01' };
    const { id: exportId } = (await api.post('/api/admin/data/export', range, admin.console)).body.data;
    const [{ id }] = (await get('jobs?queue=export')).body.data.items;
    await fail(id, 'disk is full');
    const failed = `update exports set status = 'failed', error = 'disk is full', finished_at = now(),`;
    await database.pool.query(`${failed} expires_at = now() where id = $1`, [exportId]);
    expect(outcome(await post(`jobs/export/${id}/retry`))).toEqual([410, 'error.export_expired']);
    expect((await post('queues/export/retry-failed')).body.data).toMatchObject({ retried: 0, skipped: 1 });
    await database.pool.query(`${failed} expires_at = now() + interval '1 day' where id = $1`, [exportId]);
    expect((await post(`jobs/export/${id}/retry`)).status).toBe(202);
  });

  it('of a load queues a new job for its record', async () => {
    const { id: syncId } = (await post('data/sync-jobs', { job_type: 'symbols' })).body.data;
    const [{ id }] = (await get('jobs?queue=sync.symbols')).body.data.items;
    await fail(id, 'provider is away');
    await database.pool.query(
      `update sync_jobs set status = 'failed', error = 'x', finished_at = now() where id = $1`,
      [syncId],
    );
    const { body } = await post(`jobs/sync.symbols/${id}/retry`);
    expect(body.data).toMatchObject({ queue: 'sync.symbols', state: 'waiting', input: { syncJobId: syncId } });
    expect(body.data.id).not.toBe(id);
    expect((await get(`data/sync-jobs/${syncId}`)).body.data.status).toBe('running');
    // The old job cannot be retried again.
    expect(outcome(await post(`jobs/sync.symbols/${id}/retry`))).toEqual([409, 'error.job_is_over']);
  });

  it('of a run that has ended is refused', async () => {
    const id = await fail(await queue('backtest', { runId: randomUUID(), requestId: null }), 'out of memory');
    expect(outcome(await post(`jobs/backtest/${id}/retry`))).toEqual([409, 'error.job_is_over']);
  });

  it('of failed jobs takes exactly those that had failed at a given time', async () => {
    const old = [];
    for (const n of [1, 2, 3])
      old.push(await fail(await queue('storage.remove', removal(n)), n < 3 ? 'locked' : 'other'));
    const preview = (await post('queues/storage.remove/retry-failed', { dry_run: true, cause: 'locked' })).body.data;
    expect(preview).toMatchObject({ retried: 0, job_ids: expect.arrayContaining(old.slice(0, 2)) });
    expect(preview.job_ids).toHaveLength(2);
    const late = await fail(await queue('storage.remove', removal(4)), 'locked');
    const done = await post('queues/storage.remove/retry-failed', {
      cause: 'locked',
      failed_before: preview.failed_before,
    });
    expect(done.body.data).toMatchObject({ retried: 2, skipped: 0 });
    const failed = (await get('jobs?state=failed')).body.data.items.map(({ id }: { id: string }) => id);
    expect(failed.sort()).toEqual([old[2], late].sort());
    expect((await post('queues/storage.remove/retry-failed')).body.data).toMatchObject({ retried: 2 });
    expect(outcome(await post('queues/none/retry-failed'))).toEqual([404, 'error.not_found']);
    expect(outcome(await post('queues/export/retry-failed', { failed_before: 'now' }))).toEqual([
      422,
      'error.validation_failed',
    ]);
  });

  it('skips jobs whose request has ended, and retries the others', async () => {
    await fail(await queue('sync.symbols', { syncJobId: 999_999, requestId: null }), 'x');
    expect((await post('queues/sync.symbols/retry-failed')).body.data).toMatchObject({ retried: 0, skipped: 1 });
  });
});

describe('a cancellation', () => {
  it('of a waiting job also ends its record', async () => {
    const id = await queue('storage.remove', removal(1));
    expect((await post(`jobs/storage.remove/${id}/cancel`)).body.data.state).toBe('cancelled');
    expect(outcome(await post(`jobs/storage.remove/${id}/cancel`))).toEqual([409, 'error.wrong_state']);
    const { id: syncId } = (await post('data/sync-jobs', { job_type: 'symbols' })).body.data;
    const [job] = (await get('jobs?queue=sync.symbols')).body.data.items;
    expect((await post(`jobs/sync.symbols/${job.id}/cancel`)).body.data.state).toBe('cancelled');
    expect((await get(`data/sync-jobs/${syncId}`)).body.data).toMatchObject({
      status: 'failed',
      error: 'cancelled by an administrator',
    });
    const range = { start: '2020-01-01', end: '2026-01-01' };
    const exported = (await api.post('/api/admin/data/export', range, admin.console)).body.data;
    const [exportJob] = (await get('jobs?queue=export')).body.data.items;
    await post(`jobs/export/${exportJob.id}/cancel`);
    expect((await get(`data/exports/${exported.id}`)).body.data.status).toBe('failed');
  });
});

describe('a paused queue', () => {
  let folder: string;
  let worker: ChildProcess;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'paused-'));
    worker = await startProcess('worker', { DATABASE_URL: database.url, DATA_DIR: folder, PROVIDER: 'sample' });
  });
  afterAll(async () => {
    await endProcess(worker, 'SIGTERM');
    rmSync(folder, { recursive: true, force: true });
  });
  const stateOf = async (name: string, id: string) => (await selectJob(database.pool, name, id))?.state;

  it('starts no job until it is resumed, while other queues continue', async () => {
    const paused = await post('queues/storage.remove/pause');
    expect(paused.body.data).toMatchObject({ paused: true, paused_by: admin.email });
    expect(outcome(await post('queues/storage.remove/pause'))).toEqual([409, 'error.wrong_state']);
    // The worker knows of it once a job that was queued later has run.
    const held = await queue('storage.remove', removal(1));
    const other = await queue('export.expire', { requestId: null });
    await eventually(
      () => stateOf('export.expire', other),
      (state) => state === 'completed',
    );
    const done = (await get(`jobs/export.expire/${other}`)).body.data;
    expect(done.worker).toBe(`${hostname()} (process ${worker.pid})`);
    expect(await stateOf('storage.remove', held)).toBe('waiting');
    expect((await post('queues/storage.remove/resume')).body.data).toMatchObject({ paused: false, paused_by: null });
    await eventually(
      () => stateOf('storage.remove', held),
      (state) => state === 'completed',
    );
    expect(outcome(await post('queues/storage.remove/resume'))).toEqual([409, 'error.wrong_state']);
    expect(outcome(await post('queues/none/pause'))).toEqual([404, 'error.not_found']);
    const { body } = await get('audit?target_type=queue&target_id=storage.remove');
    const actions = body.data.items.map(({ action, result }: Record<string, string>) => `${action} ${result}`);
    expect(actions).toEqual(expect.arrayContaining(['queue.pause ok', 'queue.pause failed', 'queue.resume ok']));
  });
});

it('the runbook has a section for every queue', () => {
  const runbook = readFileSync(new URL('../../../ops/docs/RUNBOOK.md', import.meta.url), 'utf8');
  const sections = [...runbook.matchAll(/^## (.+)$/gm)].map(([, name]) => name);
  expect(Object.values(QUEUES).filter((one) => !sections.includes(one.runbook))).toEqual([]);
});

it('an action that cannot be logged has no effect', async () => {
  const id = await fail(await queue('storage.remove', removal(1)), 'gone');
  await database.pool.query(`alter table audit_log add constraint broken check (action <> 'job.retry') not valid`);
  expect((await post(`jobs/storage.remove/${id}/retry`)).status).toBe(500);
  expect((await get(`jobs/storage.remove/${id}`)).body.data.state).toBe('failed');
  await transaction(database.pool, (c) => c.query('alter table audit_log drop constraint broken'));
});

describe('the on-call report', () => {
  it('lists causes before their consequences, and counts the jobs that were added and ended in the last hour', async () => {
    await fail(await queue('storage.remove', removal(1)), 'the store is full');
    await post('queues/export/pause');
    const { problems, well_since, activity } = (await get('on-call')).body.data;
    const named = problems.map(({ kind, queue: name, detail }: Record<string, unknown>) => [kind, name, detail]);
    const paused = named.findIndex(([kind]: string[]) => kind === 'queue_paused');
    const failed = named.findIndex(([kind]: string[]) => kind === 'jobs_failed');
    expect(named[paused]).toEqual(['queue_paused', 'export', admin.email]);
    expect(named[failed]).toEqual(['jobs_failed', 'storage.remove', 'the store is full']);
    expect(failed).toBeGreaterThan(paused);
    expect(well_since).toBeNull();
    const { added, ended } = activity.find(({ queue: name }: { queue: string }) => name === 'storage.remove');
    expect(ended).toEqual([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1]);
    expect(added.at(-1)).toBeGreaterThanOrEqual(1);
  });

  it('names the repair of each problem, and the cause of a problem that follows from another', async () => {
    await fail(await queue('storage.remove', removal(1)), 'the store is full');
    await post('queues/export/pause');
    await database.pool.query(
      `insert into backtests (user_id, created_at, is_cached, summary, verdict, verified_at)
       values ($1, now(), false, '{}', 'unexplained', now())`,
      [admin.id],
    );
    const { problems } = (await get('on-call')).body.data;
    const found = (kind: string) => problems.find((problem: { kind: string }) => problem.kind === kind);
    expect(found('queue_paused')).toMatchObject({
      repair: 'resume_queue',
      command: 'npm run ops -- queues resume export',
      caused_by: null,
    });
    expect(found('jobs_failed')).toMatchObject({
      repair: 'retry_jobs',
      runbook: 'ops/docs/RUNBOOK.md#storage',
      count: 1,
    });
    expect(found('unexplained_verdicts')).toMatchObject({
      count: 1,
      repair: null,
      command: 'npm run ops -- verify --all',
      runbook: 'ops/docs/RUNBOOK.md#evidence',
    });
    expect(found('data_behind')).toMatchObject({ count: null, caused_by: 'no_worker' });
    await database.pool.query('delete from backtests');
  });
});
