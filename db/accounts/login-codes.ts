/** One-time login codes: at most one for an e-mail. */
import type { Connection, Queryable } from '../pool.ts';

export interface LoginCodeRequest {
  readonly id: number;
  readonly email: string;
  readonly locale: string;
  readonly expiresAt: Date;
}

/** A new request replaces the older one and its code. The code itself is drawn when the mail is sent. */
export async function replaceLoginCode(
  connection: Connection,
  request: Omit<LoginCodeRequest, 'id'> & { readonly at: Date },
): Promise<number> {
  const { rows } = await connection.query<{ id: number }>(
    `insert into login_codes (email, locale, created_at, expires_at) values ($1, $2, $3, $4)
     on conflict (email) do update set id = default, locale = excluded.locale, code_hash = null, tries = 0,
       created_at = excluded.created_at, expires_at = excluded.expires_at
     returning id`,
    [request.email, request.locale, request.at, request.expiresAt],
  );
  return rows[0].id;
}

/** The request behind an id; null when a newer one has replaced it or its code was spent. */
export async function selectLoginCodeRequest(db: Queryable, id: number): Promise<LoginCodeRequest | null> {
  const { rows } = await db.query<LoginCodeRequest>(
    'select id, email, locale, expires_at as "expiresAt" from login_codes where id = $1',
    [id],
  );
  return rows[0] ?? null;
}

/** False when the request is no longer there. */
export async function saveLoginCodeHash(db: Queryable, id: number, codeHash: Buffer): Promise<boolean> {
  const { rowCount } = await db.query('update login_codes set code_hash = $2 where id = $1', [id, codeHash]);
  return rowCount === 1;
}

export interface StoredLoginCode {
  readonly codeHash: Buffer | null;
  readonly tries: number;
  readonly expiresAt: Date;
}

/** Locks the code of an e-mail for the rest of the transaction. */
export async function lockLoginCode(connection: Connection, email: string): Promise<StoredLoginCode | null> {
  const { rows } = await connection.query<StoredLoginCode>(
    'select code_hash as "codeHash", tries, expires_at as "expiresAt" from login_codes where email = $1 for update',
    [email],
  );
  return rows[0] ?? null;
}

export async function countLoginCodeTry(connection: Connection, email: string): Promise<void> {
  await connection.query('update login_codes set tries = tries + 1 where email = $1', [email]);
}

export async function spendLoginCode(connection: Connection, email: string): Promise<void> {
  await connection.query('delete from login_codes where email = $1', [email]);
}

export async function deleteExpiredLoginCodes(db: Queryable, at: Date): Promise<void> {
  await db.query('delete from login_codes where expires_at < $1', [at]);
}
