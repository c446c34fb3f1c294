/** Credentials: what every route accepts and refuses, and that none is written to logs or tables. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import jwt from 'jsonwebtoken';
import pino from 'pino';
import { createAdmin } from '../../../api/accounts/admins.ts';
import { ROUTES } from '../../../api/routes.ts';
import type { UserAccess } from '../../../db/accounts/users.ts';
import { SampleProvider } from '../../../jobs/providers/sample/sample-provider.ts';
import {
  bearer,
  changeAccess,
  forgetAttempts,
  newAddress,
  newEmail,
  type Person,
  receiveCode,
  signUp,
} from '../../support/accounts.ts';
import { openTestApi, TEST_SECRETS, type TestApi } from '../../support/api.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';

const NOW = Date.parse('2024-09-04T16:00:00Z');
let database: TestDatabase;
let api: TestApi;
let other: TestApi;
let person: Person;
const logLines: string[] = [];

beforeAll(async () => {
  database = await createTestDatabase();
  const provider = new SampleProvider({ symbols: 50, now: () => NOW });
  const log = pino({ level: 'trace' }, { write: (line: string) => void logLines.push(line) });
  const options = { database, provider, now: () => NOW, realCallers: true, log };
  [api, other] = [await openTestApi(options), await openTestApi(options)];
  person = await signUp(api);
});
afterAll(async () => {
  await Promise.all([api.close(), other.close()]);
  await database.drop();
});

/** Returns a path that matches the template of the route. */
const pathOf = (template: string) => template.replaceAll(/\{\w+_id\}/g, '1').replaceAll(/\{\w+\}/g, 'ACRX');

function call(method: string, path: string, headers: Record<string, string>) {
  if (method === 'get') return api.get(path, headers);
  if (method === 'post') return api.post(path, {}, headers);
  return method === 'patch' ? api.patch(path, {}, headers) : api.delete(path, {}, headers);
}

const outcome = ({ status, body }: { status: number; body: { key?: string } }) => [status, body.key];

/** Resolves when both processes have received the notifications of all changes in the database. */
const received = () => Promise.all([api, other].map(({ services }) => services.knownCallers.caughtUp()));
const change = async (userId: number, access: UserAccess) => {
  await changeAccess(api, userId, access);
  await received();
};

describe('every route', () => {
  it.each(ROUTES.map(({ method, path, access }) => [method, path, access] as const))(
    '%s %s refuses a bad credential, and never answers 401 for none',
    async (method, path, access) => {
      const bad: Record<string, string>[] = [
        { authorization: 'Bearer nonsense' },
        { 'x-api-key': `md_${'0'.repeat(64)}` },
        { 'x-api-key': '' },
        { ...person.program, authorization: 'Bearer nonsense' },
        { ...person.console, 'x-api-key': 'md_nonsense' },
      ];
      for (const headers of bad) {
        expect(outcome(await call(method, pathOf(path), { ...headers, 'x-forwarded-for': newAddress() }))).toEqual([
          401,
          'error.invalid_credential',
        ]);
      }
      const guest = await call(method, pathOf(path), { 'x-forwarded-for': newAddress() });
      expect(guest.status).not.toBe(401);
      if (access !== 'anyone') expect(outcome(guest)).toEqual([403, 'error.login_required']);
    },
  );

  it.each(
    ROUTES.filter(({ access }) => access === 'console' || access === 'admin').map(
      ({ method, path }) => [method, path] as const,
    ),
  )('%s %s of the console takes no API key', async (method, path) => {
    expect(outcome(await call(method, pathOf(path), person.program))).toEqual([403, 'error.login_required']);
  });
});

describe('an access token', () => {
  const claims = () => jwt.decode(person.accessToken) as jwt.JwtPayload;
  const sign = (change: object = {}, secret = TEST_SECRETS.accessTokenKey, options: jwt.SignOptions = {}) => {
    const changed = Object.entries({ ...claims(), ...change }).filter(([, value]) => value !== undefined);
    return jwt.sign(Object.fromEntries(changed), secret, options);
  };
  const asMe = (token: string) => api.get('/api/auth/me', bearer(token));
  const unsigned = (header: object) => {
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
    return `${part(header)}.${part(claims())}.`;
  };
  const seconds = NOW / 1000;

  it('is accepted when it is ours', async () => {
    expect((await asMe(sign())).status).toBe(200);
    expect((await asMe(person.accessToken)).status).toBe(200);
  });

  const forged: [string, () => string][] = [
    ['another secret', () => sign({}, 'another secret of sufficient length')],
    ['another algorithm', () => sign({}, undefined, { algorithm: 'HS512' })],
    ['alg none', () => unsigned({ alg: 'none', typ: 'JWT' })],
    ['alg None in other letters', () => unsigned({ alg: 'nOnE', typ: 'JWT' })],
    ['no signature', () => person.accessToken.replace(/[^.]*$/, '')],
    ['half a signature', () => person.accessToken.slice(0, -20)],
    ['two parts', () => person.accessToken.split('.').slice(0, 2).join('.')],
    [
      'claims of somebody else under our signature',
      () => {
        const [header, , signature] = person.accessToken.split('.');
        const payload = Buffer.from(JSON.stringify({ ...claims(), sub: '1', ver: 9 })).toString('base64url');
        return `${header}.${payload}.${signature}`;
      },
    ],
    ['an expired one', () => sign({ iat: seconds - 1000, exp: seconds })],
    ['one without an end', () => sign({ exp: undefined })],
    ['a session that never was', () => sign({ sid: randomUUID() })],
    ['an account that is no number', () => sign({ sub: '1 or 1' })],
    ['another audience', () => sign({ aud: 'elsewhere' })],
    ['another issuer', () => sign({ iss: 'elsewhere' })],
    ['another account', () => sign({ sub: String(person.id + 1000) })],
    ['another version', () => sign({ ver: 99 })],
    ['a session that is none', () => sign({ sid: 'x' })],
    ['no session', () => sign({ sid: undefined })],
    ['an oversized one', () => sign({ padding: 'x'.repeat(5000) })],
    ['the refresh token', () => person.refreshToken],
    ['a key that is cut', () => person.key.slice(0, -1)],
    ['a key in capitals', () => person.key.toUpperCase().replace('MD_', 'md_')],
  ];
  it.each(forged)('is refused: %s', async (_name, make) => {
    const refused = await asMe(make());
    expect(outcome(refused)).toEqual([401, 'error.invalid_credential']);
    expect(refused.headers['www-authenticate']).toBe('Bearer realm="market data", error="invalid_token"');
  });

  it('is accepted only as Bearer, in upper or lower case', async () => {
    for (const scheme of ['Bearer', 'bearer', 'BEARER']) {
      expect((await api.get('/api/auth/me', { authorization: `${scheme} ${person.accessToken}` })).status).toBe(200);
    }
    for (const header of [
      person.accessToken,
      `Token ${person.accessToken}`,
      'Bearer',
      'Bearer ',
      `Bearer ${person.accessToken} x`,
      'Basic YTpi',
    ]) {
      expect((await api.get('/api/auth/me', { authorization: header })).status).toBe(401);
    }
  });
});

describe('an API key', () => {
  it('works in either header, and takes precedence over a token', async () => {
    await change(person.id, { plan: 'pro' });
    const limit = async (headers: Record<string, string>) => (await api.get('/v1/symbols', headers)).headers;
    expect((await limit(person.program))['x-ratelimit-remaining']).toBe('299');
    expect((await limit(bearer(person.key)))['x-ratelimit-remaining']).toBe('298');
    expect((await limit({ ...person.console, ...person.program }))['x-ratelimit-remaining']).toBe('297');
    expect((await limit(person.console))['x-ratelimit-remaining']).toBe('299');
  });
});

describe('a change by an administrator or the owner', () => {
  it('takes effect on the next call in every API process', async () => {
    const target = await signUp(api);
    const both = async (headers: Record<string, string>) =>
      Promise.all([api, other].map(async (process) => (await process.get('/api/auth/me', headers)).status));
    expect(await both(target.console)).toEqual([200, 200]);
    await change(target.id, { status: 'banned' });
    expect([await both(target.console), await both(target.program)]).toEqual([
      [401, 401],
      [401, 401],
    ]);
    await change(target.id, { status: 'active' });
    // The old token stays invalid; the key is valid again.
    expect([await both(target.console), await both(target.program)]).toEqual([
      [401, 401],
      [200, 200],
    ]);
    await change(target.id, { isAdmin: true });
    const [{ id }] = (await database.pool.query('select id from api_keys where user_id = $1', [target.id])).rows;
    await database.pool.query('update api_keys set enabled = false where id = $1', [id]);
    await received();
    expect(await both(target.program)).toEqual([401, 401]);
  });

  it('invalidates the token of a demoted administrator', async () => {
    await createAdmin(database.pool, NOW, { email: 'boss@example.com', login: 'boss', password: 'long enough' });
    const { body } = await api.post('/api/auth/admin-login', { login: 'boss', password: 'long enough' });
    const token = bearer(body.data.access_token);
    expect((await other.get('/api/auth/me', token)).body.data.is_admin).toBe(true);
    await change(body.data.user.id, { isAdmin: false });
    expect((await other.get('/api/auth/me', token)).status).toBe(401);
  });
});

describe('secrets', () => {
  it('appear in no log line and no table', async () => {
    const secrets = new Set<string>();
    const keep = (...values: unknown[]) => values.forEach((value) => void secrets.add(String(value)));
    const password = 'correct horse battery staple';
    keep(password, ...Object.values(TEST_SECRETS));

    const email = newEmail();
    const code = await receiveCode(api, email);
    await api.post('/api/auth/verify', { email, code: '000000' });
    await api.post('/api/auth/verify', { email, code });
    const { body } = await api.post('/api/auth/verify', { email, code, name: 'Ada', phone: '+1 212 555 0100' });
    const { access_token, refresh_token, api_key } = body.data;
    keep(access_token, refresh_token, api_key);
    const next = (await api.post('/api/auth/refresh', { refresh_token })).body.data;
    keep(next.access_token, next.refresh_token);
    const reset = await api.post('/api/account/keys/reset', undefined, bearer(next.access_token));
    keep(reset.body.data.key);
    await createAdmin(database.pool, NOW, { email: 'keeper@example.com', login: 'keeper', password });
    const admin = await api.post('/api/auth/admin-login', { login: 'keeper', password });
    keep(admin.body.data.access_token, admin.body.data.refresh_token);
    await api.post('/api/auth/admin-login', { login: 'keeper', password: `${password}!` });
    await api.get('/api/auth/me', { 'x-api-key': reset.body.data.key, ...bearer(next.access_token) });

    // Failures reveal more than successes: the same calls while the tables do not exist.
    await database.pool.query('alter table users rename to users_away');
    for (const attempt of [
      api.post('/api/auth/verify', { email: newEmail(), code }),
      api.post('/api/auth/admin-login', { login: 'keeper', password }),
      api.get('/api/auth/me', { 'x-api-key': reset.body.data.key }),
      api.get('/api/auth/me', bearer(next.access_token)),
      api.post('/api/auth/refresh', { refresh_token: next.refresh_token }),
    ]) {
      expect([400, 500]).toContain((await attempt).status);
    }
    await database.pool.query('alter table users_away rename to users');
    await api.post('/api/auth/refresh', { refresh_token });
    await api.post('/api/auth/logout', { refresh_token: next.refresh_token });
    await api.delete('/api/auth/me', { email: 'keeper@example.com' }, bearer(admin.body.data.access_token));
    await api.services.accessLog.flush();

    expect(logLines.length).toBeGreaterThan(50);
    const stored: string[] = [];
    const { rows: tables } = await database.pool.query(
      `select format('%I.%I', table_schema, table_name) as name from information_schema.tables
       where table_schema in ('public', 'pgboss') and table_type = 'BASE TABLE'`,
    );
    for (const { name } of tables) {
      const { rows } = await database.pool.query(`select t::text as row from ${name} t`);
      stored.push(...rows.map(({ row }) => row));
    }
    expect(stored.length).toBeGreaterThan(20);
    const everything = [...logLines, ...stored].join('\n');
    for (const secret of secrets) {
      expect(secret.length).toBeGreaterThan(15);
      expect(everything.includes(secret)).toBe(false);
    }
    expect(new RegExp(`(?<!\\d)${code}(?!\\d)`).test(everything.replaceAll(/[\d-]{10}[T ][\d:.+]+Z?/g, ''))).toBe(
      false,
    );
    await forgetAttempts(api);
  });
});
