/** Accounts for tests, created through the API as users do. */

import type { Request } from 'express';
import { issueKey } from '../../api/accounts/api-keys.ts';
import { openLoginSession } from '../../api/accounts/login-sessions.ts';
import { insertUser, type UserAccess, updateUserAccess } from '../../db/accounts/users.ts';
import { transaction } from '../../db/pool.ts';
import { required } from '../../engine/util/values.ts';
import type { Mail } from '../../jobs/contracts/mail.ts';
import { sendLoginCode } from '../../jobs/mail/run.ts';
import { TEST_SECRETS, type TestApi } from './api.ts';
import { testJobContext } from './job-context.ts';

type Headers = Record<string, string>;

export interface Person {
  readonly email: string;
  readonly id: number;
  readonly key: string;
  readonly accessToken: string;
  readonly refreshToken: string;
  /** Headers of a call from the console. */
  readonly console: Headers;
  /** Headers of a call with the API key. */
  readonly program: Headers;
}

let people = 0;

/** Returns an address that no other test uses. */
export function newAddress(): string {
  people++;
  return `10.${(people >> 16) & 255}.${(people >> 8) & 255}.${people & 255}`;
}

export function newEmail(): string {
  return `person${++people}@example.com`;
}

/** Sends the mail of the newest request, as the worker does, and returns it. */
export async function deliverMail(api: TestApi, email: string): Promise<Mail> {
  const { pool, now } = api.services;
  const { rows } = await pool.query('select id from login_requests where email = $1 order by id desc limit 1', [email]);
  const sent: Mail[] = [];
  const mailer = async () => ({ send: async (mail: Mail) => void sent.push(mail), close: () => {} });
  await sendLoginCode(testJobContext({ pool, now, mailer, loginCodeKey: TEST_SECRETS.loginCodeKey }), {
    loginRequestId: rows[0].id,
  });
  return sent[0];
}

export const codeIn = (mail: Mail) => required(/^(\d{6})$/m.exec(mail.text)?.[1]);

/** Requests a login code and reads it from the mail. */
export async function receiveCode(api: TestApi, email: string, headers: Headers = {}): Promise<string> {
  const response = await api.post('/api/auth/request-code', { email }, { 'x-forwarded-for': newAddress(), ...headers });
  if (response.status !== 200) throw new Error(`request-code: ${response.status} ${response.text}`);
  return codeIn(await deliverMail(api, email));
}

const PROFILE = { name: 'Ada Lovelace', phone: '+1 212 555 0100' };

/** Signs up a person, from the request of a code to the first API key. */
export async function signUp(api: TestApi, email = newEmail()): Promise<Person> {
  const code = await receiveCode(api, email);
  const { status, body, text } = await api.post('/api/auth/verify', { email, code, ...PROFILE });
  if (status !== 200) throw new Error(`verify: ${status} ${text}`);
  const { access_token, refresh_token, api_key, user } = body.data;
  return {
    email,
    id: user.id,
    key: api_key,
    accessToken: access_token,
    refreshToken: refresh_token,
    console: bearer(access_token),
    program: { 'x-api-key': api_key },
  };
}

/** Creates an administrator with a login session. */
export function addAdmin(api: TestApi, email = newEmail()): Promise<Person> {
  return addPerson(api, email, { isAdmin: true });
}

/** Inserts an account directly into the database, for tests in which a worker would send the mail itself. */
export async function addPerson(api: TestApi, email = newEmail(), access: UserAccess = {}): Promise<Person> {
  const { services } = api;
  return transaction(services.pool, async (connection) => {
    const at = new Date(services.now());
    const profile = { ...PROFILE, nickname: null, language: 'en' as const, ip: null, country: null };
    const { id } = required(await insertUser(connection, { email, at, ...profile }));
    const user = required(await updateUserAccess(connection, id, access));
    const { plaintext: key } = await issueKey(connection, services, user.id, 'default');
    const { access_token, refresh_token } = await openLoginSession(connection, services, user, 'code');
    return {
      email,
      key,
      id: user.id,
      accessToken: access_token,
      refreshToken: refresh_token,
      console: bearer(access_token),
      program: { 'x-api-key': key },
    };
  });
}

/** Changes the rights of an account in the database, and waits until the API has received the notification. */
export async function changeAccess(api: TestApi, userId: number, access: UserAccess): Promise<void> {
  await updateUserAccess(api.services.pool, userId, access);
  await api.services.knownCallers.caughtUp();
}

/** Returns the limiter's name for the login session of a person. */
export async function counterOf(api: TestApi, { console: headers }: Person): Promise<string> {
  const caller = await api.services.identify({ headers } as unknown as Request);
  return caller.counter;
}

export const bearer = (token: string): Headers => ({ authorization: `Bearer ${token}` });

/** Resets the limits on login codes, so that the next code can be requested. */
export async function forgetAttempts(api: TestApi): Promise<void> {
  await api.services.pool.query(`delete from rate_limits where key ~ ':(code|password)_'`);
}
