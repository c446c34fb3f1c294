/** A stranger cannot lock out an owner, and has a chance of at most 1 in 40,000 an hour to guess a code. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Response } from 'supertest';
import { createAdmin } from '../../../api/accounts/admins.ts';
import { SampleProvider } from '../../../jobs/providers/sample/sample-provider.ts';
import { declareQueues } from '../../../jobs/queue/boss.ts';
import { codeIn, deliverMail, newAddress, newEmail, signUp } from '../../support/accounts.ts';
import { openTestApi, type TestApi } from '../../support/api.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';

const NOW = Date.parse('2024-09-04T16:00:00Z');
const PROFILE = { name: 'Ada Lovelace', phone: '+1 212 555 0100' };
const provider = new SampleProvider({ symbols: 50, now: () => NOW });

let database: TestDatabase;
let api: TestApi;

beforeAll(async () => {
  database = await createTestDatabase();
  await declareQueues(database.url);
  api = await openTestApi({ database, provider, now: () => NOW, realCallers: true });
});
afterAll(async () => {
  await api.close();
  await database.drop();
});

const from = (address: string) => ({ 'x-forwarded-for': address });
const ask = (email: string, address = newAddress()) => api.post('/api/auth/request-code', { email }, from(address));
const verify = (body: object, address = newAddress()) =>
  api.post('/api/auth/verify', { ...PROFILE, ...body }, from(address));
const other = (code: string) => (code === '000000' ? '000001' : '000000');

/** A code that was mailed, with the challenge of its request. */
async function receive(email: string, address?: string) {
  const { status, body } = await ask(email, address);
  expect(status).toBe(200);
  return { email, code: codeIn(await deliverMail(api, email)), challenge: body.data.challenge };
}

const outcome = ({ status, body }: Response) => [status, body.key, body.message];

describe('a code', () => {
  it('is not used up by wrong tries without its challenge, from any number of addresses', async () => {
    const mine = await receive(newEmail());
    for (let i = 0; i < 30; i++) expect((await verify({ email: mine.email, code: other(mine.code) })).status).toBe(400);
    expect((await verify(mine)).status).toBe(200);
  });

  it('is of no use after five wrong tries without its challenge', async () => {
    const { email, code } = await receive(newEmail());
    const stranger = newAddress();
    for (let i = 0; i < 5; i++) expect((await verify({ email, code: other(code) }, stranger)).status).toBe(400);
    expect((await verify({ email, code }, stranger)).status).toBe(400);
  });

  it('stays valid next to later ones, and a login uses up all of them', async () => {
    const first = await receive(newEmail());
    const second = await receive(first.email);
    const third = await receive(first.email);
    expect((await verify(first)).status).toBe(200);
    for (const spent of [second, third]) expect((await verify(spent)).status).toBe(400);
  });

  it('reports the tries that are left, or that a new code is needed', async () => {
    const mine = await receive(newEmail());
    const wrong = { ...mine, code: other(mine.code) };
    for (let left = 4; left > 0; left--) {
      expect(outcome(await verify(wrong))).toEqual([
        400,
        'error.code_invalid',
        `The code is wrong. Check it and try again; tries left: ${left}.`,
      ]);
    }
    const spent = [400, 'error.code_invalid', 'The code is no longer valid. Please request a new one.'];
    expect(outcome(await verify(wrong))).toEqual(spent);
    expect(outcome(await verify(mine))).toEqual(spent);
    expect((await verify({ ...(await receive(mine.email)) })).status).toBe(200);
  });

  it('stays valid after a refused profile, which does not count as a try', async () => {
    const mine = await receive(newEmail());
    for (let i = 0; i < 20; i++) {
      const answer = await api.post('/api/auth/verify', mine, from(newAddress()));
      expect(answer.body.key).toBe('error.profile_required');
    }
    expect((await verify(mine)).status).toBe(200);
  });
});

it('at most 25 guesses an hour are compared for an e-mail address, from any addresses and for any number of codes', async () => {
  const email = newEmail();
  let requests = 0;
  for (let i = 0; i < 15; i++) {
    const { status, body } = await ask(email);
    if (status !== 200) continue;
    requests++;
    const code = codeIn(await deliverMail(api, email));
    for (let tries = 0; tries < 6; tries++) await verify({ email, code: other(code), challenge: body.data.challenge });
  }
  for (let i = 0; i < 20; i++) await verify({ email, code: '000000' });
  const { rows } = await database.pool.query(
    'select sum(tries)::int as compared from login_requests where email = $1',
    [email],
  );
  expect([requests, rows]).toEqual([10, [{ compared: 25 }]]);
});

describe('requests of a stranger', () => {
  it('do not count against the owner at another address', async () => {
    const email = newEmail();
    const stranger = newAddress();
    for (let i = 0; i < 6; i++) {
      await ask(email, stranger);
      await database.pool.query(`delete from rate_limits where key like '%:code_pause'`);
    }
    expect((await ask(email, stranger)).status).toBe(429);
    expect((await verify(await receive(email))).status).toBe(200);
  });

  it('from many addresses do not count against the address that last signed in', async () => {
    const email = newEmail();
    const home = newAddress();
    expect((await verify(await receive(email), home)).status).toBe(200);
    for (let i = 0; i < 12; i++) await ask(email);
    expect((await ask(email)).status).toBe(429);
    const mine = await receive(email, home);
    for (let i = 0; i < 30; i++) await verify({ email, code: other(mine.code) });
    expect((await verify({ ...mine, code: other(mine.code) }, home)).status).toBe(400);
    expect((await verify(mine, home)).status).toBe(200);
  });
});

it('wrong passwords from elsewhere do not lock out an administrator at the address that last signed in', async () => {
  const home = newAddress();
  const login = (password: string, address = newAddress()) =>
    api.post('/api/auth/admin-login', { login: 'chief', password }, from(address));
  await createAdmin(database.pool, NOW, { email: 'chief@example.com', login: 'chief', password: 'long enough' });
  expect((await login('long enough', home)).status).toBe(200);
  const strangers = [];
  for (let i = 0; i < 6; i++) strangers.push((await login('guess')).status);
  expect(strangers).toEqual([401, 401, 401, 401, 401, 429]);
  expect((await login('long enough', home)).status).toBe(200);
  const mistaken = [];
  for (let i = 0; i < 6; i++) mistaken.push((await login('guess', home)).status);
  expect(mistaken).toEqual([401, 401, 401, 401, 401, 429]);
});

it('calls without a challenge still work from anywhere, with the newest code', async () => {
  const { email, code } = await receive(newEmail());
  expect((await verify({ email, code })).status).toBe(200);
  expect((await signUp(api)).id).toBeGreaterThan(0);
});
