/** Limits cannot be bypassed, and guards keep refused calls cheap. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { PLANS } from '../../../api/access/plans.ts';
import { createAdmin, setAdminPassword } from '../../../api/accounts/admins.ts';
import { SampleProvider } from '../../../jobs/providers/sample/sample-provider.ts';
import { deleteExpired } from '../../../jobs/worker/cleanup.ts';
import {
  addAdmin,
  bearer,
  changeAccess,
  counterOf,
  forgetAttempts,
  newAddress,
  type Person,
  receiveCode,
  signUp,
} from '../../support/accounts.ts';
import { openTestApi, type TestApi } from '../../support/api.ts';
import { createSampleDatabase, type TestDatabase } from '../../support/database.ts';
import { deadline } from '../../support/deadlines.ts';

const NOW = Date.parse('2024-09-04T16:00:00Z');
let clock = NOW;
let database: TestDatabase;
let api: TestApi;
let other: TestApi;
let strict: TestApi;

beforeAll(async () => {
  const provider = new SampleProvider({ symbols: 50, now: () => NOW });
  database = await createSampleDatabase(provider);
  const options = { database, provider, now: () => clock, realCallers: true };
  api = await openTestApi(options);
  other = await openTestApi(options);
  strict = await openTestApi({ ...options, adminSessions: 'password' });
}, deadline(60_000));
afterAll(async () => {
  await Promise.all([api.close(), other.close(), strict.close()]);
  await database.drop();
});

type Headers = Record<string, string>;
const outcome = ({ status, body }: { status: number; body: { key?: string } }) => [status, body.key];
const remaining = async (headers: Headers) =>
  Number((await api.get('/v1/static/ACRX', headers)).headers['x-ratelimit-remaining']);
const createKey = async (person: Person) => ({
  'x-api-key': (await api.post('/api/account/keys', { name: 'next' }, person.console)).body.data.key,
});
const keysOf = async (person: Person) => (await api.get('/api/account/keys', person.console)).body.data.items;
const deleteKey = (person: Person, { id }: { id: number }) =>
  api.delete(`/api/account/keys/${id}`, undefined, person.console);

describe('the counters of an API key', () => {
  it('continue after a reset and after a deletion of the key', async () => {
    const person = await signUp(api);
    for (let i = 0; i < 10; i++) await remaining(person.program);
    const reset = await api.post('/api/account/keys/reset', undefined, person.console);
    expect(await remaining({ 'x-api-key': reset.body.data.key })).toBe(60 - 11);
    await deleteKey(person, (await keysOf(person))[0]);
    expect(await remaining(await createKey(person))).toBe(60 - 12);
  });

  it('belong to slots; a new key takes the lowest free one', async () => {
    const person = await signUp(api);
    await changeAccess(api, person.id, { plan: 'pro' });
    const second = await createKey(person);
    const third = await createKey(person);
    expect(await Promise.all([person.program, second, third].map(remaining))).toEqual([299, 299, 299]);
    await deleteKey(person, (await keysOf(person))[1]);
    expect(await remaining(await createKey(person))).toBe(298);
    expect(await remaining(await createKey(person))).toBe(299);
  });

  it('are shared by the keys beyond the slots of a smaller plan', async () => {
    const person = await signUp(api);
    await changeAccess(api, person.id, { plan: 'pro' });
    const others = [await createKey(person), await createKey(person)];
    await changeAccess(api, person.id, { plan: 'free' });
    expect(await remaining(person.program)).toBe(59);
    expect(await remaining(others[0])).toBe(58);
    expect(await remaining(others[1])).toBe(57);
  });

  it('outlive the account if its e-mail address signs up again', async () => {
    const person = await signUp(api);
    for (let i = 0; i < 20; i++) await remaining(person.program);
    const account = async (headers: Headers) =>
      Number((await api.get('/api/auth/me', headers)).headers['x-ratelimit-remaining']);
    const left = await account(person.console);
    await forgetAttempts(api);
    expect((await api.delete('/api/auth/me', { email: person.email }, person.console)).status).toBe(200);
    const again = await signUp(api, person.email);
    expect(again.id).not.toBe(person.id);
    expect(await remaining(again.program)).toBe(60 - 21);
    expect(await account(again.console)).toBe(left - 2);
  });

  it('survive a version without slots', async () => {
    const person = await signUp(api);
    await changeAccess(api, person.id, { plan: 'pro' });
    const second = await createKey(person);
    await database.pool.query('update api_keys set slot = null where user_id = $1', [person.id]);
    await api.services.knownCallers.caughtUp();
    expect([await remaining(person.program), await remaining(second)]).toEqual([299, 298]);
    expect(await remaining(await createKey(person))).toBe(299);
  });
});

describe('a backtest beyond the concurrent ones that the plan allows', () => {
  it('is not counted, and the answer says when to retry and how many calls are left', async () => {
    const person = await signUp(api);
    const run = { symbol: 'ACRX', strategy: 'buy_hold', time_range: '1Y' };
    const order = () => api.post('/v1/backtest', run, { ...person.program, prefer: 'respond-async' });
    // No worker runs here: both stay queued.
    for (const left of [19, 18]) {
      const queued = await order();
      expect([queued.status, queued.headers['x-ratelimit-remaining']]).toEqual([202, String(left)]);
    }
    for (let i = 0; i < 3; i++) {
      const refused = await order();
      expect(outcome(refused)).toEqual([429, 'error.concurrent_backtests']);
      expect(refused.body.retry_after).toBe(1);
      expect(refused.headers).toMatchObject({
        'retry-after': '1',
        'x-ratelimit-limit': '20',
        'x-ratelimit-remaining': '18',
      });
      expect(Number(refused.headers['x-ratelimit-reset'])).toBeGreaterThan(NOW / 1000);
    }
    const usage = (await api.get('/api/account/usage', person.console)).body.data;
    expect(usage.by_endpoint).toEqual([{ endpoint: '/v1/backtest', calls: 2 }]);
    await database.pool.query(`update runs set status = 'cancelled', finished_at = now()`);
    expect((await order()).headers['x-ratelimit-remaining']).toBe('17');
  });
});

describe('a guard that refuses', () => {
  it('reports its own limit in the headers', async () => {
    const email = 'guarded@example.com';
    const from = { 'x-forwarded-for': newAddress() };
    await receiveCode(api, email, from);
    const refused = await api.post('/api/auth/request-code', { email }, from);
    expect(outcome(refused)).toEqual([429, 'error.rate_limited']);
    expect(refused.headers).toMatchObject({ 'x-ratelimit-limit': '1', 'x-ratelimit-remaining': '0' });
    expect(Number(refused.headers['retry-after'])).toBe(refused.body.retry_after);
    expect(refused.body.retry_after).toBeGreaterThan(50);

    const guess = () =>
      api.post('/api/auth/admin-login', { login: 'nobody', password: 'x' }, { 'x-forwarded-for': newAddress() });
    for (let i = 0; i < 5; i++) expect((await guess()).status).toBe(401);
    const locked = await guess();
    expect(locked.headers).toMatchObject({ 'x-ratelimit-limit': '5', 'x-ratelimit-remaining': '0' });
    expect(Number(locked.headers['retry-after'])).toBeGreaterThan(600);
  });
});

describe('callers without access', () => {
  const rows = async (sql: string) => (await database.pool.query(sql)).rows;

  it('get 401, and 404 for unknown paths, 120 times a minute over all processes, without access records', async () => {
    const from = { 'x-forwarded-for': newAddress() };
    const person = await signUp(api);
    await api.services.accessLog.flush();
    await database.pool.query('truncate access_records, daily_access, visitors');
    const calls = Array.from({ length: 130 }, (_, i) => {
      const process = i % 2 ? api : other;
      const headers = { ...from, 'user-agent': `made-up/${i}` };
      return i % 3
        ? process.get(`/wp-admin/${i}`, headers)
        : process.get('/v1/quote/ACRX', { ...headers, authorization: 'Bearer bad' });
    });
    const answers = await Promise.all(calls);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(10);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([401, 404, 429]));
    const refused = answers.find(({ status }) => status === 429);
    expect(refused?.headers).toMatchObject({ 'x-ratelimit-limit': '120', 'x-ratelimit-remaining': '0' });
    expect(Number(refused?.headers['retry-after'])).toBe(refused?.body.retry_after);
    expect(refused?.body.key).toBe('error.rate_limited');
    expect(refused?.body.message).not.toContain('sweep');

    await Promise.all([api, other].map(({ services }) => services.accessLog.flush()));
    expect(await rows('select * from access_records')).toEqual([]);
    expect(await rows('select * from visitors')).toEqual([]);
    expect(
      await rows(
        'select path, sum(calls)::int as calls, sum(errors)::int as errors from daily_access group by path order by path',
      ),
    ).toEqual([
      { path: '/v1/quote/{symbol}', calls: 44, errors: 44 },
      { path: 'unknown', calls: 86, errors: 86 },
    ]);

    // It does not affect calls with a valid credential, or calls without one to an existing path.
    expect((await api.get('/v1/quote/ACRX', { ...from, ...person.program })).status).toBe(200);
    expect(outcome(await api.get('/v1/quote/NOPE', { ...from, ...person.program }))).toEqual([
      404,
      'error.symbol_not_found',
    ]);
    expect((await api.get('/api/plans', from)).status).toBe(200);
    expect((await api.get('/v1/nowhere', { 'x-forwarded-for': newAddress() })).status).toBe(404);
  });

  it('get ten entries in the audit log a minute, and one with the sum of the others', async () => {
    const person = await signUp(api);
    const entries = async () => {
      const { body } = await api.get(`/api/admin/audit?actor=${person.id}&size=200`, admin.console);
      return body.data.items as {
        action: string;
        target_id: string;
        result: string;
        details: Record<string, unknown>;
      }[];
    };
    const admin = await addAdmin(api);
    const view = (process: TestApi) => process.get(`/api/admin/users/${admin.id}`, person.console);
    const patch = (process: TestApi, headers: Headers) =>
      process.patch(`/api/admin/users/${person.id}`, { is_admin: true }, headers);
    for (let i = 0; i < 15; i++)
      expect(outcome(await view(i % 2 ? api : other))).toEqual([403, 'error.admin_required']);
    for (let i = 0; i < 5; i++) expect((await patch(other, person.console)).status).toBe(403);
    expect(outcome(await patch(api, person.program))).toEqual([403, 'error.login_required']);
    await deleteExpired(database.pool, clock);
    expect((await entries()).map(({ action }) => action)).toEqual(Array(10).fill('user.view'));
    clock += 61_000;
    await Promise.all([deleteExpired(database.pool, clock), deleteExpired(database.pool, clock)]);
    const [sum, ...ten] = await entries();
    expect(ten).toHaveLength(10);
    expect(sum).toMatchObject({
      action: 'admin.refused',
      target_id: String(person.id),
      result: 'failed',
      details: { calls: 11, actions: { 'user.view': 5, 'user.update': 6 } },
    });
    clock = NOW;
  });
});

describe('sessions of administrators', () => {
  const PASSWORD = 'a long password';
  const admin = { email: 'strict@example.com', login: 'strict', password: PASSWORD };
  const users = (token: string) => strict.get('/api/admin/users', bearer(token));
  const loginByCode = async (email: string) => {
    await forgetAttempts(strict);
    const code = await receiveCode(strict, email);
    return (await strict.post('/api/auth/verify', { email, code })).body.data;
  };
  const loginByPassword = async (login: string) =>
    (await strict.post('/api/auth/admin-login', { login, password: PASSWORD })).body.data;

  it('begin with the password if that is required, and keep this over refreshes', async () => {
    await createAdmin(database.pool, NOW, admin);
    const byCode = await loginByCode(admin.email);
    expect(outcome(await users(byCode.access_token))).toEqual([403, 'error.admin_login_required']);
    const refresh = async (pair: { refresh_token: string }) =>
      (await strict.post('/api/auth/refresh', { refresh_token: pair.refresh_token })).body.data;
    expect(outcome(await users((await refresh(byCode)).access_token))).toEqual([403, 'error.admin_login_required']);
    const byPassword = await loginByPassword('strict');
    expect((await users(byPassword.access_token)).status).toBe(200);
    expect((await users((await refresh(byPassword)).access_token)).status).toBe(200);
    // Other routes accept both, and so does the back office if any login session is allowed.
    expect((await strict.get('/api/auth/me', bearer(byCode.access_token))).status).toBe(200);
    expect((await api.get('/api/admin/users', bearer(byCode.access_token))).status).toBe(200);
    const person = await signUp(strict);
    expect(outcome(await users(person.accessToken))).toEqual([403, 'error.admin_required']);
  });

  it('are possible for a promoted account with a password set on the command line', async () => {
    const person = await signUp(strict);
    const set = () => setAdminPassword(database.pool, NOW, { email: person.email, password: PASSWORD }, 'ops:ada');
    expect(await set()).toMatchObject({ isAdmin: false });
    expect(await loginByPassword(person.email)).toBeNull();
    await changeAccess(api, person.id, { isAdmin: true });
    const before = await loginByCode(person.email);
    expect(await set()).toMatchObject({ isAdmin: true });
    expect((await strict.get('/api/auth/me', bearer(before.access_token))).status).toBe(401);
    expect((await users((await loginByPassword(person.email)).access_token)).status).toBe(200);
    const { rows } = await database.pool.query(
      `select action, actor_email, result from audit_log where target_id = $1 and action <> 'admin.login'`,
      [String(person.id)],
    );
    expect(rows).toEqual([{ action: 'admin.set_password', actor_email: 'ops:ada', result: 'ok' }]);
  });

  it('leave no account behind if the login name is taken', async () => {
    expect(await createAdmin(database.pool, NOW, { ...admin, email: 'second@example.com' }, 'ops:ada')).toBeNull();
    const { rows } = await database.pool.query(`select from users where email = 'second@example.com'`);
    expect(rows).toEqual([]);
  });
});

it('gives a key the limits of its plan until the plan expires', async () => {
  const person = await signUp(api);
  await changeAccess(api, person.id, { plan: 'pro', planExpiresAt: new Date(clock + 60_000) });
  const limit = async () => (await api.get('/v1/static/ACRX', person.program)).headers['x-ratelimit-limit'];
  expect(await limit()).toBe(String(PLANS.pro.limits.static));
  clock += 59_999;
  expect(await limit()).toBe(String(PLANS.pro.limits.static));
  clock += 1;
  expect(await limit()).toBe(String(PLANS.free.limits.static));
  clock = NOW;
});

it('multiplies every limit by the factor of the installation', async () => {
  const provider = new SampleProvider({ symbols: 50, now: () => NOW });
  const options = { database, provider, now: () => clock, realCallers: true };
  const large = await openTestApi({ ...options, rateLimitFactor: 3 });
  const limit = PLANS.guest.limits.quote * 3;
  const { headers } = await large.get('/v1/quote/ACRX', { 'x-forwarded-for': newAddress() });
  expect([headers['x-ratelimit-limit'], headers['x-ratelimit-remaining']]).toEqual([String(limit), String(limit - 1)]);
  const { body } = await large.get('/api/plans');
  expect(body.data.plans[0].rate_limits.quote).toEqual({ limit, window_seconds: 60 });
  await large.close();
});

it('counts a login session separately from the keys of its account', async () => {
  const person = await signUp(api);
  expect(await counterOf(api, person)).toMatch(/^user:[\w-]{22}$/);
  expect(await remaining(person.program)).toBe(PLANS.free.limits.static - 1);
  expect(await remaining(person.console)).toBe(PLANS.free.limits.static - 1);
});
