/** Login with a code by e-mail, which also signs up, and login of administrators with a password. */
import { spendLoginCodes } from '../../db/accounts/logins.ts';
import {
  insertUser,
  recordLogin,
  selectUserByEmail,
  selectUserForPassword,
  type User,
  type UserLogin,
} from '../../db/accounts/users.ts';
import type { AuditIntent } from '../../db/log/audit-log.ts';
import { type Connection, transaction } from '../../db/pool.ts';
import { ServiceError } from '../../engine/util/errors.ts';
import { plainAddress } from '../access/caller.ts';
import type { Guarded } from '../access/rate-limit.ts';
import type { RequestContext } from '../access/request-context.ts';
import { audited, auditFailure } from '../call/audited.ts';
import type { z } from '../http/input/fields.ts';
import { DEFAULT_KEY_NAME, issueKey } from './api-keys.ts';
import { addressSubject, admitTry, isFromLastAddress, refundTry, subjectOf, wrongCode } from './login-code.ts';
import { openLoginSession, type TokenPair } from './login-sessions.ts';
import { verifyPassword } from './passwords.ts';
import type { verifyBody } from './schemas.ts';
import type { Services } from './services.ts';

export type VerifyRequest = z.output<typeof verifyBody>;

export interface LoginResult {
  readonly pair: TokenPair;
  readonly user: User;
  readonly isNew: boolean;
  /** The plaintext of the first key of a new account. */
  readonly apiKey: string | null;
}

/**
 * Logs in with a code, and signs up an e-mail address without an account. Only a successful login uses up the code; a
 * wrong try is counted. Of two concurrent calls with one code, the lock on its row lets one succeed, and the other finds it used.
 */
export async function verifyCode(
  services: Services,
  context: RequestContext,
  request: VerifyRequest,
): Promise<LoginResult> {
  const admitted = await admitTry(services, context, request);
  let isRight = false;
  const login = async (connection: Connection): Promise<LoginResult | ServiceError> => {
    const wrong = await wrongCode(connection, services, admitted);
    if (wrong) return wrong;
    isRight = true;
    const existing = await selectUserByEmail(connection, request.email);
    if (existing && existing.status !== 'active') throw new ServiceError('account_inactive');
    const { user: account, apiKey } = existing
      ? { user: existing, apiKey: null }
      : await signUp(connection, services, context, request);
    await spendLoginCodes(connection, request.email);
    const user = await recordLogin(connection, account.id, loginOf(services, context, existing ? 'login' : 'register'));
    const pair = await openLoginSession(connection, services, user, 'code');
    return { pair, user, isNew: existing === null, apiKey };
  };
  try {
    const result = await transaction(services.pool, login);
    if (result instanceof ServiceError) throw result;
    return result;
  } finally {
    if (isRight) await refundTry(services, admitted);
  }
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
 * Logs an administrator in with a password. An unknown name, an account that is not an administrator's or has no password, and
 * a wrong password get the same answer after the same work.
 */
export async function adminLogin(
  services: Services,
  context: RequestContext,
  { login, password }: { readonly login: string; readonly password: string },
): Promise<{ pair: TokenPair; user: User }> {
  const { pool, limiter } = services;
  const byAddress: Guarded = { guard: 'password_address', subject: addressSubject(context) };
  await limiter.pass([byAddress], context);
  const account = await selectUserForPassword(pool, login);
  // Failures from elsewhere do not lock out the IP address that the account last signed in from.
  const ownAddress = isFromLastAddress(account, context) ? [addressSubject(context)] : [];
  const byName: Guarded = { guard: 'password', subject: subjectOf(services, login, ...ownAddress) };
  await limiter.pass([byName], context);
  const targetId = account ? String(account.id) : null;
  const intent: AuditIntent = {
    actorId: account?.id ?? null,
    requestId: context.requestId,
    entries: [{ action: 'admin.login', targetType: 'user', targetId, details: {} }],
  };
  return auditFailure(intent, async () => {
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
