/** Races between calls on real connections. Each test names the line without which it fails. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pino from 'pino';
import { createAdmin } from '../../../api/accounts/admins.ts';
import { startEmbeddedPostgres } from '../../../db/embedded-postgres.ts';
import { migrate } from '../../../db/migrate.ts';
import { codeOf } from '../../../engine/util/errors.ts';
import { required } from '../../../engine/util/values.ts';
import { SampleProvider } from '../../../jobs/providers/sample/sample-provider.ts';
import { declareQueues } from '../../../jobs/queue/boss.ts';
import {
  bearer,
  changeAccess,
  codeIn,
  deliverMail,
  forgetAttempts,
  newAddress,
  newEmail,
  receiveCode,
  signUp,
} from '../../support/accounts.ts';
import { openTestApi, type TestApi } from '../../support/api.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { eventually } from '../../support/eventually.ts';
import { runSyncJob } from '../../support/market-folder.ts';
import { untilServed } from '../../support/sync-jobs.ts';

const NOW = Date.parse('2024-09-04T16:00:00Z');
const provider = new SampleProvider({ symbols: 50, now: () => NOW });
let database: TestDatabase;
let api: TestApi;
let other: TestApi;

beforeAll(async () => {
  database = await createTestDatabase();
  await runSyncJob(database.pool, provider, 'symbols');
  const open = () => openTestApi({ database, provider, now: () => NOW, realCallers: true });
  [api, other] = [await open(), await open()];
});
afterAll(async () => {
  await Promise.all([api.close(), other.close()]);
  await database.drop();
});

/** Sends the same call many times at once, alternating between two API processes; returns the sorted statuses. */
async function atOnce(count: number, call: (process: TestApi) => Promise<{ status: number }>): Promise<number[]> {
  const responses = await Promise.all(Array.from({ length: count }, (_, i) => call(i % 2 ? api : other)));
  return responses.map(({ status }) => status).sort();
}

describe('concurrent calls', () => {
  it('eight refreshes with one token: one succeeds, and all login sessions of the account end', async () => {
    const person = await signUp(api);
    const winners: string[] = [];
    const statuses = await atOnce(8, async (process) => {
      const response = await process.post('/api/auth/refresh', { refresh_token: person.refreshToken });
      if (response.status === 200) winners.push(response.body.data.access_token);
      return response;
    });
    // Without "t.rotated_at is null" in rotateRefreshToken several succeed.
    expect(statuses).toEqual([200, ...Array(7).fill(401)]);
    // Without revokeLoginSessionsOfReusedToken, or with the refusal thrown inside its transaction, the session of the winner remains valid.
    expect((await api.get('/api/auth/me', bearer(winners[0]))).status).toBe(401);
  });

  it('two sign-ups with one code: one account with one key', async () => {
    const email = newEmail();
    const code = await receiveCode(api, email);
    const body = { email, code, name: 'Ada', phone: '+1 212 555 0100' };
    // Without "for update" in lockLoginCode and "on conflict" in insertUser both sign up, or one answers 500.
    expect(await atOnce(2, (process) => process.post('/api/auth/verify', body))).toEqual([200, 400]);
    const { rows } = await database.pool.query(
      'select count(*)::int as keys from api_keys k join users u on u.id = k.user_id where u.email = $1',
      [email],
    );
    expect(rows).toEqual([{ keys: 1 }]);
  });

  it('eight logins with one code: one session', async () => {
    const { email } = await signUp(api);
    await forgetAttempts(api);
    const code = await receiveCode(api, email);
    // Without "for update" in lockLoginCode both find the code unused.
    const statuses = await atOnce(8, (process) => process.post('/api/auth/verify', { email, code }));
    expect(statuses).toEqual([200, ...Array(7).fill(400)]);
  });

  it('wrong tries of a code: no more than five are compared', async () => {
    const email = newEmail();
    const asked = await api.post('/api/auth/request-code', { email });
    const code = codeIn(await deliverMail(api, email));
    const wrong = code === '111111' ? '222222' : '111111';
    const { challenge } = asked.body.data;
    await atOnce(12, (process) => process.post('/api/auth/verify', { email, code: wrong, challenge }));
    const { rows } = await database.pool.query('select tries from login_requests where email = $1', [email]);
    // Without "for update" in lockLoginCode more tries than five are made before they are counted.
    expect(rows).toEqual([{ tries: 5 }]);
  });

  it('ten key creations at quota one: one key', async () => {
    const person = await signUp(api);
    await database.pool.query('delete from api_keys where user_id = $1', [person.id]);
    const create = (process: TestApi) => process.post('/api/account/keys', { name: 'race' }, person.console);
    // Without lockUser in createKey several count no key before the first one is inserted.
    expect(await atOnce(10, create)).toEqual([201, ...Array(9).fill(403)]);
  });

  it('two last administrators delete their accounts: one remains', async () => {
    const tokens: Record<string, string>[] = [];
    for (const name of ['first', 'second']) {
      await createAdmin(database.pool, NOW, { email: `${name}@example.com`, login: name, password: 'long enough' });
      const { body } = await api.post('/api/auth/admin-login', { login: name, password: 'long enough' });
      tokens.push(bearer(body.data.access_token));
    }
    const statuses = await Promise.all([
      api.delete('/api/auth/me', { email: 'first@example.com' }, tokens[0]),
      other.delete('/api/auth/me', { email: 'second@example.com' }, tokens[1]),
    ]);
    // Without "for update" in lockActiveAdmins each relies on the other.
    expect(statuses.map(({ status }) => status).sort()).toEqual([200, 400]);
  });

  it('calls over the limit: exactly the limit succeeds, over all processes', async () => {
    const person = await signUp(api);
    const statuses = await atOnce(85, (process) => process.get('/v1/static/NOPE', person.program));
    expect(statuses).toEqual([...Array(60).fill(404), ...Array(25).fill(429)]);
  });

  it('guesses at a password: exactly five are compared', async () => {
    const guess = (process: TestApi) =>
      process.post('/api/auth/admin-login', { login: 'anybody', password: 'x' }, { 'x-forwarded-for': newAddress() });
    expect(await atOnce(12, guess)).toEqual([...Array(5).fill(401), ...Array(7).fill(429)]);
  });

  it('deletion of an account whose access records are not written yet: only its records are dropped', async () => {
    const person = await signUp(api);
    await api.services.accessLog.flush();
    await api.get('/v1/static/NOPE', person.program);
    await api.get('/v1/static/NOPE', { 'x-visitor-id': 'somebody-else', 'user-agent': 'Mozilla/5.0 Firefox/140' });
    expect((await other.delete('/api/auth/me', { email: person.email }, person.console)).status).toBe(200);
    await api.services.accessLog.flush();
    const count = async (sql: string, value: unknown) =>
      (await database.pool.query(`select count(*)::int as count from ${sql} = $1`, [value])).rows[0].count;
    expect(await count('daily_usage where user_id', person.id)).toBe(0);
    // Without lockExistingUsers the batch fails on the deleted account, and the records of the others are lost.
    expect(await count('access_records where visitor', 'somebody-else')).toBe(1);
  });
});

describe('when the database is killed', () => {
  const log = pino({ level: 'silent' });
  let directory: string;
  let server: Awaited<ReturnType<typeof startEmbeddedPostgres>>;
  let view: TestApi;

  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), 'market-killed-'));
    server = await startEmbeddedPostgres(directory, log);
    await migrate(server.url);
    await declareQueues(server.url);
    view = await openTestApi({ database: server, provider, now: () => NOW, realCallers: true });
  });
  afterAll(async () => {
    await view.close();
    await server.stop();
    rmSync(directory, { recursive: true, force: true });
  });

  /** Its backends may live for a moment longer and hold its memory. */
  async function restarted(): Promise<typeof server> {
    const start = () =>
      startEmbeddedPostgres(directory, log, server.port).catch((error) => {
        if (/shared memory block/.test(String(error))) return null;
        throw error;
      });
    return required(await eventually(start, (started) => started !== null));
  }

  function killIfThere(pid: number): void {
    try {
      process.kill(pid, 'SIGKILL');
    } catch (error) {
      if (codeOf(error) !== 'ESRCH') throw error;
    }
  }

  /** Kills the server and starts it again. `work` runs while only commits flush the log to disk. */
  async function killed(work: () => Promise<void>): Promise<void> {
    const { rows } = await view.services.pool.query<{ pid: number; type: string }>(
      'select pid, backend_type as type from pg_stat_activity',
    );
    const writer = required(rows.find(({ type }) => type === 'walwriter')).pid;
    const main = Number(readFileSync(join(directory, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0]);
    const { ended } = server;
    process.kill(writer, 'SIGSTOP');
    await work().finally(async () => {
      process.kill(main, 'SIGKILL');
      for (const { pid } of rows) killIfThere(pid);
      await ended;
      server = await restarted();
    });
    await eventually(
      async () => view.services.limiter.isLocal,
      (isLocal) => !isLocal,
    );
  }

  it('a limit that is used up stays used up until its window has passed', async () => {
    const person = await signUp(view);
    await changeAccess(view, person.id, { plan: 'free' });
    const quote = () => view.get('/v1/static/NOPE', person.program);
    for (let i = 0; i < 60; i++) expect((await quote()).status).toBe(404);
    expect((await quote()).status).toBe(429);
    await killed(async () => {
      // An asynchronous commit is on disk after three rounds of the WAL writer, 0.6 s; a WAL switch flushes it now.
      await view.services.pool.query('select pg_switch_wal()');
    });
    // With an unlogged table this is 404: all counters start again.
    expect((await quote()).status).toBe(429);
    await view.services.pool.query('update rate_limits set bucket = bucket - 62');
    expect((await quote()).status).toBe(404);
  });

  it('a recorded run survives, whether its caller waits or has got a 202', async () => {
    await runSyncJob(view.services.pool, provider, 'symbols');
    await untilServed(view);
    const backtest = (headers = {}) =>
      view.post('/v1/backtest', { symbol: 'ACRX' }, { 'x-forwarded-for': newAddress(), ...headers });
    const queued = async () =>
      (await view.services.pool.query<{ id: string }>(`select id from pgboss.job where name = 'backtest'`)).rows;
    const answered = async (call: ReturnType<typeof backtest>) => {
      const { status, body } = await call;
      expect([status, body.key]).toEqual([202, undefined]);
      return body.data.job_id;
    };
    // With `synchronous_commit` off they are lost.
    let reported: string | undefined;
    await killed(async () => {
      reported = await answered(backtest({ prefer: 'respond-async' }));
    });
    let awaited: ReturnType<typeof backtest> | undefined;
    await killed(async () => {
      awaited = backtest();
      await eventually(queued, ({ length }) => length === 2);
    });
    view.services.runs.endAll();
    const ids = [reported, await answered(required(awaited))].toSorted();
    const { rows } = await view.services.pool.query('select id from runs order by id');
    expect(rows.map(({ id }) => id)).toEqual(ids);
    expect((await queued()).map(({ id }) => id).toSorted()).toEqual(ids);
  });
});
