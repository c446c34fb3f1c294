/** Login sessions of the web site: a refresh token in a cookie that no other site can use, and lost answers that end no session. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Response } from 'supertest';
import { createAdmin } from '../../../api/accounts/admins.ts';
import { SampleProvider } from '../../../jobs/providers/sample/sample-provider.ts';
import { bearer, newAddress, newEmail, receiveCode } from '../../support/accounts.ts';
import { openTestApi, type TestApi } from '../../support/api.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';

let now = Date.parse('2026-06-01T16:00:00Z');
let database: TestDatabase;
let api: TestApi;

beforeAll(async () => {
  database = await createTestDatabase();
  const clock = () => now;
  api = await openTestApi({
    database,
    provider: new SampleProvider({ symbols: 50, now: clock }),
    now: clock,
    realCallers: true,
  });
});
afterAll(async () => {
  await api.close();
  await database.drop();
});

const HOST = 'site.example';
const OWN = { host: HOST, origin: `https://${HOST}`, 'x-client-kind': 'web' };
const PROFILE = { name: 'Ada Lovelace', phone: '+1 212 555 0100' };

/** Cookies that an answer sets, by name: value and attributes. */
function cookiesOf({ headers }: Response): Record<string, { value: string; attributes: string[] }> {
  const lines = (headers['set-cookie'] ?? []) as unknown as string[];
  return Object.fromEntries(
    lines.map((line) => {
      const [pair, ...attributes] = line.split('; ');
      const at = pair.indexOf('=');
      return [pair.slice(0, at), { attributes, value: pair.slice(at + 1) }];
    }),
  );
}

async function signIn(headers: Record<string, string> = OWN): Promise<Response> {
  const email = newEmail();
  const code = await receiveCode(api, email);
  return api.post('/api/auth/verify', { email, code, ...PROFILE }, { ...headers, 'x-forwarded-for': newAddress() });
}

const tokenOf = (response: Response) => cookiesOf(response).refresh_token.value;
const refresh = (token: string, headers: Record<string, string> = OWN) =>
  api.post('/api/auth/refresh', {}, { ...headers, cookie: `refresh_token=${token}` });
const outcome = ({ status, body }: Response) => [status, body.key];

describe('the web site', () => {
  it('gets its refresh token in a cookie that scripts cannot read, and not in the answer', async () => {
    const response = await signIn();
    expect(response.body.data).toMatchObject({ refresh_token: null, access_token: expect.any(String) });
    const { refresh_token: token, signed_in: hint } = cookiesOf(response);
    expect(token.value).toMatch(/^[\w-]{43}$/);
    expect(token.attributes.sort()).toEqual([
      'HttpOnly',
      'Max-Age=2592000',
      'Path=/api/auth',
      'SameSite=Strict',
      'Secure',
    ]);
    expect(hint).toEqual({ value: 'member', attributes: expect.arrayContaining(['Path=/', 'Max-Age=2592000']) });
    expect(response.text).not.toContain(token.value);
    const plain = await signIn({ ...OWN, origin: `http://${HOST}` });
    expect(cookiesOf(plain).refresh_token.attributes).not.toContain('Secure');
  });

  it('refreshes with the cookie, and has a second cookie that marks administrators', async () => {
    const first = await signIn();
    const second = await refresh(tokenOf(first));
    expect(second.status).toBe(200);
    expect(tokenOf(second)).not.toBe(tokenOf(first));
    expect((await api.get('/api/auth/me', bearer(second.body.data.access_token))).status).toBe(200);
    const login = newEmail();
    await createAdmin(database.pool, now, { email: login, login: 'boss', password: 'correct horse battery' });
    const admin = await api.post(
      '/api/auth/admin-login',
      { login, password: 'correct horse battery' },
      { ...OWN, 'x-forwarded-for': newAddress() },
    );
    expect([admin.status, admin.body.data.refresh_token, cookiesOf(admin).signed_in.value]).toEqual([
      200,
      null,
      'admin',
    ]);
  });

  it('gets the successor of a replaced token for ten seconds, if an answer was lost', async () => {
    const lost = tokenOf(await signIn());
    const successor = tokenOf(await refresh(lost));
    now += 9_000;
    const again = await refresh(lost);
    expect([again.status, tokenOf(again)]).toEqual([200, successor]);
    // Two answers in a row may be lost.
    const next = tokenOf(await refresh(successor));
    expect(tokenOf(await refresh(successor))).toBe(next);
    expect((await refresh(next)).status).toBe(200);
  });

  it('ends all login sessions if a token is reused later, and deletes the cookies', async () => {
    const first = await signIn();
    const token = tokenOf(first);
    const successor = tokenOf(await refresh(token));
    now += 10_001;
    const reused = await refresh(token);
    expect(outcome(reused)).toEqual([401, 'error.refresh_invalid']);
    expect(cookiesOf(reused).refresh_token).toEqual({ value: '', attributes: expect.arrayContaining(['Max-Age=0']) });
    expect(outcome(await refresh(successor))).toEqual([401, 'error.refresh_invalid']);
  });

  it('lets many tabs refresh at once with the same token', async () => {
    const token = tokenOf(await signIn());
    const answers = await Promise.all(Array.from({ length: 5 }, () => refresh(token)));
    expect(answers.map(({ status }) => status)).toEqual(Array(5).fill(200));
    expect(new Set(answers.map(tokenOf)).size).toBe(1);
  });

  it('logs out the session of its cookie', async () => {
    const token = tokenOf(await signIn());
    const left = await api.post('/api/auth/logout', {}, { ...OWN, cookie: `refresh_token=${token}` });
    expect(cookiesOf(left).signed_in.value).toBe('');
    expect(outcome(await refresh(token))).toEqual([401, 'error.refresh_invalid']);
    expect(outcome(await api.post('/api/auth/refresh', {}, OWN))).toEqual([401, 'error.refresh_invalid']);
  });
});

describe('other clients', () => {
  it.each([
    ['a page of another site', { ...OWN, origin: 'https://evil.example' }],
    ['a page of another port', { ...OWN, origin: `https://${HOST}:8443` }],
    ['a page without an origin', { ...OWN, origin: 'null' }],
    ['a browser that says that another site asks', { ...OWN, 'sec-fetch-site': 'same-site' }],
    ['a form, which cannot say who it is', { host: HOST, origin: `https://${HOST}` }],
  ])('%s cannot use the cookie', async (_, headers) => {
    const token = tokenOf(await signIn());
    const refused = await refresh(token, headers as Record<string, string>);
    expect(outcome(refused)).toEqual([422, 'error.validation_failed']);
    expect(refused.body.detail).toEqual([expect.objectContaining({ loc: ['body', 'refresh_token'] })]);
    expect(cookiesOf(refused)).toEqual({});
    await api.post('/api/auth/logout', {}, { ...headers, cookie: `refresh_token=${token}` } as Record<string, string>);
    expect((await refresh(token)).status).toBe(200);
  });

  it('get the token in the answer, without a grace time for used ones', async () => {
    const response = await signIn({ host: HOST });
    const { refresh_token: token } = response.body.data;
    expect([typeof token, cookiesOf(response)]).toEqual(['string', {}]);
    expect((await api.post('/api/auth/refresh', { refresh_token: token })).status).toBe(200);
    expect(outcome(await api.post('/api/auth/refresh', { refresh_token: token }))).toEqual([
      401,
      'error.refresh_invalid',
    ]);
  });
});
