/** Login with a code by e-mail, which also signs up, and login of administrators with a password. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { countLoginCodeTry, lockLoginCode, replaceLoginCode, spendLoginCode } from '../../db/accounts/login-codes.ts';
import {
  insertUser,
  recordLogin,
  selectUserByEmail,
  selectUserForPassword,
  type User,
  type UserLogin,
} from '../../db/accounts/users.ts';
import type { AuditIntent } from '../../db/back-office/audit-log.ts';
import { type Connection, transaction } from '../../db/pool.ts';
import { ServiceError } from '../../engine/errors.ts';
import { hashLoginCode } from '../../jobs/mail/contract.ts';
import { enqueueLoginCode } from '../../jobs/mail/enqueue.ts';
import { callerAddress, plainAddress } from '../access/caller-address.ts';
import { attempt, audited } from '../http/audited.ts';
import type { Locale } from '../http/language/locale.ts';
import type { RequestContext } from '../http/request-context.ts';
import type { Guarded } from '../limits/rate-limit.ts';
import type { Services } from '../services.ts';
import { DEFAULT_KEY_NAME, issueKey } from './api-keys.ts';
import { openLoginSession, type TokenPair } from './login-sessions.ts';
import { verifyPassword } from './passwords.ts';

export const CODE_SECONDS = 600;
const MAX_CODE_TRIES = 5;

/** Identifies a name in the counters of the guards, which store no names. */
function subjectOf({ identifierKey }: Services, name: string): string {
  return createHmac('sha256', identifierKey).update(name).digest('base64url');
}

const addressSubject = (context: RequestContext) => `ip:${callerAddress(context.ip)}`;

/**
 * Queues a mail with a code. The work is the same for every e-mail address: nothing here depends on whether it has an
 * account.
 */
export async function requestCode(services: Services, context: RequestContext, email: string): Promise<void> {
  const { pool, boss, limiter, now } = services;
  const subject = subjectOf(services, email);
  await limiter.pass(
    [
      { guard: 'code_address', subject: addressSubject(context) },
      { guard: 'code_pause', subject },
      { guard: 'code_hour', subject },
    ],
    context,
  );
  const { requestId, locale } = context;
  const at = new Date(now());
  const expiresAt = new Date(at.getTime() + CODE_SECONDS * 1000);
  await transaction(pool, async (connection) => {
    const loginCodeId = await replaceLoginCode(connection, { email, locale, at, expiresAt });
    await enqueueLoginCode(connection, boss, { loginCodeId, requestId });
  });
}

export interface VerifyRequest {
  readonly email: string;
  readonly code: string;
  readonly name?: string;
  readonly phone?: string;
  readonly nickname?: string | null;
  readonly language?: Locale;
}

export interface LoginResult {
  readonly pair: TokenPair;
  readonly user: User;
  readonly isNew: boolean;
  /** The plaintext of the first key of a new account. */
  readonly apiKey: string | null;
}

/**
 * Logs in with a code, and signs up an e-mail address without an account. Only a successful login uses up the code; a
 * wrong try is counted. Of two calls with one code, the lock on its row lets one pass, and the other finds it used.
 */
export async function verifyCode(
  services: Services,
  context: RequestContext,
  request: VerifyRequest,
): Promise<LoginResult> {
  const result = await transaction(services.pool, async (connection) => {
    if (!(await isCodeRight(connection, services, request))) return null;
    const existing = await selectUserByEmail(connection, request.email);
    if (existing && existing.status !== 'active') throw new ServiceError('account_inactive');
    const { user: account, apiKey } = existing
      ? { user: existing, apiKey: null }
      : await signUp(connection, services, context, request);
    await spendLoginCode(connection, request.email);
    const user = await recordLogin(connection, account.id, loginOf(services, context, existing ? 'login' : 'register'));
    const pair = await openLoginSession(connection, services, user, 'code');
    return { pair, user, isNew: existing === null, apiKey };
  });
  if (!result) throw new ServiceError('code_invalid');
  return result;
}

/** Compares in constant time, and counts a wrong try. */
async function isCodeRight(connection: Connection, services: Services, request: VerifyRequest): Promise<boolean> {
  const { email, code } = request;
  const stored = await lockLoginCode(connection, email);
  const given = hashLoginCode(services.loginCodeKey, email, code);
  if (!stored?.codeHash || stored.tries >= MAX_CODE_TRIES || stored.expiresAt.getTime() <= services.now()) return false;
  if (timingSafeEqual(stored.codeHash, given)) return true;
  await countLoginCodeTry(connection, email);
  return false;
}

interface SignUp {
  readonly user: User;
  readonly apiKey: string;
}

async function signUp(
  connection: Connection,
  services: Services,
  context: RequestContext,
  { email, name, phone, nickname = null, language }: VerifyRequest,
): Promise<SignUp> {
  if (name === undefined || phone === undefined) throw new ServiceError('profile_required');
  const at = new Date(services.now());
  const ip = plainAddress(context.ip);
  const user = await insertUser(connection, {
    email,
    name,
    phone,
    nickname,
    ip,
    at,
    language: language ?? context.locale,
    country: services.countryOf(ip),
  });
  if (!user) throw new ServiceError('code_invalid');
  return { user, apiKey: (await issueKey(connection, services, user.id, DEFAULT_KEY_NAME)).plaintext };
}

function loginOf(services: Services, context: RequestContext, kind: UserLogin['kind']): UserLogin {
  const ip = plainAddress(context.ip);
  return { kind, at: new Date(services.now()), ip, country: services.countryOf(ip) };
}

/**
 * Logs an administrator in with a password. An unknown name, an account that is no administrator's or has no password, and
 * a wrong password get the same answer after the same work.
 */
export async function adminLogin(
  services: Services,
  context: RequestContext,
  { login, password }: { readonly login: string; readonly password: string },
): Promise<{ pair: TokenPair; user: User }> {
  const { pool, limiter } = services;
  const byName: Guarded = { guard: 'password', subject: subjectOf(services, login) };
  const byAddress: Guarded = { guard: 'password_address', subject: addressSubject(context) };
  await limiter.pass([byAddress, byName], context);
  const account = await selectUserForPassword(pool, login);
  const targetId = account ? String(account.id) : null;
  const intent: AuditIntent = {
    actorId: account?.id ?? null,
    requestId: context.requestId,
    entries: [{ action: 'admin.login', targetType: 'user', targetId, details: {} }],
  };
  return attempt(intent, async () => {
    const isRight = await verifyPassword(account?.isAdmin ? account.passwordHash : null, password);
    if (!account || !isRight) throw new ServiceError('login_failed');
    // Only failures count.
    await limiter.giveBack(byAddress);
    await limiter.clear(byName);
    if (account.status !== 'active') throw new ServiceError('account_inactive');
    return audited({ services }, intent, async (connection) => {
      const user = await recordLogin(connection, account.id, loginOf(services, context, 'admin_login'));
      const pair = await openLoginSession(connection, services, user, 'password');
      return { result: { user, pair }, entries: intent.entries };
    });
  });
}
