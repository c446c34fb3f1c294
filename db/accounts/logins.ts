/** Login sessions. Each has a family of refresh tokens, of which only the newest is valid. */
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

/** How a login session began: with a code sent by e-mail, or with an administrator's password. */
export type LoginMethod = Rows['sessions']['login_method'];

export interface NewRefreshToken {
  readonly sessionId: string;
  readonly tokenHash: Buffer;
  readonly expiresAt: Date;
}

export interface NewLoginSession {
  readonly id: string;
  readonly userId: number;
  readonly loginMethod: LoginMethod;
  readonly at: Date;
}

export async function insertLoginSession(db: Queryable, session: NewLoginSession): Promise<void> {
  await db.query('insert into sessions (id, user_id, login_method, created_at) values ($1, $2, $3, $4)', [
    session.id,
    session.userId,
    session.loginMethod,
    session.at,
  ]);
}

export async function insertRefreshToken(db: Queryable, token: NewRefreshToken): Promise<void> {
  await db.query('insert into refresh_tokens (session_id, token_hash, expires_at) values ($1, $2, $3)', [
    token.sessionId,
    token.tokenHash,
    token.expiresAt,
  ]);
}

export interface LoginSessionOfToken {
  readonly sessionId: string;
  readonly userId: number;
}

/**
 * Spends a refresh token. When two calls race with the same token, one gets the login session and the other null. Null also
 * if the token is unknown or expired, or its session or account is no longer active.
 */
export async function rotateRefreshToken(
  connection: Connection,
  tokenHash: Buffer,
  at: Date,
): Promise<LoginSessionOfToken | null> {
  const { rows } = await connection.query<LoginSessionOfToken>(
    `update refresh_tokens t set rotated_at = $2 from sessions s join users u on u.id = s.user_id
     where t.token_hash = $1 and t.rotated_at is null and t.expires_at > $2
       and s.id = t.session_id and s.revoked_at is null and u.status = 'active'
     returning s.id as "sessionId", s.user_id as "userId"`,
    [tokenHash, at],
  );
  return rows[0] ?? null;
}

/**
 * The session of a refresh token that is valid, or was replaced after `since`; null when it is neither, or its session or
 * account is no longer active.
 */
export async function selectSessionOfToken(
  connection: Connection,
  tokenHash: Buffer,
  at: Date,
  since: Date,
): Promise<(LoginSessionOfToken & { readonly isReplaced: boolean }) | null> {
  const { rows } = await connection.query<LoginSessionOfToken & { readonly isReplaced: boolean }>(
    `select s.id as "sessionId", s.user_id as "userId", t.rotated_at is not null as "isReplaced"
     from refresh_tokens t join sessions s on s.id = t.session_id join users u on u.id = s.user_id
     where t.token_hash = $1 and t.expires_at > $2 and s.revoked_at is null and u.status = 'active'
       and (t.rotated_at is null or t.rotated_at > $3)`,
    [tokenHash, at, since],
  );
  return rows[0] ?? null;
}

/** Ends all login sessions of the account if its token was used before; otherwise does nothing. Returns how many ended. */
export async function revokeLoginSessionsOfReusedToken(
  connection: Connection,
  tokenHash: Buffer,
  at: Date,
): Promise<number> {
  const { rowCount } = await connection.query(
    `update sessions set revoked_at = $2 where revoked_at is null and user_id = (
       select s.user_id from refresh_tokens t join sessions s on s.id = t.session_id
       where t.token_hash = $1 and t.rotated_at is not null)`,
    [tokenHash, at],
  );
  return rowCount ?? 0;
}

/** Ends the login session that a refresh token belongs to. */
export async function revokeLoginSessionOfToken(db: Queryable, tokenHash: Buffer, at: Date): Promise<void> {
  await db.query(
    `update sessions set revoked_at = $2 where revoked_at is null and id = (
       select session_id from refresh_tokens where token_hash = $1)`,
    [tokenHash, at],
  );
}

/** Deletes expired tokens, and login sessions that have no token left. */
export async function deleteExpiredLoginSessions(db: Queryable, at: Date): Promise<void> {
  await db.query('delete from refresh_tokens where expires_at < $1', [at]);
  await db.query('delete from sessions s where not exists (select from refresh_tokens t where t.session_id = s.id)');
}

/** Ends every login session of an account. */
export async function revokeLoginSessionsOfUser(connection: Connection, userId: number, at: Date): Promise<void> {
  await connection.query('update sessions set revoked_at = $2 where user_id = $1 and revoked_at is null', [userId, at]);
}
