/** Accounts. */

import type { Connection, Queryable } from '../pool.ts';
import type { Selected } from '../schema/columns.ts';
import { type Rows, selection, TABLES } from '../schema/tables.ts';

export const USER_PLANS = TABLES.users.plan.values;
export type UserPlan = (typeof USER_PLANS)[number];
export const USER_STATUSES = TABLES.users.status.values;
export type UserStatus = (typeof USER_STATUSES)[number];

export const USER = selection('users', {
  id: 'id',
  email: 'email',
  login: 'login',
  nickname: 'nickname',
  name: 'name',
  phone: 'phone',
  language: 'language',
  plan: 'plan',
  planExpiresAt: 'plan_expires_at',
  status: 'status',
  isAdmin: 'is_admin',
  tokenVersion: 'token_version',
  registerIp: 'register_ip',
  registerCountry: 'register_country',
  lastLoginIp: 'last_login_ip',
  lastLoginCountry: 'last_login_country',
  loginCount: 'login_count',
  createdAt: 'created_at',
  lastLoginAt: 'last_login_at',
  mailsRevisions: 'mails_revisions',
});

export type User = Selected<typeof USER>;

export async function selectUser(db: Queryable, id: number): Promise<User | null> {
  const { rows } = await db.query<User>(`select ${USER.sql} from users where id = $1`, [id]);
  return rows[0] ?? null;
}

export async function selectUserByEmail(db: Queryable, email: string): Promise<User | null> {
  const { rows } = await db.query<User>(`select ${USER.sql} from users where email = $1`, [email]);
  return rows[0] ?? null;
}

export async function countUsers(db: Queryable): Promise<number> {
  const { rows } = await db.query<{ count: number }>('select count(*) as count from users');
  return rows[0].count;
}

/** The account with an e-mail address or login name, with its password hash. */
export async function selectUserForPassword(
  db: Queryable,
  login: string,
): Promise<(User & { readonly passwordHash: string | null }) | null> {
  const { rows } = await db.query<User & { readonly passwordHash: string | null }>(
    `select ${USER.sql}, password_hash as "passwordHash" from users where email = $1 or login = $1`,
    [login],
  );
  return rows[0] ?? null;
}

export interface NewUser {
  readonly email: string;
  readonly name: string;
  readonly phone: string | null;
  readonly nickname: string | null;
  readonly language: User['language'];
  readonly ip: string | null;
  readonly country: string | null;
  readonly at: Date;
}

/** Null when the e-mail address is taken. */
export async function insertUser(db: Queryable, user: NewUser): Promise<User | null> {
  const { rows } = await db.query<User>(
    `insert into users (email, name, phone, nickname, language, register_ip, register_country, created_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8) on conflict (email) do nothing returning ${USER.sql}`,
    [user.email, user.name, user.phone, user.nickname, user.language, user.ip, user.country, user.at],
  );
  return rows[0] ?? null;
}

export const LOGIN_KINDS = TABLES.login_events.kind.values;

export interface UserLogin {
  readonly kind: (typeof LOGIN_KINDS)[number];
  readonly at: Date;
  readonly ip: string | null;
  readonly country: string | null;
}

/** Counts a login and records it as an event. Returns the account with the new counts. */
export async function recordLogin(db: Queryable, userId: number, login: UserLogin): Promise<User> {
  const { rows } = await db.query<User>(
    `with event as (
       insert into login_events (user_id, at, kind, ip, country) values ($1, $2, $3, $4, $5))
     update users set login_count = login_count + 1, last_login_at = $2, last_login_ip = $4, last_login_country = $5
     where id = $1 returning ${USER.sql}`,
    [userId, login.at, login.kind, login.ip, login.country],
  );
  return rows[0];
}

export interface UserProfile {
  readonly nickname?: string | null;
  readonly name?: string;
  readonly phone?: string;
  readonly language?: User['language'];
  readonly mailsRevisions?: boolean;
}

/** Changes the passed fields. */
export async function updateUserProfile(db: Queryable, id: number, profile: UserProfile): Promise<User | null> {
  const { rows } = await db.query<User>(
    `update users set
       nickname = case when $2 then $3 else nickname end,
       name = coalesce($4, name), phone = coalesce($5, phone), language = coalesce($6, language),
       mails_revisions = coalesce($7, mails_revisions)
     where id = $1 returning ${USER.sql}`,
    [
      id,
      profile.nickname !== undefined,
      profile.nickname ?? null,
      profile.name ?? null,
      profile.phone ?? null,
      profile.language ?? null,
      profile.mailsRevisions ?? null,
    ],
  );
  return rows[0] ?? null;
}

export interface UserAccess {
  readonly plan?: UserPlan;
  readonly planExpiresAt?: Date | null;
  readonly status?: UserStatus;
  readonly isAdmin?: boolean;
}

/** Changes the passed fields. A change of status or role voids all access tokens. */
export async function updateUserAccess(db: Queryable, id: number, access: UserAccess): Promise<User | null> {
  const { rows } = await db.query<User>(
    `update users set
       plan = coalesce($2, plan),
       plan_expires_at = case when $3 then $4 else plan_expires_at end,
       status = coalesce($5, status), is_admin = coalesce($6, is_admin),
       token_version = token_version
         + (status <> coalesce($5, status) or is_admin <> coalesce($6, is_admin))::int
     where id = $1 returning ${USER.sql}`,
    [
      id,
      access.plan ?? null,
      access.planExpiresAt !== undefined,
      access.planExpiresAt ?? null,
      access.status ?? null,
      access.isAdmin ?? null,
    ],
  );
  return rows[0] ?? null;
}

/** Sets the name and password for the administrators' login. False when another account has the name. */
export async function updateAdminLogin(
  db: Queryable,
  id: number,
  admin: { readonly login: string; readonly passwordHash: string },
): Promise<boolean> {
  const { rowCount } = await db.query(
    `update users set login = $2, password_hash = $3
     where id = $1 and not exists (select from users where login = $2 and id <> $1)`,
    [id, admin.login, admin.passwordHash],
  );
  return rowCount === 1;
}

export async function updatePassword(db: Queryable, id: number, passwordHash: string): Promise<void> {
  await db.query('update users set password_hash = $2 where id = $1', [id, passwordHash]);
}

/** Locks the active administrators for the rest of the transaction and returns their ids. */
export async function lockActiveAdmins(connection: Connection): Promise<number[]> {
  const { rows } = await connection.query<Pick<Rows['users'], 'id'>>(
    `select id from users where is_admin and status = 'active' order by id for update`,
  );
  return rows.map(({ id }) => id);
}

/**
 * Locks the account for the rest of the transaction, so that counts against its quotas stay true. Rows that only refer to it
 * may still be added.
 */
export async function lockUser(connection: Connection, id: number): Promise<User | null> {
  const { rows } = await connection.query<User>(`select ${USER.sql} from users where id = $1 for no key update`, [id]);
  return rows[0] ?? null;
}

/** Locks the account for its deletion: until the end of the transaction no row may refer to it. */
export async function lockUserForDeletion(connection: Connection, id: number): Promise<User | null> {
  const { rows } = await connection.query<User>(`select ${USER.sql} from users where id = $1 for update`, [id]);
  return rows[0] ?? null;
}

/**
 * Deletes the account, every row that belongs to it, and the anonymous records of the browsers that it used. False when there
 * is no such account.
 */
export async function deleteUser(connection: Connection, id: number): Promise<boolean> {
  const { rows } = await connection.query<Pick<Rows['access_records'], 'visitor'>>(
    `select distinct visitor from access_records where user_id = $1 and client_kind = 'web'`,
    [id],
  );
  const browsers = [rows.map(({ visitor }) => visitor)];
  await connection.query(
    `delete from access_records where user_id is null and client_kind = 'web' and visitor = any($1)`,
    browsers,
  );
  await connection.query(`delete from visitors where scope in ('web', 'page') and visitor = any($1)`, browsers);
  await connection.query('delete from page_visitors where visitor = any($1)', browsers);
  await connection.query('delete from login_requests where email = (select email from users where id = $1)', [id]);
  const { rowCount } = await connection.query('delete from users where id = $1', [id]);
  return rowCount === 1;
}
