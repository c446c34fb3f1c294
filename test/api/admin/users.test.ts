/** Accounts and the audit log of the back office. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createAdmin, setAccountPlan } from '../../../api/accounts/admins.ts';
import { lockActiveAdmins } from '../../../db/accounts/users.ts';
import { transaction } from '../../../db/pool.ts';
import { SampleProvider } from '../../../jobs/providers/sample/sample-provider.ts';
import { addAdmin, addPerson, bearer, newAddress, type Person, signUp } from '../../support/accounts.ts';
import { openTestApi, type TestApi } from '../../support/api.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { eventually } from '../../support/eventually.ts';
import { runSyncJob } from '../../support/market-folder.ts';

const NOW = Date.parse('2024-09-04T16:00:00Z');
let clock = NOW;
let database: TestDatabase;
let api: TestApi;
let other: TestApi;
let admin: Person;

beforeAll(async () => {
  database = await createTestDatabase();
  const provider = new SampleProvider({ symbols: 50, now: () => NOW });
  await runSyncJob(database.pool, provider, 'symbols');
  const open = () => openTestApi({ database, provider, now: () => clock, realCallers: true });
  [api, other] = [await open(), await open()];
  admin = await addAdmin(api, 'boss@example.com');
});
afterAll(async () => {
  await Promise.all([api.close(), other.close()]);
  await database.drop();
});

const outcome = ({ status, body }: { status: number; body: { key?: string } }) => [status, body.key];
const get = (path: string, person = admin) => api.get(`/api/admin/${path}`, person.console);
const patch = (id: number, body: object, person = admin, process = api) =>
  process.patch(`/api/admin/users/${id}`, body, person.console);

interface Entry {
  readonly action: string;
  readonly result: string;
  readonly actor_email: string | null;
  readonly actor_id: number | null;
  readonly target_id: string | null;
  readonly details: Record<string, unknown>;
}
const entriesOf = async (query: string): Promise<Entry[]> => (await get(`audit?size=200&${query}`)).body.data.items;

describe('GET /api/admin/users', () => {
  it('searches, filters, and sorts, with counts for each account', async () => {
    const ada = await signUp(api, 'ada_l@example.com');
    const eve = await addPerson(api, 'eve@example.com', { plan: 'pro', status: 'banned' });
    await database.pool.query(
      `update users set nickname = 'Countess', register_country = 'GB', register_ip = '5.6.7.8' where id = $1`,
      [ada.id],
    );
    for (let i = 0; i < 3; i++) await api.get('/v1/static/NOPE', ada.program);
    const emails = async (query: string) => {
      const { status, body } = await get(`users?${query}`);
      expect(status).toBe(200);
      return body.data.items.map(({ email }: { email: string }) => email);
    };
    expect(await emails('q=ADA_L')).toEqual([ada.email]);
    expect(await emails('q=countess')).toEqual([ada.email]);
    expect(await emails('q=a_a')).toEqual([]);
    expect(await emails('plan=pro')).toEqual([eve.email]);
    expect(await emails('status=banned')).toEqual([eve.email]);
    expect(await emails('is_admin=true')).toEqual([admin.email]);
    expect(await emails('country=gb')).toEqual([ada.email]);
    expect(await emails('sort=created_at&order=asc')).toEqual([admin.email, ada.email, eve.email]);
    expect((await emails('sort=last_login_at'))[0]).toBe(ada.email);
    expect(await emails('sort=login_count&order=asc&size=1&page=3')).toEqual([ada.email]);
    const { body } = await get('users?q=ada_l&lang=zh-TW');
    expect(body.data).toMatchObject({ total: 1, page: 1, size: 20 });
    expect(body.data.items[0]).toMatchObject({
      api_key_count: 1,
      backtest_count: 0,
      calls_30d: 3,
      register_ip: '5.6.7.8',
      register_country: 'GB',
      register_country_name: '英國',
      login_count: 1,
    });
    for (const bad of ['plan=gold', 'status=x', 'is_admin=maybe', 'country=GBR', 'sort=email', 'order=up', 'size=0']) {
      expect(outcome(await get(`users?${bad}`))).toEqual([422, 'error.validation_failed']);
    }
  });

  it('counts registrations per country, without those of an unknown country', async () => {
    expect((await get('users/countries')).body.data).toEqual({
      total: 1,
      page: 1,
      size: 1,
      items: [{ country: 'GB', country_name: 'United Kingdom', users: 1 }],
    });
  });

  it('is for administrators', async () => {
    const person = await addPerson(api);
    for (const path of ['users', 'users/countries', `users/${person.id}`, 'audit', 'stats/overview', 'data/coverage']) {
      expect(outcome(await api.get(`/api/admin/${path}`))).toEqual([403, 'error.login_required']);
      expect(outcome(await api.get(`/api/admin/${path}`, admin.program))).toEqual([403, 'error.login_required']);
      expect(outcome(await get(path, person))).toEqual([403, 'error.admin_required']);
    }
  });
});

describe('GET /api/admin/users/{user_id}', () => {
  it('shows everything but secrets, and is audited', async () => {
    const person = await signUp(api);
    for (let i = 0; i < 22; i++) await api.get('/v1/static/NOPE', person.program);
    for (let i = 0; i < 21; i++) {
      await database.pool.query(
        `insert into login_events (user_id, at, kind, ip, country) values ($1, $2, 'login', '9.9.9.9', 'US')`,
        [person.id, new Date(clock)],
      );
    }
    const { status, body, text } = await get(`users/${person.id}`);
    expect(status).toBe(200);
    expect(body.data).toMatchObject({
      id: person.id,
      email: person.email,
      calls_30d: 22,
      api_key_count: 1,
      backtests: [],
      login_events_total: 22,
      login_events_truncated: true,
    });
    expect(body.data.api_keys[0]).toMatchObject({ prefix: person.key.slice(0, 11), enabled: true });
    expect(text).not.toContain(person.key);
    expect(body.data.login_events).toHaveLength(20);
    expect(body.data.login_events[0]).toMatchObject({ kind: 'login', ip: '9.9.9.9', country_name: 'United States' });
    expect(body.data.access_records).toHaveLength(20);
    expect(body.data.access_records[0]).toMatchObject({ path: '/v1/static/{symbol}', status: 404, client_kind: 'api' });
    expect(body.data.calls_trend).toHaveLength(30);
    expect(body.data.calls_trend.at(-1)).toEqual({ date: '2024-09-04', value: 22 });
    expect(body.data.calls_trend[0]).toEqual({ date: '2024-08-06', value: 0 });
    const history = await get(`users/${person.id}/login-events?size=5&page=5`);
    expect(history.body.data).toMatchObject({ total: 22, page: 5, size: 5 });
    expect(history.body.data.items.map(({ kind }: { kind: string }) => kind)).toEqual(['login', 'register']);
    const views = await entriesOf(`action=user.view&target_id=${person.id}`);
    expect(views).toMatchObject([{ result: 'ok', actor_email: admin.email, actor_id: admin.id }]);
  });

  it('answers 404 for an unknown account, which is audited too', async () => {
    expect(outcome(await get('users/999999'))).toEqual([404, 'error.not_found']);
    expect(outcome(await get('users/999999/login-events'))).toEqual([404, 'error.not_found']);
    expect(outcome(await get('users/0'))).toEqual([422, 'error.validation_failed']);
    expect(await entriesOf('action=user.view&target_id=999999')).toMatchObject([
      { result: 'failed', details: { error: 'not_found' } },
    ]);
  });
});

describe('PATCH /api/admin/users/{user_id}', () => {
  it('changes the fields in the body, and logs each change with the previous value', async () => {
    const person = await addPerson(api);
    const expiry = '2024-10-01T00:00:00.000Z';
    const { status, body } = await patch(person.id, { plan: 'pro', plan_expires_at: expiry, is_admin: true });
    expect(status).toBe(200);
    expect(body.data).toMatchObject({ plan: 'pro', effective_plan: 'pro', plan_expires_at: expiry, is_admin: true });
    await patch(person.id, { plan_expires_at: null, plan: 'pro' });
    const entries = await entriesOf(`target_type=user&target_id=${person.id}`);
    expect(entries.map(({ action, details }) => [action, details.before, details.after]).reverse()).toEqual([
      ['user.plan_change', 'free', 'pro'],
      ['user.role_change', false, true],
      ['user.plan_expiry_change', null, expiry],
      ['user.plan_expiry_change', expiry, null],
    ]);
  });

  it('bans at once in every process; after that, access needs a new login', async () => {
    const person = await signUp(api);
    expect((await patch(person.id, { status: 'banned' })).body.data.status).toBe('banned');
    expect((await other.get('/api/auth/me', person.console)).status).toBe(401);
    expect((await other.get('/v1/static/NOPE', person.program)).status).toBe(401);
    expect((await patch(person.id, { status: 'active' })).status).toBe(200);
    expect((await other.get('/v1/static/NOPE', person.program)).status).toBe(404);
    expect((await other.post('/api/auth/refresh', { refresh_token: person.refreshToken })).status).toBe(401);
    const actions = (await entriesOf(`target_id=${person.id}`)).map(({ action }) => action);
    expect(actions).toEqual(['user.unban', 'user.ban']);
  });

  it.each([
    ['demotion of oneself', { is_admin: false }, 'user.role_change'],
    ['disabling oneself', { status: 'disabled' }, 'user.disable'],
    ['banning oneself', { status: 'banned', plan: 'free' }, 'user.ban'],
  ])('refuses the %s and changes nothing', async (_, body, action) => {
    expect(outcome(await patch(admin.id, body))).toEqual([400, 'error.self_change']);
    expect((await get(`users?q=${admin.email}`)).body.data.items[0]).toMatchObject({
      is_admin: true,
      status: 'active',
      plan: 'free',
    });
    const [entry] = await entriesOf(`action=${action}&actor=${admin.id}&result=failed`);
    expect(entry).toMatchObject({ target_id: String(admin.id), details: { error: 'self_change' } });
  });

  it('lets administrators change their own plan', async () => {
    expect((await patch(admin.id, { plan: 'enterprise', status: 'active', is_admin: true })).status).toBe(200);
    await patch(admin.id, { plan: 'free' });
  });

  it('logs calls that were refused because of their input', async () => {
    const person = await addPerson(api);
    expect(outcome(await patch(person.id, { plan: 'gold' }))).toEqual([422, 'error.validation_failed']);
    expect(outcome(await patch(person.id, { email: 'new@example.com' }))).toEqual([422, 'error.validation_failed']);
    expect(outcome(await patch(person.id, { plan_expires_at: 'soon' }))).toEqual([422, 'error.validation_failed']);
    expect(outcome(await patch(admin.id, { is_admin: false }, person))).toEqual([403, 'error.admin_required']);
    expect(await entriesOf('action=user.update&actor=example.com')).toMatchObject([
      { result: 'failed', actor_id: person.id, target_id: String(admin.id), details: { error: 'admin_required' } },
      ...Array(3).fill({ result: 'failed', actor_id: admin.id, details: { error: 'validation_failed' } }),
    ]);
  });

  it('two administrators who demote each other at once: one remains', async () => {
    // A call that waits too long for the lock changes nothing; two other calls are then tried.
    const statuses = await eventually(demoteEachOther, (answers) => !answers.includes(503));
    // Without lockActiveAdmins in changeUser both are demoted.
    expect(statuses.sort()).toEqual([200, 403]);
  });

  /** The statuses of two calls that wait for one lock. */
  async function demoteEachOther(): Promise<number[]> {
    const [first, second] = [await addAdmin(api), await addAdmin(api)];
    const { answers } = await transaction(database.pool, async (connection) => {
      await lockActiveAdmins(connection);
      const answers = Promise.all([
        patch(second.id, { is_admin: false }, first),
        patch(first.id, { is_admin: false }, second, other),
      ]);
      const waiting = () =>
        connection.query(
          `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
        );
      await Promise.race([answers, eventually(waiting, ({ rowCount }) => rowCount === 2)]);
      return { answers };
    });
    return (await answers).map(({ status }) => status);
  }
});

describe('DELETE /api/admin/users/{user_id}/api-keys/{key_id}', () => {
  const revoke = (userId: number, keyId: number) =>
    api.delete(`/api/admin/users/${userId}/api-keys/${keyId}`, undefined, admin.console);

  it('revokes one key at once in every process, but not the other keys and the login session', async () => {
    const person = await signUp(api);
    await patch(person.id, { plan: 'pro' });
    const { body: second } = await api.post('/api/account/keys', { name: 'leaked' }, person.console);
    const leaked = { 'x-api-key': second.data.key };
    expect((await other.get('/v1/static/NOPE', leaked)).status).toBe(404);
    const revoked = await revoke(person.id, second.data.id);
    expect([revoked.status, revoked.body.data]).toEqual([200, { deleted: true }]);
    expect((await other.get('/v1/static/NOPE', leaked)).status).toBe(401);
    expect((await other.get('/v1/static/NOPE', person.program)).status).toBe(404);
    expect((await other.get('/api/auth/me', person.console)).status).toBe(200);
    const [entry] = await entriesOf(`action=user.key_revoke&target_id=${person.id}`);
    const { id, prefix } = second.data;
    expect(entry).toMatchObject({ result: 'ok', details: { key_id: id, name: 'leaked', prefix } });
  });

  it('answers 404 for a key of another account, which keeps working; this is audited too', async () => {
    const [person, owner] = [await signUp(api), await signUp(api)];
    const { body } = await api.get('/api/account/keys', owner.console);
    const { status } = await revoke(person.id, body.data.items[0].id);
    expect(status).toBe(404);
    expect((await other.get('/v1/static/NOPE', owner.program)).status).toBe(404);
    const [entry] = await entriesOf(`action=user.key_revoke&target_id=${person.id}&result=failed`);
    expect(entry).toMatchObject({ details: { error: 'not_found' } });
  });
});

describe('the audit log', () => {
  it('can be filtered by every field', async () => {
    clock = NOW + 60_000;
    const person = await addPerson(api, 'Target%40@example.com'.toLowerCase());
    await patch(person.id, { plan: 'pro' });
    const found = async (query: string) => (await entriesOf(query)).length;
    const all = await found('');
    expect(await found(`action=user.plan_change&target_id=${person.id}`)).toBe(1);
    expect(await found('action=user.plan')).toBe(0);
    expect(await found('actor=BOSS@')).toBeGreaterThan(0);
    expect(await found('actor=b_ss')).toBe(0);
    expect(await found(`actor=${admin.id}`)).toBe((await entriesOf('')).filter((e) => e.actor_id === admin.id).length);
    expect((await found('result=ok')) + (await found('result=failed'))).toBe(all);
    expect(await found('target_type=user')).toBe(all);
    expect(await found('from=2024-09-04&to=2024-09-04')).toBe(all);
    expect(await found('to=2024-09-03')).toBe(0);
    expect(await found('from=2024-09-05')).toBe(0);
    expect(await found('from=2024-09-04T16:00:30Z')).toBe(1);
    expect(await found(`from=${encodeURIComponent('2024-09-04T18:00:30+02:00')}`)).toBe(1);
    expect(await found('to=2024-09-04T16:00:30Z')).toBe(all - 1);
    const { body } = await get('audit?size=2&page=2');
    expect(body.data).toMatchObject({ total: all, page: 2, size: 2 });
    expect(body.data.items.map(({ id }: { id: number }) => id)).toEqual(
      (await entriesOf('')).slice(2, 4).map((entry) => (entry as unknown as { id: number }).id),
    );
    for (const bad of ['from=yesterday', 'to=2024-13-01', 'from=2024-02-30']) {
      expect(outcome(await get(`audit?${bad}`))).toEqual([400, 'error.invalid_date']);
    }
    expect(outcome(await get('audit?from=2024-09-05&to=2024-09-04'))).toEqual([400, 'error.invalid_date_range']);
    for (const bad of ['result=maybe', `action=${'x'.repeat(65)}`, `target_type=${'x'.repeat(33)}`, 'size=500']) {
      expect(outcome(await get(`audit?${bad}`))).toEqual([422, 'error.validation_failed']);
    }
    expect((await get('audit/actions')).body.data).toMatchObject({
      actions: expect.arrayContaining(['user.view', 'user.ban', 'user.role_change']),
      target_types: ['user'],
    });
  });

  it('is append-only, except for the reference to an account that is deleted', async () => {
    const leaving = await addAdmin(api, 'leaving@example.com');
    await get(`users/${admin.id}`, leaving);
    for (const statement of [
      `update audit_log set result = 'ok'`,
      `update audit_log set actor_id = null, actor_email = null where actor_id = ${leaving.id}`,
      'delete from audit_log',
      'truncate audit_log',
    ]) {
      await expect(database.pool.query(statement)).rejects.toThrow('append-only');
    }
    const deletion = await api.delete('/api/auth/me', { email: leaving.email }, leaving.console);
    expect(deletion.status).toBe(200);
    expect(await entriesOf('actor=leaving@')).toMatchObject([{ actor_id: null, actor_email: leaving.email }]);
  });

  it('has the plans that operators give; administrators have the plan enterprise', async () => {
    const email = 'planned@example.com';
    const made = await createAdmin(database.pool, NOW, { email, login: 'planned', password: 'a long password' });
    expect([made?.user.plan, made?.user.planExpiresAt]).toEqual(['enterprise', null]);
    expect((await setAccountPlan(database.pool, NOW, { email, plan: 'pro' }))?.plan).toBe('pro');
    expect(await setAccountPlan(database.pool, NOW, { email: 'no@example.com', plan: 'pro' })).toBeNull();
    const [entry] = await entriesOf('action=user.plan_change');
    expect(entry).toMatchObject({
      result: 'ok',
      target_id: String(made?.user.id),
      details: { before: 'enterprise', after: 'pro' },
    });
  });

  it('has the logins of administrators, including failed ones', async () => {
    await createAdmin(database.pool, NOW, { email: 'pass@example.com', login: 'pass', password: 'a long password' });
    const login = (name: string, password: string) =>
      api.post('/api/auth/admin-login', { login: name, password }, { 'x-forwarded-for': newAddress() });
    expect((await login('pass', 'wrong')).status).toBe(401);
    expect((await login('nobody', 'wrong')).status).toBe(401);
    expect((await login('pass', 'a long password')).status).toBe(200);
    const entries = await entriesOf('action=admin.login');
    expect(entries.map(({ result, actor_email }) => [result, actor_email])).toEqual([
      ['ok', 'pass@example.com'],
      ['failed', null],
      ['failed', 'pass@example.com'],
    ]);
    expect(JSON.stringify(entries)).not.toContain('wrong');
  });

  it('prevents an action that cannot be logged', async () => {
    const person = await addPerson(api);
    await database.pool.query(
      `alter table audit_log add constraint broken check (action <> 'user.plan_change') not valid`,
    );
    try {
      expect(outcome(await patch(person.id, { plan: 'pro' }))).toEqual([500, 'error.internal']);
      expect((await get(`users?q=${person.email}`)).body.data.items[0].plan).toBe('free');
    } finally {
      await database.pool.query('alter table audit_log drop constraint broken');
    }
  });
});

it('a ban ends the access of an administrator at once', async () => {
  const voided = await addAdmin(api);
  await patch(voided.id, { status: 'banned' });
  expect((await api.get('/api/admin/users', bearer(voided.accessToken))).status).toBe(401);
});
