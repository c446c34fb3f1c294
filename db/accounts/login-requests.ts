/** Requests for one-time login codes. An e-mail address may have several; each has its own code. */

import type { Connection, Queryable } from '../pool.ts';
import type { Selected } from '../schema/columns.ts';
import { type Rows, selection } from '../schema/tables.ts';

export interface NewLoginRequest extends Pick<Rows['login_requests'], 'email' | 'locale' | 'address'> {
  readonly challengeHash: Buffer;
  /** Whether the account had last signed in from the address. */
  readonly isKnown: boolean;
  readonly at: Date;
  readonly expiresAt: Date;
}

/** Records a request. The code is generated when the mail is sent. Returns the id. */
export async function insertLoginRequest(connection: Connection, request: NewLoginRequest): Promise<number> {
  const { email, challengeHash, address, isKnown, locale, at, expiresAt } = request;
  const { rows } = await connection.query<Pick<Rows['login_requests'], 'id'>>(
    `insert into login_requests (email, challenge_hash, address, is_known, locale, created_at, expires_at)
     values ($1, $2, $3, $4, $5, $6, $7) returning id`,
    [email, challengeHash, address, isKnown, locale, at, expiresAt],
  );
  return rows[0].id;
}

const WANTED = selection('login_requests', { email: 'email', locale: 'locale', expiresAt: 'expires_at' });

/** Null when the account has signed in since. */
export async function selectMailedRequest(db: Queryable, id: number): Promise<Selected<typeof WANTED> | null> {
  const { rows } = await db.query<Selected<typeof WANTED>>(`select ${WANTED.sql} from login_requests where id = $1`, [
    id,
  ]);
  return rows[0] ?? null;
}

/** False when the request no longer exists. */
export async function saveLoginCodeHash(db: Queryable, id: number, codeHash: Buffer): Promise<boolean> {
  const { rowCount } = await db.query('update login_requests set code_hash = $2 where id = $1', [id, codeHash]);
  return rowCount === 1;
}

const FOUND = selection('login_requests', { id: 'id', address: 'address', isKnown: 'is_known', tries: 'tries' });

export type FoundLoginRequest = Selected<typeof FOUND>;

/** The request of a challenge; without one the newest from the address, or else the newest. Null: none is valid. */
export async function findLoginRequest(
  db: Queryable,
  wanted: {
    readonly email: string;
    readonly challengeHash: Buffer | null;
    readonly address: string;
    readonly at: Date;
  },
): Promise<FoundLoginRequest | null> {
  const { email, challengeHash, address, at } = wanted;
  const { rows } = await db.query<FoundLoginRequest>(
    `select ${FOUND.sql} from login_requests
     where email = $1 and expires_at > $4 and ($2::bytea is null or challenge_hash = $2)
     order by address = $3 desc, id desc limit 1`,
    [email, challengeHash, address, at],
  );
  return rows[0] ?? null;
}

const STORED_CODE = selection('login_requests', { codeHash: 'code_hash', tries: 'tries' });

/** Locks the code of a request for the rest of the transaction. Null: it was used. */
export async function lockLoginCode(connection: Connection, id: number): Promise<Selected<typeof STORED_CODE> | null> {
  const { rows } = await connection.query<Selected<typeof STORED_CODE>>(
    `select ${STORED_CODE.sql} from login_requests where id = $1 for update`,
    [id],
  );
  return rows[0] ?? null;
}

export async function countLoginCodeTry(connection: Connection, id: number): Promise<void> {
  await connection.query('update login_requests set tries = tries + 1 where id = $1', [id]);
}

/** Uses up every code of an e-mail address, because its owner has signed in. */
export async function spendLoginCodes(connection: Connection, email: string): Promise<void> {
  await connection.query('delete from login_requests where email = $1', [email]);
}

export async function deleteExpiredLoginRequests(db: Queryable, at: Date): Promise<void> {
  await db.query('delete from login_requests where expires_at < $1', [at]);
}
