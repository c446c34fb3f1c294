/** Accounts behind credentials. */

import type { Queryable } from '../pool.ts';
import type { Selected } from '../schema/columns.ts';
import { selection } from '../schema/tables.ts';

/** Carries the id of an account when it, one of its keys, or one of its login sessions has changed. */
export const CALLERS_CHANGED_CHANNEL = 'callers_changed';

/** Sends a payload through the channel, behind the notifications of every transaction that has committed before. */
export async function echoThroughCallersChannel(db: Queryable, payload: string): Promise<void> {
  await db.query('select pg_notify($1, $2)', [CALLERS_CHANGED_CHANNEL, payload]);
}

const ACCOUNT = selection(
  'users',
  {
    userId: 'id',
    email: 'email',
    plan: 'plan',
    planExpiresAt: 'plan_expires_at',
    isAdmin: 'is_admin',
  },
  'u',
);

/** The fields of an account that every call needs. */
export type Account = Selected<typeof ACCOUNT>;

const KEY = selection(
  'api_keys',
  {
    apiKeyId: 'id',
    slot: 'slot',
    keyHash: 'key_hash',
    scopes: 'scopes',
    expiresAt: 'expires_at',
    clientId: 'client_id',
  },
  'k',
);

export interface KeyHolder extends Account, Selected<typeof KEY> {}

/** The active accounts behind hashes of enabled keys, without unknown hashes. */
export async function selectKeyHolders(db: Queryable, keyHashes: readonly Buffer[]): Promise<KeyHolder[]> {
  const { rows } = await db.query<KeyHolder>({
    name: 'callers_by_key',
    text: `select ${KEY.sql}, ${ACCOUNT.sql}
           from api_keys k join users u on u.id = k.user_id
           where k.key_hash = any($1::bytea[]) and k.enabled and u.status = 'active'`,
    values: [keyHashes],
  });
  return rows;
}

/** The active accounts behind hashes of the access tokens of assistants. The hash of the token stands for that of a key. */
export async function selectGrantHolders(db: Queryable, tokenHashes: readonly Buffer[]): Promise<KeyHolder[]> {
  const { rows } = await db.query<KeyHolder>({
    name: 'callers_by_grant',
    text: `select ${KEY.sql}, ${ACCOUNT.sql}, r.id_hash as "keyHash", least(r.expires_at, k.expires_at) as "expiresAt"
           from oauth_records r join api_keys k on k.id = r.api_key_id join users u on u.id = k.user_id
           where r.model = 'AccessToken' and r.id_hash = any($1::bytea[]) and k.enabled and u.status = 'active'`,
    values: [tokenHashes],
  });
  return rows;
}

const LOGIN_SESSION = selection(
  'sessions',
  {
    sessionId: 'id',
    loginMethod: 'login_method',
  },
  's',
);

export interface LoginSessionHolder extends Account, Selected<typeof LOGIN_SESSION> {
  readonly tokenVersion: number;
}

/** The active accounts behind login sessions that have not ended, without unknown sessions. */
export async function selectLoginSessionHolders(
  db: Queryable,
  sessionIds: readonly string[],
): Promise<LoginSessionHolder[]> {
  const { rows } = await db.query<LoginSessionHolder>({
    name: 'callers_by_session',
    text: `select ${LOGIN_SESSION.sql}, u.token_version as "tokenVersion", ${ACCOUNT.sql}
           from sessions s join users u on u.id = s.user_id
           where s.id = any($1::uuid[]) and s.revoked_at is null and u.status = 'active'`,
    values: [sessionIds],
  });
  return rows;
}
