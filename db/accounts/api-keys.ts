/** API keys. The database has only their hashes. */

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
});

export type ApiKey = Selected<typeof API_KEY>;

export interface NewApiKey {
  readonly userId: number;
  readonly name: string;
  readonly keyHash: Buffer;
  readonly prefix: string;
  readonly at: Date;
}

/** Gives the key the lowest free slot of its account. The caller has locked the row of the account or just inserted it. */
export async function insertApiKey(db: Queryable, key: NewApiKey): Promise<ApiKey> {
  const { rows } = await db.query<ApiKey>(
    `insert into api_keys (user_id, name, key_hash, prefix, created_at, slot)
     select $1, $2, $3, $4, $5, min(s.slot)
     from generate_series(1, (select count(*)::int + 1 from api_keys where user_id = $1)) s (slot)
     where not exists (select from api_keys k where k.user_id = $1 and k.slot = s.slot)
     returning ${API_KEY.sql}`,
    [key.userId, key.name, key.keyHash, key.prefix, key.at],
  );
  return rows[0];
}

export async function selectApiKeys(db: Queryable, userId: number): Promise<ApiKey[]> {
  const { rows } = await db.query<ApiKey>(`select ${API_KEY.sql} from api_keys where user_id = $1 order by id`, [
    userId,
  ]);
  return rows;
}

/** Counts the keys of an account, including disabled keys. */
export async function countApiKeys(db: Queryable, userId: number): Promise<number> {
  const { rows } = await db.query<{ count: number }>('select count(*)::int as count from api_keys where user_id = $1', [
    userId,
  ]);
  return rows[0].count;
}

export interface ApiKeyChange {
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
    `update api_keys set name = coalesce($3, name), enabled = coalesce($4, enabled),
       disabled_by_restore = disabled_by_restore and $4::boolean is null
     where id = $2 and user_id = $1 returning ${API_KEY.sql}`,
    [userId, id, change.name ?? null, change.enabled ?? null],
  );
  return rows[0] ?? null;
}

export async function deleteApiKey(db: Queryable, userId: number, id: number): Promise<boolean> {
  const { rowCount } = await db.query('delete from api_keys where id = $2 and user_id = $1', [userId, id]);
  return rowCount === 1;
}

export async function deleteApiKeys(db: Queryable, userId: number): Promise<void> {
  await db.query('delete from api_keys where user_id = $1', [userId]);
}
