/** API keys. The database has only their hashes. Rows with a client are grants of assistants. */

import type { Queryable } from '../pool.ts';
import type { Selected } from '../schema/columns.ts';
import { selection } from '../schema/tables.ts';

const API_KEY = selection('api_keys', {
  id: 'id',
  name: 'name',
  prefix: 'prefix',
  enabled: 'enabled',
  createdAt: 'created_at',
  lastUsedAt: 'last_used_at',
  scopes: 'scopes',
  expiresAt: 'expires_at',
  trialLimit: 'trial_limit',
});

/** A key with the trials that assistants have made with it. */
export type ApiKey = Selected<typeof API_KEY> & { readonly trials: number };

const SHOWN = `${API_KEY.sql},
  (select coalesce(sum(t.trials), 0)::int from key_trials t where t.api_key_id = api_keys.id) as trials`;

export interface NewApiKey {
  readonly userId: number;
  readonly name: string;
  readonly keyHash: Buffer;
  readonly prefix: string;
  readonly at: Date;
  readonly grant?: KeyGrant;
}

/** Scopes of a key, its end, and its trials. */
export interface KeyGrant {
  readonly scopes?: readonly string[];
  /** Null: for good. */
  readonly expiresAt?: Date | null;
  readonly trialLimit?: number;
}

/** A key may read, run what looks for something, or change what the account keeps. */
export const SCOPES = ['read', 'research', 'account'] as const;
export type Scope = (typeof SCOPES)[number];
/** Trials that assistants may make with a key. */
const TRIAL_LIMIT = 1_000;

/** Gives the key the lowest free slot of its account. The caller has locked the row of the account or just inserted it. */
export async function insertApiKey(db: Queryable, key: NewApiKey): Promise<ApiKey> {
  const { scopes = SCOPES, expiresAt = null, trialLimit = TRIAL_LIMIT } = key.grant ?? {};
  const { rows } = await db.query<ApiKey>(
    `insert into api_keys (user_id, name, key_hash, prefix, created_at, scopes, expires_at, trial_limit, slot)
     select $1, $2, $3, $4, $5, $6, $7, $8, min(s.slot)
     from generate_series(1, (select count(*)::int + 1 from api_keys where user_id = $1)) s (slot)
     where not exists (select from api_keys k where k.user_id = $1 and k.slot = s.slot)
     returning ${SHOWN}`,
    [key.userId, key.name, key.keyHash, key.prefix, key.at, scopes, expiresAt, trialLimit],
  );
  return rows[0];
}

export async function selectApiKeys(db: Queryable, userId: number): Promise<ApiKey[]> {
  const { rows } = await db.query<ApiKey>(
    `select ${SHOWN} from api_keys where user_id = $1 and client_id is null order by id`,
    [userId],
  );
  return rows;
}

/** Counts the keys of an account, including disabled keys. */
export async function countApiKeys(db: Queryable, userId: number): Promise<number> {
  const { rows } = await db.query<{ count: number }>(
    'select count(*)::int as count from api_keys where user_id = $1 and client_id is null',
    [userId],
  );
  return rows[0].count;
}

export interface ApiKeyChange extends KeyGrant {
  readonly name?: string;
  readonly enabled?: boolean;
}

/** Null when the account has no such key. */
export async function updateApiKey(
  db: Queryable,
  userId: number,
  id: number,
  change: ApiKeyChange,
): Promise<ApiKey | null> {
  const { rows } = await db.query<ApiKey>(
    `update api_keys set name = coalesce($3, name), enabled = coalesce($4, enabled), scopes = coalesce($5, scopes),
       expires_at = case when $6 then $7 else expires_at end, trial_limit = coalesce($8, trial_limit),
       disabled_by_restore = disabled_by_restore and $4::boolean is null
     where id = $2 and user_id = $1 and client_id is null returning ${SHOWN}`,
    [
      userId,
      id,
      change.name ?? null,
      change.enabled ?? null,
      change.scopes ?? null,
      change.expiresAt !== undefined,
      change.expiresAt ?? null,
      change.trialLimit ?? null,
    ],
  );
  return rows[0] ?? null;
}

export async function deleteApiKey(db: Queryable, userId: number, id: number): Promise<boolean> {
  const { rowCount } = await db.query('delete from api_keys where id = $2 and user_id = $1 and client_id is null', [
    userId,
    id,
  ]);
  return rowCount === 1;
}

export async function deleteApiKeys(db: Queryable, userId: number): Promise<void> {
  await db.query('delete from api_keys where user_id = $1 and client_id is null', [userId]);
}
