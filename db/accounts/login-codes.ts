/** One-time login codes, at most one for each e-mail address. */
import type { Selected } from '../columns.ts';
import type { Connection, Queryable } from '../pool.ts';
import { type Rows, selection } from '../tables.ts';

const REQUEST = selection('login_codes', {
  id: 'id',
  email: 'email',
  locale: 'locale',
  expiresAt: 'expires_at',
});

export type LoginCodeRequest = Selected<typeof REQUEST>;

/** Records a request in place of the previous one and its code. The code is drawn when the mail is sent. Returns the id. */
export async function replaceLoginCode(
  connection: Connection,
  request: Omit<LoginCodeRequest, 'id'> & { readonly at: Date },
): Promise<number> {
  const { rows } = await connection.query<Pick<Rows['login_codes'], 'id'>>(
    `insert into login_codes (email, locale, created_at, expires_at) values ($1, $2, $3, $4)
     on conflict (email) do update set id = default, locale = excluded.locale, code_hash = null, tries = 0,
       created_at = excluded.created_at, expires_at = excluded.expires_at
     returning id`,
    [request.email, request.locale, request.at, request.expiresAt],
  );
  return rows[0].id;
}

/** Null when a newer request has replaced this one or its code was spent. */
export async function selectLoginCodeRequest(db: Queryable, id: number): Promise<LoginCodeRequest | null> {
  const { rows } = await db.query<LoginCodeRequest>(`select ${REQUEST.sql} from login_codes where id = $1`, [id]);
  return rows[0] ?? null;
}

/** False when the request no longer exists. */
export async function saveLoginCodeHash(db: Queryable, id: number, codeHash: Buffer): Promise<boolean> {
  const { rowCount } = await db.query('update login_codes set code_hash = $2 where id = $1', [id, codeHash]);
  return rowCount === 1;
}

const STORED_CODE = selection('login_codes', {
  codeHash: 'code_hash',
  tries: 'tries',
  expiresAt: 'expires_at',
});

export type StoredLoginCode = Selected<typeof STORED_CODE>;

/** Locks the code of an e-mail address for the rest of the transaction. */
export async function lockLoginCode(connection: Connection, email: string): Promise<StoredLoginCode | null> {
  const { rows } = await connection.query<StoredLoginCode>(
    `select ${STORED_CODE.sql} from login_codes where email = $1 for update`,
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
