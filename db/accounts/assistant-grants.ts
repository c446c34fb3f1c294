/**
 * Grants that accounts have given to assistants, and the records of OAuth. A grant is a row of `api_keys` that names a client: it has scopes,
 * trials, and a last use as a key has, and no secret. Tokens and codes belong to it, and end with it.
 */
import { randomBytes } from 'node:crypto';
import type { Queryable } from '../pool.ts';
import type { Selected } from '../schema/columns.ts';
import { selection } from '../schema/tables.ts';

const GRANT = selection('api_keys', {
  id: 'id',
  userId: 'user_id',
  clientId: 'client_id',
  name: 'name',
  createdAt: 'created_at',
  lastUsedAt: 'last_used_at',
  scopes: 'scopes',
  trialLimit: 'trial_limit',
});

/** A grant with the trials that the assistant has made. */
export type AssistantGrant = Selected<typeof GRANT> & { readonly trials: number };

const SHOWN = `${GRANT.sql},
  (select coalesce(sum(t.trials), 0)::int from key_trials t where t.api_key_id = api_keys.id) as trials`;
const HASH_BYTES = 32;

export interface NewAssistantGrant extends Pick<AssistantGrant, 'userId' | 'name' | 'trialLimit' | 'createdAt'> {
  readonly clientId: string;
  readonly scopes: readonly string[];
}

/** Returns the id. No credential has the random hash, and the counters are those of the last slot of the plan. */
export async function insertGrant(db: Queryable, grant: NewAssistantGrant): Promise<number> {
  const { rows } = await db.query<{ id: number }>(
    `insert into api_keys (user_id, client_id, name, key_hash, prefix, created_at, scopes, trial_limit)
     values ($1, $2, $3, $4, '', $5, $6, $7) returning id`,
    [
      grant.userId,
      grant.clientId,
      grant.name,
      randomBytes(HASH_BYTES),
      grant.createdAt,
      grant.scopes,
      grant.trialLimit,
    ],
  );
  return rows[0].id;
}

/** The newest first. */
export async function selectGrants(db: Queryable, userId: number): Promise<AssistantGrant[]> {
  const { rows } = await db.query<AssistantGrant>(
    `select ${SHOWN} from api_keys where user_id = $1 and client_id is not null order by id desc`,
    [userId],
  );
  return rows;
}

/** A grant that is in force, by its id. */
export async function selectGrant(db: Queryable, id: number): Promise<AssistantGrant | null> {
  const { rows } = await db.query<AssistantGrant>(
    `select ${SHOWN} from api_keys where id = $1 and client_id is not null and enabled`,
    [id],
  );
  return rows[0] ?? null;
}

/** Deletes a grant with its tokens, of the account if one is given. */
export async function deleteGrant(db: Queryable, id: number, userId: number | null = null): Promise<boolean> {
  const { rowCount } = await db.query(
    'delete from api_keys where id = $1 and client_id is not null and ($2::bigint is null or user_id = $2)',
    [id, userId],
  );
  return rowCount === 1;
}

/** The key of a record: its kind, and the hash of its id. */
export interface RecordKey {
  readonly model: string;
  readonly idHash: Buffer;
}

export interface OAuthRecord extends RecordKey {
  readonly payload: object;
  /** Null: it belongs to no grant. */
  readonly grantId: number | null;
  readonly expiresAt: Date;
}

/** Stores a record, unless its grant has ended. */
export async function upsertOAuthRecord(db: Queryable, record: OAuthRecord): Promise<void> {
  await db.query(
    `insert into oauth_records (model, id_hash, payload, api_key_id, expires_at)
     select $1, $2, $3, $4, $5 where $4::bigint is null or exists (select from api_keys where id = $4)
     on conflict (model, id_hash) do update set payload = excluded.payload, expires_at = excluded.expires_at`,
    [record.model, record.idHash, JSON.stringify(record.payload), record.grantId, record.expiresAt],
  );
}

export interface StoredRecord {
  readonly payload: Readonly<Record<string, unknown>>;
  readonly consumedAt: Date | null;
}

const STORED = selection('oauth_records', { payload: 'payload', consumedAt: 'consumed_at' });

export async function selectOAuthRecord(db: Queryable, { model, idHash }: RecordKey): Promise<StoredRecord | null> {
  const { rows } = await db.query<StoredRecord>(
    `select ${STORED.sql} from oauth_records where model = $1 and id_hash = $2`,
    [model, idHash],
  );
  return rows[0] ?? null;
}

/** False: it was consumed before. */
export async function consumeOAuthRecord(db: Queryable, { model, idHash }: RecordKey, at: Date): Promise<boolean> {
  const { rowCount } = await db.query(
    'update oauth_records set consumed_at = $3 where model = $1 and id_hash = $2 and consumed_at is null',
    [model, idHash, at],
  );
  return rowCount === 1;
}

export async function deleteOAuthRecord(db: Queryable, { model, idHash }: RecordKey): Promise<void> {
  await db.query('delete from oauth_records where model = $1 and id_hash = $2', [model, idHash]);
}

export async function deleteRecordsOfGrant(db: Queryable, model: string, grantId: number): Promise<void> {
  await db.query('delete from oauth_records where model = $1 and api_key_id = $2', [model, grantId]);
}

/** Grants without a token that could be used end with it; clients that registered remain while a grant names them. */
export async function deleteExpiredOAuthRecords(db: Queryable, at: Date): Promise<void> {
  await db.query(
    `delete from oauth_records r where expires_at < $1 and not
       (model = 'Client' and exists (select from api_keys k where k.client_id = r.payload ->> 'client_id'))`,
    [at],
  );
  await db.query(
    `delete from api_keys k where client_id is not null and created_at < $1::timestamptz - interval '1 hour'
       and not exists (select from oauth_records r where r.api_key_id = k.id)`,
    [at],
  );
}
