/** Deletion of accounts with work in progress: every call gets a proper answer, and nothing is left behind. */
import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Response } from 'supertest';
import { deleteUser, lockUserForDeletion } from '../../../db/accounts/users.ts';
import { VENUE_BASIS_CODE } from '../../../engine/market/venue-basis.ts';
import { SampleProvider } from '../../../jobs/providers/sample/sample-provider.ts';
import { openStorage } from '../../../storage/open-storage.ts';
import type { ObjectStorage } from '../../../storage/storage.ts';
import { addAdmin, addPerson, newEmail, type Person, signUp } from '../../support/accounts.ts';
import { openTestApi, type TestApi } from '../../support/api.ts';
import { createSampleDatabase, type TestDatabase } from '../../support/database.ts';
import { deadline } from '../../support/deadlines.ts';
import { eventually } from '../../support/eventually.ts';
import { endProcess } from '../../support/processes.ts';
import { runJobOf } from '../../support/run-jobs.ts';
import { startSampleWorker } from '../../support/sample-worker.ts';

const NOW = Date.parse('2024-09-04T16:00:00Z');
const provider = new SampleProvider({ symbols: 50, now: () => NOW });
/** Longer than any test waits. */
const WAIT_MS = 600_000;
let directory: string;
let storage: ObjectStorage;
let database: TestDatabase;
let api: TestApi;

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'deletion-'));
  storage = openStorage({ folder: join(directory, 'objects') });
  database = await createSampleDatabase(provider);
  api = await openTestApi({
    database,
    provider,
    storage,
    now: () => NOW,
    realCallers: true,
    backtestWaitMs: WAIT_MS,
    otherProviders: ['databento'],
  });
}, deadline(60_000));
afterAll(async () => {
  await api.close();
  await database.drop();
  rmSync(directory, { recursive: true, force: true });
});

const outcome = ({ status, body }: Response) => [status, body.key];
const remove = ({ email, console: headers }: Person) => api.delete('/api/auth/me', { email }, headers);
const run = ({ program }: Person, more: object = {}, headers: Record<string, string> = {}) =>
  api.post('/v1/backtest', { symbol: 'ACRX', time_range: '1Y', ...more }, { ...program, ...headers });
const LONG = {
  symbol: 'ACRX',
  strategy: 'sma_cross',
  time_range: 'MAX',
  grid: { fast_period: { from: 2, to: 51, step: 1 }, slow_period: { from: 60, to: 159, step: 1 } },
};

async function count(statement: string, ...values: unknown[]): Promise<number> {
  return (await database.pool.query(statement, values)).rowCount ?? 0;
}
const runsOf = ({ id }: Person) => count('select from runs where user_id = $1', id);
const objectsOf = async ({ id }: Person) => (await Array.fromAsync(storage.list(`users/${id}/`))).length;
const isOne = (n: number) => n === 1;

describe('without a worker', () => {
  it('a call that waits for its backtest is answered at once, and its job is canceled', async () => {
    const person = await addPerson(api);
    const awaited = run(person);
    await eventually(() => runsOf(person), isOne);
    expect((await remove(person)).status).toBe(200);
    // Without the cancellation in deleteAccount it waits for the maximum time.
    expect(outcome(await awaited)).toEqual([401, 'error.invalid_credential']);
    expect(await count(`select from pgboss.job where name = 'backtest' and state <> 'cancelled'`)).toBe(0);
  });

  it('the same happens if the notification is lost', async () => {
    const person = await addPerson(api);
    const awaited = run(person);
    await eventually(() => runsOf(person), isOne);
    // Without a notification. The call finds its run deleted, and must not record it again.
    await database.pool.query('delete from users where id = $1', [person.id]);
    expect(outcome(await awaited)).toEqual([401, 'error.invalid_credential']);
  });

  it.each([
    ['a backtest', (person: Person) => run(person)],
    ['a key', (person: Person) => api.post('/api/account/keys', { name: 'late' }, person.console)],
    ['a reset of the keys', (person: Person) => api.post('/api/account/keys/reset', {}, person.console)],
    [
      'an export',
      (person: Person) =>
        api.post('/api/admin/data/export', { start: '2015-01-01', end: '2024-08-30' }, person.console),
    ],
    ['an article', (person: Person) => api.post('/api/admin/articles', ARTICLE(person), person.console)],
    ['a profile', (person: Person) => api.patch('/api/auth/me', { nickname: 'late' }, person.console)],
  ])('%s that is asked for while the account is being deleted is refused', async (_, ask) => {
    await addAdmin(api);
    const person = await addAdmin(api);
    const connection = await database.pool.connect();
    await connection.query('begin');
    await lockUserForDeletion(connection, person.id);
    const asked = ask(person);
    // Until the call waits for the lock, or has been answered without one.
    await Promise.race([asked, eventually(() => count('select from pg_locks where not granted'), isOne)]);
    await deleteUser(connection, person.id);
    await connection.query('commit');
    connection.release();
    const { status, body } = await asked;
    expect([status, body.key]).toEqual([401, 'error.invalid_credential']);
  });

  it('an optimization stops and leaves no result', async () => {
    const person = await addPerson(api, newEmail(), { plan: 'enterprise' });
    const { body } = await api.post('/v1/optimize', LONG, person.program);
    const before = await count('select from backtest_results');
    // The computation shares the CPU with this test, so that opening a connection during it may take too long.
    const connection = await database.pool.connect();
    const job = runJobOf({ pool: database.pool, now: () => NOW }, body.data.job_id);
    await eventually(
      () => connection.query('select from runs where progress_pct > 0 and user_id = $1', [person.id]),
      ({ rowCount }) => rowCount === 1,
    );
    await connection.query('delete from users where id = $1', [person.id]);
    connection.release();
    await job;
    expect(await count('select from backtest_results')).toBe(before);
  });
});

/** Every row of every table, and every file below the folder of the service, that has one of the texts. */
async function findTexts(texts: readonly string[]): Promise<string[]> {
  const { rows: tables } = await database.pool.query<{ name: string }>(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables
     where schemaname not in ('pg_catalog', 'information_schema')`,
  );
  const found: string[] = [];
  for (const { name } of tables) {
    // The audit log keeps who acted.
    const row = name === 'public.audit_log' ? `to_jsonb(t) - 'actor_email'` : 'to_jsonb(t)';
    const { rows } = await database.pool.query<{ row: string }>(
      `select lower((${row})::text) as row from ${name} t where lower((${row})::text) like any ($1)`,
      [texts.map((text) => `%${text.toLowerCase()}%`)],
    );
    found.push(...rows.map((one) => `${name} ${one.row}`));
  }
  for (const entry of readdirSync(directory, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    const content = entry.isFile() ? readFileSync(path, 'latin1').toLowerCase() : '';
    if (texts.some((text) => `${path} ${content}`.includes(text.toLowerCase()))) found.push(path);
  }
  return found;
}

describe('of an administrator', () => {
  it('leaves no e-mail, name, phone, or address in any table, object, or file but the log of actions', async () => {
    const email = newEmail();
    const leaving = await signUp(api, email);
    await database.pool.query('update users set is_admin = true where id = $1', [leaving.id]);
    const address = '203.0.113.77';
    const headers = { ...leaving.console, 'x-forwarded-for': address, 'user-agent': 'Reader of Babbage/1.0' };
    const succeed = async (call: Promise<Response>) => {
      const { status, text, body } = await call;
      if (status >= 300) throw new Error(text);
      return body.data;
    };
    const post = (path: string, body?: object) => succeed(api.post(path, body, headers));
    await succeed(
      api.patch('/api/auth/me', { name: 'Augusta Byron', nickname: 'Countess', phone: '+15550107788' }, headers),
    );
    const load = await post('/api/admin/data/sync-jobs', { job_type: 'symbols' });
    const canceled = await post('/api/admin/data/sync-jobs', { job_type: 'adjustments' });
    await post(`/api/admin/data/sync-jobs/${canceled.id}/cancel`);
    await post('/api/admin/queues/export.expire/pause');
    const range = { start: '2024-08-01', end: '2024-08-02' };
    await post('/api/admin/data/comparisons', { against: 'databento', ...range });
    await database.pool.query(
      `insert into session_checks (basis, day, rows, zero_volume, jumps, problems, checked_at)
       values ($1, '2024-08-01', 1, 0, 0, '{jumps}', now())`,
      [VENUE_BASIS_CODE.consolidated],
    );
    await post('/api/admin/data/calendar/2024-08-01/release');
    const canceledExport = await post('/api/admin/data/export', range);
    await post(`/api/admin/data/exports/${canceledExport.id}/cancel`);
    const asked = run(leaving, {}, { prefer: 'respond-async', 'x-forwarded-for': address });
    expect((await asked).status).toBe(202);
    const admin = await addAdmin(api);
    const whoAsked = async () =>
      (await api.get(`/api/admin/data/sync-jobs/${load.id}`, admin.console)).body.data.requested_by;
    expect(await whoAsked()).toBe(email);
    expect((await remove(leaving)).status).toBe(200);
    expect(await findTexts([email, 'Augusta Byron', 'Countess', '15550107788', address, 'of Babbage'])).toEqual([]);
    expect(await whoAsked()).toBe('deleted account');
    const { rows } = await database.pool.query(`select released_by from session_checks where problems <> '{}'`);
    expect(rows).toEqual([{ released_by: 'deleted account' }]);
  });
});

const ARTICLE = ({ id }: Person) => ({
  slug: `late-${id}`,
  category: 'concept',
  contents: { en: { title: 'Late', summary: null, body_md: 'Too late.' } },
});

/** Number of accounts that send calls and are deleted at the same time. */
const TOGETHER = 4;
const CLEAN = ['200 ok', '202 ok', '401 error.invalid_credential', '401 error.refresh_invalid'];

/** Starts every kind of work of an account and deletes the account; returns the outcomes, that of the deletion first. */
async function leave(person: Person, nth: number): Promise<string[]> {
  // All different, so that none is answered from an earlier result.
  const cost = (n: number) => ({ cost: { commission_rate: (nth * 10 + n + 1) / 1e6 } });
  const calls = [
    run(person, cost(0)),
    run(person, { save: false, ...cost(1) }),
    run(person, cost(2), { prefer: 'respond-async' }),
    api.post('/v1/optimize', LONG, person.program),
    api.post('/api/auth/refresh', { refresh_token: person.refreshToken }),
  ];
  await sleep((nth % 12) * 12);
  calls.push(run(person, cost(3)));
  const answers = await Promise.all([remove(person), ...calls]);
  return answers.map(({ status, body }) => `${status} ${body.key ?? 'ok'}`);
}

describe('with a worker', () => {
  let worker: ChildProcess;
  beforeAll(async () => {
    worker = await startSampleWorker({ database, folder: directory, now: NOW });
  }, deadline(30_000));
  afterAll(() => endProcess(worker, 'SIGTERM'));

  it(
    'whatever the moment, each call is answered with what it asked for or 401, and nothing stays',
    async () => {
      const people = await Promise.all(
        Array.from({ length: 24 }, () => addPerson(api, newEmail(), { plan: 'enterprise' })),
      );
      // Not all at once: calls that get no connection for seconds are answered with 503.
      for (let i = 0; i < people.length; i += TOGETHER) {
        const outcomes = await Promise.all(people.slice(i, i + TOGETHER).map((person, n) => leave(person, i + n)));
        for (const [deleted, ...others] of outcomes) {
          expect(deleted).toBe('200 ok');
          for (const outcome of others) expect(CLEAN).toContain(outcome);
        }
      }
      // The worker learns of canceled jobs at its next heartbeat.
      await eventually(
        () => count(`select from pgboss.job where state < 'completed'`),
        (jobs) => jobs === 0,
      );
      await eventually(
        () => count('select from job_claims'),
        (claims) => claims === 0,
      );
      for (const person of people) expect([await runsOf(person), await objectsOf(person)]).toEqual([0, 0]);
      expect(
        await count(
          'select from backtests where user_id = any($1)',
          people.map(({ id }) => id),
        ),
      ).toBe(0);
      expect(await count('select from runs')).toBe(0);
    },
    deadline(60_000),
  );
});
