/** Accounts as administrators look at them: lists, and what an account has and did. */

import type { DayValue } from '../back-office/visit-counts.ts';
import type { Page, PageRequest } from '../page.ts';
import type { Queryable } from '../pool.ts';
import { USER_COLUMNS, type User, type UserLogin, type UserPlan, type UserStatus } from './users.ts';

/** What an account has: counted for the accounts of one page only. */
export interface UserCounts {
  readonly apiKeyCount: number;
  readonly backtestCount: number;
  /** Calls since a day. */
  readonly calls: number;
}

export interface UserFilter {
  /** Part of e-mail, nickname or name. */
  readonly text?: string;
  readonly plan?: UserPlan;
  readonly status?: UserStatus;
  readonly isAdmin?: boolean;
  /** Of the registration. */
  readonly country?: string;
}

export const USER_SORTS = ['created_at', 'login_count', 'last_login_at'] as const;
export type UserSort = (typeof USER_SORTS)[number];

export interface UserOrder {
  readonly sort: UserSort;
  readonly isDescending: boolean;
}

/** Written out, because names cannot be parameters; those who never logged in come last. */
const ORDERS: Readonly<Record<UserSort, Readonly<Record<'asc' | 'desc', string>>>> = {
  created_at: { asc: 'created_at, id', desc: 'created_at desc, id desc' },
  login_count: { asc: 'login_count, id', desc: 'login_count desc, id desc' },
  last_login_at: { asc: 'last_login_at nulls last, id', desc: 'last_login_at desc nulls last, id desc' },
};

const MATCHES = `($1::text is null
    or position(lower($1) in lower(concat_ws(E'\\n', email, nickname, name))) > 0)
  and ($2::text is null or plan = $2)
  and ($3::text is null or status = $3)
  and ($4::boolean is null or is_admin = $4)
  and ($5::text is null or register_country = $5)`;

export async function selectUsers(
  db: Queryable,
  { text, plan, status, isAdmin, country }: UserFilter,
  { sort, isDescending }: UserOrder,
  { page, size }: PageRequest,
): Promise<Page<User>> {
  const values = [text ?? null, plan ?? null, status ?? null, isAdmin ?? null, country ?? null];
  const total = await db.query<{ total: number }>(`select count(*) as total from users where ${MATCHES}`, values);
  const { rows } = await db.query<User>(
    `select ${USER_COLUMNS} from users where ${MATCHES}
     order by ${ORDERS[sort][isDescending ? 'desc' : 'asc']} limit $6 offset $7`,
    [...values, size, (page - 1) * size],
  );
  return { total: total.rows[0].total, items: rows };
}

/** Counts per account; `since` is a day (YYYY-MM-DD, UTC). */
export async function selectUserCounts(
  db: Queryable,
  ids: readonly number[],
  since: string,
): Promise<Map<number, UserCounts>> {
  const { rows } = await db.query<UserCounts & { readonly id: number }>(
    `select u.id, (select count(*) from api_keys k where k.user_id = u.id) as "apiKeyCount",
       (select count(*) from backtests b where b.user_id = u.id) as "backtestCount",
       (select coalesce(sum(d.calls), 0)::bigint from daily_usage d where d.user_id = u.id and d.day >= $2) as calls
     from unnest($1::bigint[]) u (id)`,
    [ids, since],
  );
  return new Map(rows.map((row) => [row.id, row]));
}

/** Registrations per country, most first; those of unknown origin are left out. */
export async function selectUserCountries(db: Queryable): Promise<{ country: string; users: number }[]> {
  const { rows } = await db.query<{ country: string; users: number }>(
    `select register_country as country, count(*) as users from users
     where register_country is not null group by 1 order by 2 desc, 1`,
  );
  return rows;
}

/** Registrations per day, since a day (YYYY-MM-DD, UTC). */
export async function selectRegistrationsPerDay(db: Queryable, since: string): Promise<DayValue[]> {
  const { rows } = await db.query<DayValue>(
    `select (created_at at time zone 'UTC')::date as day, count(*) as value from users
     where created_at >= $1::date::timestamp at time zone 'UTC' group by 1`,
    [since],
  );
  return rows;
}

export interface LoginEvent {
  readonly at: Date;
  readonly kind: UserLogin['kind'];
  readonly ip: string | null;
  readonly country: string | null;
}

/** Registrations and logins, newest first. */
export async function selectLoginEvents(
  db: Queryable,
  userId: number,
  { page, size }: PageRequest,
): Promise<Page<LoginEvent>> {
  const total = await db.query<{ total: number }>('select count(*) as total from login_events where user_id = $1', [
    userId,
  ]);
  const { rows } = await db.query<LoginEvent>(
    'select at, kind, ip, country from login_events where user_id = $1 order by id desc limit $2 offset $3',
    [userId, size, (page - 1) * size],
  );
  return { total: total.rows[0].total, items: rows };
}
