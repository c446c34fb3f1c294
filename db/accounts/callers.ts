/** Whose credential it is, read afresh for each call, so that a ban or a disabled key acts on the very next one. */
import type { Queryable } from '../pool.ts';
import type { LoginMethod } from './login-sessions.ts';
import type { UserPlan } from './users.ts';

export interface Caller {
  readonly userId: number;
  readonly email: string;
  readonly plan: UserPlan;
  readonly planExpiresAt: Date | null;
  readonly isAdmin: boolean;
}

const CALLER = 'u.id as "userId", u.email, u.plan, u.plan_expires_at as "planExpiresAt", u.is_admin as "isAdmin"';

export interface KeyHolder extends Caller {
  readonly apiKeyId: number;
  /** Whose counters the key uses; null for a key that was made by the version before slots. */
  readonly slot: number | null;
  readonly keyHash: Buffer;
}

/** The active accounts behind hashes of enabled keys; others are absent. */
export async function selectKeyHolders(db: Queryable, keyHashes: readonly Buffer[]): Promise<KeyHolder[]> {
  const { rows } = await db.query<KeyHolder>({
    name: 'callers_by_key',
    text: `select k.id as "apiKeyId", k.slot, k.key_hash as "keyHash", ${CALLER}
           from api_keys k join users u on u.id = k.user_id
           where k.key_hash = any($1::bytea[]) and k.enabled and u.status = 'active'`,
    values: [keyHashes],
  });
  return rows;
}

export interface LoginSessionHolder extends Caller {
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
    text: `select s.id as "sessionId", s.login_method as "loginMethod", u.token_version as "tokenVersion", ${CALLER}
           from sessions s join users u on u.id = s.user_id
           where s.id = any($1::uuid[]) and s.revoked_at is null and u.status = 'active'`,
    values: [sessionIds],
  });
  return rows;
}
