/** Accounts for administrators: lists, counts, and login events. */

import type { DayValue } from '../log/visit-counts.ts';
import type { Queryable } from '../pool.ts';
import { type Page, type PageRequest, selectPage, statements } from '../query-builder.ts';
import type { Selected } from '../schema/columns.ts';
import { selection } from '../schema/tables.ts';
import { USER, type User, type UserPlan, type UserStatus } from './users.ts';

/** Counts of an account. */
export interface UserCounts {
  readonly apiKeyCount: number;
  readonly backtestCount: number;
  /** Calls since a day. */
  readonly calls: number;
}

export interface UserFilter {
  /** Part of the e-mail address, nickname, or name. */
  readonly text?: string;
  readonly plan?: UserPlan;
  readonly status?: UserStatus;
  readonly isAdmin?: boolean;
  /** Country of the registration. */
  readonly country?: string;
}

export const USER_SORTS = ['created_at', 'login_count', 'last_login_at'] as const;
export type UserSort = (typeof USER_SORTS)[number];

export interface UserOrder {
  readonly sort: UserSort;
  readonly isDescending: boolean;
}

/** Accounts that match. Those that never logged in come last. */
export async function selectUsers(
  db: Queryable,
  { text, plan, status, isAdmin, country }: UserFilter,
  { sort, isDescending }: UserOrder,
  page: PageRequest,
): Promise<Page<User>> {
  const { rowsOf } = await statements();
  const matching = rowsOf('users', { plan, status, is_admin: isAdmin, register_country: country });
  if (text !== undefined) {
    matching.whereRaw(`position(lower(?) in lower(concat_ws(E'\\n', email, nickname, name))) > 0`, [text]);
  }
  const direction = isDescending ? 'desc' : 'asc';
  return selectPage(db, matching, page, (users) =>
    users
      .select(USER.columns)
      .orderBy(sort, direction, sort === 'last_login_at' ? 'last' : undefined)
      .orderBy('id', direction),
  );
}

/** Counts by id; calls since a day (YYYY-MM-DD, UTC). */
export async function selectUserCounts(
  db: Queryable,
  ids: readonly number[],
  since: string,
): Promise<Map<number, UserCounts>> {
  const { rows } = await db.query<UserCounts & { readonly id: number }>(
    `select u.id, (select count(*) from api_keys k where k.user_id = u.id and k.client_id is null) as "apiKeyCount",
       (select count(*) from backtests b where b.user_id = u.id) as "backtestCount",
       (select coalesce(sum(d.calls), 0)::bigint from daily_usage d where d.user_id = u.id and d.day >= $2) as calls
     from unnest($1::bigint[]) u (id)`,
    [ids, since],
  );
  return new Map(rows.map((row) => [row.id, row]));
}

/** Registrations per country, most first, without those of unknown origin. */
export async function selectUserCountries(db: Queryable): Promise<{ country: string; users: number }[]> {
  const { rows } = await db.query<{ country: string; users: number }>(
    `select register_country as country, count(*) as users from users
     where register_country is not null group by 1 order by 2 desc, 1`,
  );
  return rows;
}

/** Registrations per day since a day (YYYY-MM-DD, UTC). */
export async function selectRegistrationsPerDay(db: Queryable, since: string): Promise<DayValue[]> {
  const { rows } = await db.query<DayValue>(
    `select (created_at at time zone 'UTC')::date as day, count(*) as value from users
     where created_at >= $1::date::timestamp at time zone 'UTC' group by 1`,
    [since],
  );
  return rows;
}

const LOGIN_EVENT = selection('login_events', {
  at: 'at',
  kind: 'kind',
  ip: 'ip',
  country: 'country',
});

export type LoginEvent = Selected<typeof LOGIN_EVENT>;

/** Registrations and logins, newest first. */
export async function selectLoginEvents(db: Queryable, userId: number, page: PageRequest): Promise<Page<LoginEvent>> {
  const { rowsOf } = await statements();
  return selectPage(db, rowsOf('login_events', { user_id: userId }), page, (events) =>
    events.select(LOGIN_EVENT.columns).orderBy('id', 'desc'),
  );
}
