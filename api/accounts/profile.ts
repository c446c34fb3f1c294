/** Shows an account and its usage, and deletes it. */
import { deleteUser, lockActiveAdmins, lockUserForDeletion, type User } from '../../db/accounts/users.ts';
import { selectUsage } from '../../db/log/access-records.ts';
import { retryDeadlocks } from '../../db/pool.ts';
import { type Day, formatDay, MS_PER_DAY } from '../../engine/market/dates.ts';
import { ServiceError } from '../../engine/util/errors.ts';
import { cancelRunsOf } from '../../jobs/runs/enqueue.ts';
import { enqueueRemoval } from '../../jobs/storage/enqueue.ts';
import { cancelSweepsOf } from '../../jobs/sweep/enqueue.ts';
import { accountPrefix } from '../../storage/keys.ts';
import { countryName } from '../access/countries.ts';
import { effectivePlan } from '../access/identify.ts';
import type { RequestContext } from '../access/request-context.ts';
import type { z } from '../http/input/fields.ts';
import type { Locale } from '../http/language/locale.ts';
import type { usageSchema, userSchema } from './schemas.ts';
import type { Services } from './services.ts';

/** An account as its owner sees it. */
export function userView(user: User, now: number, locale: Locale): z.input<typeof userSchema> {
  return {
    id: user.id,
    email: user.email,
    nickname: user.nickname,
    name: user.name,
    phone: user.phone,
    language: user.language,
    plan: user.plan,
    effective_plan: effectivePlan(user, now),
    plan_expires_at: user.planExpiresAt?.toISOString() ?? null,
    status: user.status,
    is_admin: user.isAdmin,
    register_country: user.registerCountry,
    register_country_name: countryName(user.registerCountry, locale),
    last_login_country: user.lastLoginCountry,
    last_login_country_name: countryName(user.lastLoginCountry, locale),
    login_count: user.loginCount,
    created_at: user.createdAt.toISOString(),
    last_login_at: user.lastLoginAt?.toISOString() ?? null,
    revision_mail: user.mailsRevisions,
  };
}

/** Another transaction that locks rows in the opposite order has ended by the next attempt. */
const DELETION_ATTEMPTS = 3;

/**
 * Deletes an account with everything that belongs to it. Its rows are deleted and its runs canceled at once, so that calls
 * that wait for a run are answered. A job that is queued in the same transaction deletes its stored objects.
 */
export async function deleteAccount(
  { pool, boss }: Services,
  { requestId }: RequestContext,
  userId: number,
  confirmedEmail: string,
): Promise<void> {
  await retryDeadlocks(pool, DELETION_ATTEMPTS, async (connection) => {
    // Locked first, so that two last administrators cannot delete their accounts at the same time.
    const admins = await lockActiveAdmins(connection);
    const user = await lockUserForDeletion(connection, userId);
    if (!user) return;
    if (user.email !== confirmedEmail) throw new ServiceError('email_mismatch');
    if (admins.length === 1 && admins[0] === userId) throw new ServiceError('last_admin');
    await cancelRunsOf(connection, boss, userId);
    await cancelSweepsOf(connection, boss, userId);
    await deleteUser(connection, userId);
    await enqueueRemoval(connection, boss, { prefix: accountPrefix(userId), requestId });
  });
}

/** The last `days` days as YYYY-MM-DD, oldest first, today (UTC) included. */
export function lastDays(now: number, days: number): string[] {
  const today: Day = Math.floor(now / MS_PER_DAY);
  return Array.from({ length: days }, (_, i) => formatDay(today - days + 1 + i));
}

/** Calls of the last `days` UTC days, today included. Days without calls have 0. */
export async function usageOf(services: Services, userId: number, days: number): Promise<z.input<typeof usageSchema>> {
  const { pool, accessLog, now } = services;
  await accessLog.caughtUp();
  const dates = lastDays(now(), days);
  const rows = await selectUsage(pool, userId, dates[0]);
  const perDay = new Map<string, number>(dates.map((date) => [date, 0]));
  const perEndpoint = new Map<string, number>();
  for (const { day, endpoint, calls } of rows) {
    if (!perDay.has(day)) continue;
    perDay.set(day, (perDay.get(day) ?? 0) + calls);
    perEndpoint.set(endpoint, (perEndpoint.get(endpoint) ?? 0) + calls);
  }
  return {
    days,
    total: [...perDay.values()].reduce((sum, calls) => sum + calls, 0),
    by_day: [...perDay].map(([date, calls]) => ({ date, calls })),
    by_endpoint: [...perEndpoint]
      .map(([endpoint, calls]) => ({ endpoint, calls }))
      .sort((a, b) => b.calls - a.calls || (a.endpoint < b.endpoint ? -1 : 1)),
  };
}
