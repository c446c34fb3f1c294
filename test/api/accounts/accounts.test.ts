/** Accounts, from the first login code to the deletion. */
import crypto from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import pg from 'pg';
import { createAdmin } from '../../../api/accounts/admins.ts';
import { SampleProvider } from '../../../jobs/providers/sample/sample-provider.ts';
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
import { runSyncJob } from '../../support/market-folder.ts';

const NOW = Date.parse('2024-09-04T16:00:00Z');
const MINUTE = 60_000;
const PROFILE = { name: 'Ada Lovelace', phone: '+1 212 555 0100' };
let clock = NOW;
let database: TestDatabase;
let api: TestApi;

beforeAll(async () => {
  database = await createTestDatabase();
  const provider = new SampleProvider({ symbols: 50, now: () => NOW });
  await runSyncJob(database.pool, provider, 'symbols');
  await runSyncJob(database.pool, provider, 'daily_bars', { venue_mode: 'consolidated', start: '2024-08-01' });
  api = await openTestApi({ database, provider, now: () => clock, realCallers: true });
});
afterAll(async () => {
  await api.close();
  await database.drop();
});

const outcome = ({ status, body }: { status: number; body: { key?: string } }) => [status, body.key];

describe('POST /api/auth/request-code', () => {
  const ask = (email: string, headers = {}) =>
    api.post('/api/auth/request-code', { email }, { 'x-forwarded-for': newAddress(), ...headers });

  it('queues a mail in the language of the caller, with the same answer for everybody', async () => {
    const { email } = await signUp(api);
    await forgetAttempts(api);
    const [known, unknown] = [await ask(email, { 'accept-language': 'zh-TW' }), await ask(newEmail())];
    for (const { body } of [known, unknown]) {
      expect(body.data).toEqual({ sent: true, expires_in: 600, challenge: expect.stringMatching(/^[\w-]{22}$/) });
    }
    const mail = await deliverMail(api, email);
    expect(mail).toMatchObject({ to: email, subject: '您的登入驗證碼' });
    expect(codeIn(mail)).toMatch(/^\d{6}$/);
    const { rows } = await database.pool.query(
      `select data from pgboss.job where name = 'mail.login_code' order by created_on desc limit 1`,
    );
    expect(Object.keys(rows[0].data).sort()).toEqual(['loginRequestId', 'requestId']);
  });

  it('does the same work for known and unknown e-mail addresses', async () => {
    const { email } = await signUp(api);
    await forgetAttempts(api);
    const work = await workOf(() => ask(email));
    expect(work.length).toBeGreaterThan(3);
    expect(await workOf(() => ask(newEmail()))).toEqual(work);
  });

  it('limits requests per e-mail address and per IP address', async () => {
    const email = newEmail();
    const from = { 'x-forwarded-for': newAddress() };
    expect((await ask(email, from)).status).toBe(200);
    const second = await ask(email, from);
    expect(outcome(second)).toEqual([429, 'error.rate_limited']);
    expect(second.body.retry_after).toBeLessThanOrEqual(62);
    expect(Number(second.headers['retry-after'])).toBe(second.body.retry_after);
    for (let i = 0; i < 4; i++) {
      await database.pool.query(`delete from rate_limits where key like '%:code_pause'`);
      expect((await ask(email, from)).status).toBe(200);
    }
    await database.pool.query(`delete from rate_limits where key like '%:code_pause'`);
    expect((await ask(email, from)).body.retry_after).toBeGreaterThan(3000);
    const flood = newAddress();
    const statuses: number[] = [];
    for (let i = 0; i < 22; i++) statuses.push((await ask(newEmail(), { 'x-forwarded-for': flood })).status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(20);
    await forgetAttempts(api);
  });

  it('refuses anything but an e-mail address', async () => {
    for (const email of ['', 'ada', 'ada@', 'a b@example.com', `${'x'.repeat(250)}@example.com`, 7, null]) {
      expect((await api.post('/api/auth/request-code', { email })).status).toBe(422);
    }
  });
});

/** Returns the statements that the database runs for a call, without those of new connections and the cleanup of the process. */
async function workOf(call: () => Promise<unknown>): Promise<string[]> {
  const spy = jest.spyOn(pg.Client.prototype, 'query');
  try {
    await call();
    return spy.mock.calls
      .map(([first]) => (typeof first === 'string' ? first : (first as unknown as { text: string }).text))
      .filter(
        (text) =>
          !/update limiter_clock|update rate_limits r|access_records|daily_usage|daily_access|visitors|visiting_users|for key share|^(begin|commit|listen|set |select 1$)/.test(
            text,
          ),
      );
  } finally {
    spy.mockRestore();
  }
}

describe('POST /api/auth/verify', () => {
  it('signs up a new e-mail address with one API key, and logs in a known one', async () => {
    const email = newEmail();
    const code = await receiveCode(api, email.toUpperCase().toLowerCase());
    const first = await api.post(
      '/api/auth/verify',
      { email: email.toUpperCase(), code, ...PROFILE, nickname: 'ada', language: 'zh-TW' },
      { 'x-forwarded-for': '8.8.8.8', 'accept-language': 'zh-CN' },
    );
    expect(first.status).toBe(200);
    expect(first.headers['cache-control']).toBe('no-store');
    expect(first.body.data).toMatchObject({
      token_type: 'Bearer',
      expires_in: 900,
      is_new: true,
      api_key: expect.stringMatching(/^md_[0-9a-f]{64}$/),
      user: {
        email,
        ...PROFILE,
        nickname: 'ada',
        language: 'zh-TW',
        plan: 'free',
        effective_plan: 'free',
        status: 'active',
        is_admin: false,
        register_country: 'US',
        register_country_name: '美国',
        login_count: 1,
      },
    });
    await forgetAttempts(api);
    const again = await receiveCode(api, email);
    const second = await api.post('/api/auth/verify', {
      email,
      code: again,
      name: 'Somebody Else',
      phone: '+44 20 7946 0000',
    });
    expect(second.body.data).toMatchObject({ is_new: false, api_key: null, user: { ...PROFILE, login_count: 2 } });
    const { rows } = await database.pool.query(
      'select kind, ip, country from login_events where user_id = $1 order by id',
      [first.body.data.user.id],
    );
    expect(rows[0]).toEqual({ kind: 'register', ip: '8.8.8.8', country: 'US' });
    expect(rows[1].kind).toBe('login');
  });

  it('keeps the code valid if the profile is missing, and uses it up on success', async () => {
    const email = newEmail();
    const code = await receiveCode(api, email);
    const blank = { name: ' ', phone: '', nickname: '' };
    for (const profile of [{}, { name: 'Ada' }, { phone: PROFILE.phone }, blank]) {
      expect(outcome(await api.post('/api/auth/verify', { email, code, ...profile }))).toEqual([
        400,
        'error.profile_required',
      ]);
    }
    expect((await api.post('/api/auth/verify', { email, code, name: 'Ada', phone: 'call me' })).status).toBe(422);
    expect((await api.post('/api/auth/verify', { email, code, ...PROFILE })).status).toBe(200);
    expect(outcome(await api.post('/api/auth/verify', { email, code, ...PROFILE }))).toEqual([
      400,
      'error.code_invalid',
    ]);
  });

  it('allows five wrong tries, ten minutes, and only the newest code', async () => {
    const email = newEmail();
    const code = await receiveCode(api, email);
    const wrong = code === '000000' ? '000001' : '000000';
    const verify = (given: string) => api.post('/api/auth/verify', { email, code: given, ...PROFILE });
    for (let i = 0; i < 5; i++) expect(outcome(await verify(wrong))).toEqual([400, 'error.code_invalid']);
    expect(outcome(await verify(code))).toEqual([400, 'error.code_invalid']);

    await forgetAttempts(api);
    const older = await receiveCode(api, email);
    await forgetAttempts(api);
    const newer = await receiveCode(api, email);
    if (older !== newer) expect((await verify(older)).status).toBe(400);
    clock += 10 * MINUTE;
    expect(outcome(await verify(newer))).toEqual([400, 'error.code_invalid']);
    clock -= 1;
    expect((await verify(newer)).status).toBe(200);
    clock = NOW;
  });

  it('reveals nothing about accounts to callers without a code', async () => {
    const { email } = await signUp(api);
    const [known, unknown] = [
      await api.post('/api/auth/verify', { email, code: '123456' }),
      await api.post('/api/auth/verify', { email: newEmail(), code: '123456' }),
    ];
    expect(known.body).toEqual(unknown.body);
  });

  it('refuses an inactive account and keeps the code valid', async () => {
    const { email, id } = await signUp(api);
    await forgetAttempts(api);
    const code = await receiveCode(api, email);
    await changeAccess(api, id, { status: 'banned' });
    expect(outcome(await api.post('/api/auth/verify', { email, code }))).toEqual([403, 'error.account_inactive']);
    await changeAccess(api, id, { status: 'active' });
    expect((await api.post('/api/auth/verify', { email, code })).status).toBe(200);
  });
});

describe('POST /api/auth/admin-login', () => {
  const login = (name: string, password: string, from = newAddress()) =>
    api.post('/api/auth/admin-login', { login: name, password }, { 'x-forwarded-for': from });
  const PASSWORD = 'correct horse battery';

  it('accepts the e-mail address or the login name', async () => {
    await createAdmin(database.pool, NOW, { email: 'root@example.com', login: 'root', password: PASSWORD });
    for (const name of ['root', 'ROOT', 'root@example.com']) {
      const { status, body } = await login(name, PASSWORD);
      expect([status, body.data.user.is_admin]).toEqual([200, true]);
      expect((await api.get('/api/auth/me', bearer(body.data.access_token))).body.data.email).toBe('root@example.com');
    }
  });

  it('gives four kinds of failure the same answer after the same work, and an inactive account its own', async () => {
    const [demoted, noPassword, banned] = ['demoted', 'nopassword', 'banned'].map((name) => `${name}@example.com`);
    for (const email of [demoted, noPassword, banned]) {
      await createAdmin(database.pool, NOW, { email, login: email.split('@')[0], password: PASSWORD });
    }
    await database.pool.query('update users set is_admin = false where email = $1', [demoted]);
    await database.pool.query('update users set password_hash = null where email = $1', [noPassword]);
    await database.pool.query(`update users set status = 'banned' where email = $1`, [banned]);
    const attempts: [string, string][] = [
      ['nobody', PASSWORD],
      ['demoted', PASSWORD],
      ['nopassword', PASSWORD],
      ['root', 'wrong'],
    ];
    const answers: unknown[] = [];
    for (const [name, password] of attempts) {
      const hashing = jest.spyOn(crypto, 'argon2');
      let answer: Awaited<ReturnType<typeof login>> | undefined;
      const statements = await workOf(async () => {
        answer = await login(name, password);
      });
      const hashes = hashing.mock.calls.map(([algorithm, { memory, passes }]) => [algorithm, memory, passes]);
      hashing.mockRestore();
      answers.push({ status: answer?.status, body: answer?.body, statements, hashes });
    }
    expect(answers[0]).toMatchObject({ hashes: [['argon2id', 19_456, 2]] });
    expect(answers[0]).toMatchObject({ status: 401, body: { key: 'error.login_failed' } });
    for (const answer of answers) expect(answer).toEqual(answers[0]);
    expect(outcome(await login('banned', PASSWORD))).toEqual([403, 'error.account_inactive']);
    expect(outcome(await login('banned', 'wrong'))).toEqual([401, 'error.login_failed']);
  });

  it('counts failures per login and per IP address, but not successes', async () => {
    for (let i = 0; i < 12; i++) expect((await login('root', PASSWORD, '203.0.113.77')).status).toBe(200);
    for (let i = 0; i < 5; i++) expect((await login('mallory', 'guess')).status).toBe(401);
    expect(outcome(await login('mallory', 'guess'))).toEqual([429, 'error.rate_limited']);
    const statuses: number[] = [];
    for (let i = 0; i < 21; i++) statuses.push((await login(`name${i}`, 'guess', '203.0.113.78')).status);
    expect(statuses.filter((status) => status === 401)).toHaveLength(20);
    expect((await login('root', PASSWORD, '203.0.113.77')).status).toBe(200);
  });
});

describe('login sessions', () => {
  const refresh = (token: string) => api.post('/api/auth/refresh', { refresh_token: token });

  it('rotate their refresh token; reuse ends all login sessions of the account', async () => {
    const person = await signUp(api);
    await forgetAttempts(api);
    const elsewhere = await api.post('/api/auth/verify', {
      email: person.email,
      code: await receiveCode(api, person.email),
    });
    const next = (await refresh(person.refreshToken)).body.data;
    expect((await api.get('/api/auth/me', bearer(next.access_token))).status).toBe(200);
    expect(outcome(await refresh(person.refreshToken))).toEqual([401, 'error.refresh_invalid']);
    for (const token of [person.accessToken, next.access_token, elsewhere.body.data.access_token]) {
      expect(outcome(await api.get('/api/auth/me', bearer(token)))).toEqual([401, 'error.invalid_credential']);
    }
    for (const token of [next.refresh_token, elsewhere.body.data.refresh_token]) {
      expect(outcome(await refresh(token))).toEqual([401, 'error.refresh_invalid']);
    }
    // A key is not a login session.
    expect((await api.get('/api/auth/me', person.program)).status).toBe(200);
  });

  it('expire: access after 15 minutes, refresh after 30 days', async () => {
    const person = await signUp(api);
    clock = NOW + 15 * MINUTE - 1000;
    expect((await api.get('/api/auth/me', person.console)).status).toBe(200);
    clock = NOW + 15 * MINUTE;
    expect((await api.get('/api/auth/me', person.console)).status).toBe(401);
    clock = NOW + 30 * 24 * 60 * MINUTE;
    expect(outcome(await refresh(person.refreshToken))).toEqual([401, 'error.refresh_invalid']);
    clock -= 1;
    expect((await refresh(person.refreshToken)).status).toBe(200);
    clock = NOW;
  });

  it('end by logout, which always succeeds', async () => {
    const person = await signUp(api);
    for (const token of [person.refreshToken, person.refreshToken, 'never seen']) {
      const { status, body } = await api.post('/api/auth/logout', { refresh_token: token });
      expect([status, body.data]).toEqual([200, { logged_out: true }]);
    }
    expect(outcome(await refresh(person.refreshToken))).toEqual([401, 'error.refresh_invalid']);
    expect((await api.get('/api/auth/me', person.console)).status).toBe(401);
  });
});

describe('/api/auth/me', () => {
  it('shows the account to callers with a token or a key', async () => {
    const person = await signUp(api);
    const [byToken, byKey] = [
      await api.get('/api/auth/me', person.console),
      await api.get('/api/auth/me', person.program),
    ];
    expect(byToken.body).toEqual(byKey.body);
    expect(byToken.body.data).toMatchObject({ id: person.id, email: person.email });
    expect(JSON.stringify(byToken.body)).not.toMatch(/_ip"|password/);
  });

  it('changes the profile and nothing else', async () => {
    const { console } = await signUp(api);
    const change = (body: unknown) => api.patch('/api/auth/me', body, console);
    const changed = await change({ nickname: 'ada', name: 'Ada King', phone: '02079460000', language: 'zh-CN' });
    expect(changed.body.data).toMatchObject({
      nickname: 'ada',
      name: 'Ada King',
      phone: '02079460000',
      language: 'zh-CN',
    });
    expect((await change({ nickname: null })).body.data).toMatchObject({ nickname: null, name: 'Ada King' });
    for (const bad of [
      { email: 'x@example.com' },
      { is_admin: true },
      { plan: 'pro' },
      { language: 'fr' },
      { name: '' },
      { name: 'a\u0000b' },
    ]) {
      expect((await change(bad)).status).toBe(422);
    }
  });

  it('deletes the account with everything that belongs to it, confirmed by the e-mail address', async () => {
    const person = await signUp(api);
    const stranger = { 'x-visitor-id': 'browser-of-a-stranger', 'user-agent': 'Mozilla/5.0 Firefox/140' };
    const browser = { 'x-visitor-id': 'browser-of-the-person', 'user-agent': 'Mozilla/5.0 Firefox/140' };
    const visit = (headers: Record<string, string>) => api.post('/api/visits', { path: '/pricing' }, headers);
    await visit(browser);
    await visit(stranger);
    await visit({ ...browser, ...person.console });
    await api.get('/v1/quote/ACRX', person.program);
    await api.services.accessLog.flush();
    expect(outcome(await api.delete('/api/auth/me', { email: 'other@example.com' }, person.console))).toEqual([
      400,
      'error.email_mismatch',
    ]);
    const deleted = await api.delete('/api/auth/me', { email: person.email.toUpperCase() }, person.console);
    expect([deleted.status, deleted.body.data]).toEqual([200, { deleted: true }]);
    expect((await api.get('/v1/quote/ACRX', person.program)).status).toBe(401);
    expect((await api.get('/api/auth/me', person.console)).status).toBe(401);
    await api.services.accessLog.flush();
    for (const table of ['api_keys', 'sessions', 'login_events', 'access_records', 'daily_usage']) {
      const { rows } = await database.pool.query(`select * from ${table} where user_id = $1`, [person.id]);
      expect([table, rows]).toEqual([table, []]);
    }
    const { rows: pages } = await database.pool.query('select visitor from access_records where is_page');
    expect(pages.map(({ visitor }) => visitor)).toEqual(['browser-of-a-stranger']);
    const { rows: jobs } = await database.pool.query(`select data from pgboss.job where name = 'storage.remove'`);
    expect(jobs).toEqual([{ data: { prefix: `users/${person.id}/`, requestId: deleted.headers['x-request-id'] } }]);
  });

  it('refuses to delete the last active administrator', async () => {
    await database.pool.query('update users set is_admin = false');
    await api.services.knownCallers.caughtUp();
    const { user } = (await createAdmin(database.pool, NOW, {
      email: 'last@example.com',
      login: 'last',
      password: 'long enough',
    })) as { user: { id: number } };
    const { body } = await api.post('/api/auth/admin-login', { login: 'last', password: 'long enough' });
    const leave = () => api.delete('/api/auth/me', { email: 'last@example.com' }, bearer(body.data.access_token));
    expect(outcome(await leave())).toEqual([400, 'error.last_admin']);
    const other = await signUp(api);
    await changeAccess(api, other.id, { isAdmin: true });
    expect((await leave()).status).toBe(200);
    expect(user.id).toBeGreaterThan(0);
  });
});

describe('/api/account/keys', () => {
  it('creates within the plan, counting disabled keys', async () => {
    const person = await signUp(api);
    const create = (name: string) => api.post('/api/account/keys', { name }, person.console);
    expect(outcome(await create('second'))).toEqual([403, 'error.api_keys_max']);
    await changeAccess(api, person.id, { plan: 'pro' });
    const second = await create('second');
    expect(second.status).toBe(201);
    expect(second.body.data).toMatchObject({ name: 'second', enabled: true, last_used_at: null });
    expect(second.body.data.prefix).toBe(second.body.data.key.slice(0, 11));
    const list = (await api.get('/api/account/keys', person.console)).body.data;
    expect([list.total, list.items[1]]).toEqual(
      [2, { ...second.body.data, key: undefined }].map((x) => JSON.parse(JSON.stringify(x))),
    );
    const path = `/api/account/keys/${second.body.data.id}`;
    const disabled = await api.patch(path, { enabled: false, name: 'night run' }, person.console);
    expect(disabled.body.data).toMatchObject({ enabled: false, name: 'night run' });
    const withSecond = { 'x-api-key': second.body.data.key };
    expect((await api.get('/v1/quote/ACRX', withSecond)).status).toBe(401);
    for (let i = 0; i < 3; i++) expect((await create(`key ${i}`)).status).toBe(201);
    expect((await create('one too many')).status).toBe(403);
    expect((await api.patch(path, { enabled: true }, person.console)).status).toBe(200);
    expect((await api.get('/v1/quote/ACRX', withSecond)).status).toBe(200);
    expect((await api.delete(path, undefined, person.console)).body.data).toEqual({ deleted: true });
    expect((await api.get('/v1/quote/ACRX', withSecond)).status).toBe(401);
    expect(outcome(await api.delete(path, undefined, person.console))).toEqual([404, 'error.not_found']);
  });

  it('narrows a key to scopes, and ends it on time', async () => {
    const person = await signUp(api);
    await changeAccess(api, person.id, { plan: 'pro' });
    const expires_at = new Date(NOW + 10 * MINUTE).toISOString();
    const grant = { scopes: ['read'], expires_at, trial_limit: 5 };
    const made = await api.post('/api/account/keys', { name: 'narrow', ...grant }, person.console);
    expect([made.status, made.body.data]).toEqual([201, expect.objectContaining(grant)]);
    const { id, key } = made.body.data;
    const narrow = { 'x-api-key': key };
    const run = () => api.post('/v1/backtest', { symbol: 'NOPE' }, narrow);
    const draw = () => api.delete('/v1/my/watches/1', undefined, narrow);
    expect((await api.get('/v1/quote/ACRX', narrow)).status).toBe(200);
    expect([outcome(await run()), outcome(await draw())]).toEqual(
      Array.from({ length: 2 }, () => [403, 'error.scope_missing']),
    );
    const change = (body: object) => api.patch(`/api/account/keys/${id}`, body, person.console);
    expect((await change({ scopes: ['read', 'research'] })).body.data).toMatchObject({
      ...grant,
      scopes: ['read', 'research'],
    });
    expect([outcome(await run()), outcome(await draw())]).toEqual([
      [404, 'error.symbol_not_found'],
      [403, 'error.scope_missing'],
    ]);
    for (const scopes of [[], ['admin']]) expect((await change({ scopes })).status).toBe(422);
    clock = NOW + 10 * MINUTE - 1;
    expect((await api.get('/v1/quote/ACRX', narrow)).status).toBe(200);
    clock = NOW + 10 * MINUTE;
    expect(outcome(await api.get('/v1/quote/ACRX', narrow))).toEqual([401, 'error.invalid_credential']);
    expect((await change({ expires_at: null })).body.data).toMatchObject({ expires_at: null, trial_limit: 5 });
    expect((await api.get('/v1/quote/ACRX', narrow)).status).toBe(200);
    clock = NOW;
  });

  it('resets all keys at once', async () => {
    const person = await signUp(api);
    await changeAccess(api, person.id, { plan: 'pro' });
    const other = (await api.post('/api/account/keys', { name: 'other' }, person.console)).body.data.key;
    const reset = await api.post('/api/account/keys/reset', undefined, person.console);
    expect(reset.status).toBe(201);
    for (const key of [person.key, other]) {
      expect((await api.get('/v1/quote/ACRX', { 'x-api-key': key })).status).toBe(401);
    }
    expect((await api.get('/v1/quote/ACRX', { 'x-api-key': reset.body.data.key })).status).toBe(200);
    expect((await api.get('/api/account/keys', person.console)).body.data.total).toBe(1);
  });

  it('are not accessible to others', async () => {
    const [mine, theirs] = [await signUp(api), await signUp(api)];
    const [{ id }] = (await api.get('/api/account/keys', theirs.console)).body.data.items;
    expect((await api.patch(`/api/account/keys/${id}`, { enabled: false }, mine.console)).status).toBe(404);
    expect((await api.delete(`/api/account/keys/${id}`, undefined, mine.console)).status).toBe(404);
    expect((await api.get('/v1/quote/ACRX', theirs.program)).status).toBe(200);
    for (const bad of ['0', '-1', 'x', '1.5']) {
      expect((await api.delete(`/api/account/keys/${bad}`, undefined, mine.console)).status).toBe(422);
    }
  });
});

describe('usage and plan', () => {
  it('count calls by day and endpoint, and survive the key', async () => {
    const person = await signUp(api);
    clock = NOW - 2 * 24 * 60 * MINUTE;
    await api.get('/v1/quote/ACRX', person.program);
    await api.services.accessLog.flush();
    clock = NOW;
    await api.get('/v1/quote/ACRX', person.program);
    await api.get('/v1/quote/NOPE', person.program);
    await api.get('/v1/kline/ACRX', person.console);
    await api.get('/api/plans', person.program);
    const [{ id }] = (await api.get('/api/account/keys', person.console)).body.data.items;
    await api.delete(`/api/account/keys/${id}`, undefined, person.console);
    const usage = async (days: number | string) => api.get(`/api/account/usage?days=${days}`, person.console);
    expect((await usage(3)).body.data).toEqual({
      days: 3,
      total: 4,
      by_day: [
        { date: '2024-09-02', calls: 1 },
        { date: '2024-09-03', calls: 0 },
        { date: '2024-09-04', calls: 3 },
      ],
      by_endpoint: [
        { endpoint: '/v1/quote/{symbol}', calls: 3 },
        { endpoint: '/v1/kline/{symbol}', calls: 1 },
      ],
    });
    expect((await usage(2)).body.data.total).toBe(3);
    expect((await api.get('/api/account/usage', person.console)).body.data.by_day).toHaveLength(30);
    for (const bad of [0, 91, 'x']) expect((await usage(bad)).status).toBe(422);
  });

  it('show what is left for the console token, separately from the key, without consuming a call', async () => {
    const person = await signUp(api);
    const left = async () => (await api.get('/api/account/plan', person.console)).body.data;
    for (let i = 0; i < 3; i++) await api.get('/v1/quote/ACRX', person.program);
    await api.get('/v1/quote/ACRX', person.console);
    const first = await left();
    expect(first).toMatchObject({
      plan: 'free',
      effective_plan: 'free',
      plan_expires_at: null,
      quotas: { api_keys_max: 1, concurrent_backtests: 2 },
      usage: { api_keys: 1 },
    });
    expect(first.rate_limits.quote).toMatchObject({ limit: 60, window_seconds: 60, remaining: 59 });
    expect(first.rate_limits.optimize).toMatchObject({ limit: 0, remaining: 0 });
    const second = await left();
    expect(second.rate_limits.quote.remaining).toBe(59);
    expect(second.rate_limits.account.remaining).toBe(first.rate_limits.account.remaining - 1);
    const { headers } = await api.get('/v1/quote/ACRX', person.program);
    expect(headers['x-ratelimit-remaining']).toBe('56');
  });

  it('follow the plan from the moment it changes or expires', async () => {
    const person = await signUp(api);
    const limit = async () => (await api.get('/v1/quote/ACRX', person.program)).headers['x-ratelimit-limit'];
    expect(await limit()).toBe('60');
    await changeAccess(api, person.id, { plan: 'pro', planExpiresAt: new Date(NOW + MINUTE) });
    expect(await limit()).toBe('300');
    clock = NOW + MINUTE;
    expect(await limit()).toBe('60');
    const plan = (await api.get('/api/account/plan', person.console)).body.data;
    expect(plan).toMatchObject({
      plan: 'pro',
      effective_plan: 'free',
      plan_expires_at: '2024-09-04T16:01:00.000Z',
      quotas: { api_keys_max: 1 },
    });
    clock = NOW;
  });

  it('includes features that guests do not have', async () => {
    const person = await signUp(api);
    const body = { symbols: Array.from({ length: 30 }, (_, i) => `S${i}`) };
    const guest = { 'x-forwarded-for': newAddress() };
    expect(outcome(await api.post('/v1/batch', body, guest))).toEqual([400, 'error.too_many_symbols']);
    expect((await api.post('/v1/batch', body, person.program)).status).toBe(200);
  });
});
