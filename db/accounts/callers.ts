/** Accounts behind credentials, read for each call, so that a ban or a disabled key takes effect on the next one. */
import type { Queryable } from '../pool.ts';
import type { LoginMethod } from './login-sessions.ts';
import type { UserPlan } from './users.ts';

/** What a call needs to know of the account behind it. */
export interface Account {
  readonly userId: number;
  readonly email: string;
  readonly plan: UserPlan;
  readonly planExpiresAt: Date | null;
  readonly isAdmin: boolean;
}

const ACCOUNT = 'u.id as "userId", u.email, u.plan, u.plan_expires_at as "planExpiresAt", u.is_admin as "isAdmin"';

export interface KeyHolder extends Account {
  readonly apiKeyId: number;
  /** Whose counters the key uses; null for a key that was made by the version before slots. */
  readonly slot: number | null;
  readonly keyHash: Buffer;
}

/** The active accounts behind hashes of enabled keys; others are absent. */
export async function selectKeyHolders(db: Queryable, keyHashes: readonly Buffer[]): Promise<KeyHolder[]> {
  const { rows } = await db.query<KeyHolder>({
    name: 'callers_by_key',
    text: `select k.id as "apiKeyId", k.slot, k.key_hash as "keyHash", ${ACCOUNT}
           from api_keys k join users u on u.id = k.user_id
           where k.key_hash = any($1::bytea[]) and k.enabled and u.status = 'active'`,
    values: [keyHashes],
  });
  return rows;
}

export interface LoginSessionHolder extends Account {
  readonly sessionId: string;
  readonly loginMethod: LoginMethod;
  readonly tokenVersion: number;
}

/** The active accounts behind sessions that have not ended; others are absent. */
export async function selectLoginSessionHolders(
  db: Queryable,
  sessionIds: readonly string[],
): Promise<LoginSessionHolder[]> {
  const { rows } = await db.query<LoginSessionHolder>({
    name: 'callers_by_session',
    text: `select s.id as "sessionId", s.login_method as "loginMethod", u.token_version as "tokenVersion", ${ACCOUNT}
           from sessions s join users u on u.id = s.user_id
           where s.id = any($1::uuid[]) and s.revoked_at is null and u.status = 'active'`,
    values: [sessionIds],
  });
  return rows;
}
