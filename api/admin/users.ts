/** Shows and changes accounts for administrators. */

import { deleteApiKey, selectApiKeys } from '../../db/accounts/api-keys.ts';
import { revokeLoginSessionsOfUser } from '../../db/accounts/logins.ts';
import { type LoginEvent, selectLoginEvents, selectUserCounts, type UserCounts } from '../../db/accounts/user-list.ts';
import {
  LOGIN_KINDS,
  lockActiveAdmins,
  lockUser,
  selectUser,
  USER_PLANS,
  USER_STATUSES,
  type User,
  updateUserAccess,
} from '../../db/accounts/users.ts';
import { CLIENT_KINDS, selectLatestAccess, selectUsage } from '../../db/log/access-records.ts';
import type { AuditAction } from '../../db/log/audit-log.ts';
import type { Queryable } from '../../db/pool.ts';
import { selectKeptRuns } from '../../db/runs/kept-runs.ts';
import { found, ServiceError } from '../../engine/util/errors.ts';
import { countryName } from '../access/countries.ts';
import { keyView } from '../accounts/api-keys.ts';
import { lastDays, userView } from '../accounts/profile.ts';
import { apiKeySchema, userSchema } from '../accounts/schemas.ts';
import { audited, auditIntent, entriesWith } from '../call/audited.ts';
import { instant, instantField, z } from '../http/input/fields.ts';
import type { Locale } from '../http/language/locale.ts';
import { historyItem } from '../runs/history.ts';
import { historyItemSchema } from '../runs/schemas.ts';
import type { AdminCall } from './services.ts';
import { trendOf, trendSchema } from './stats.ts';

export const adminUserSchema = userSchema
  .extend({
    login: z.string().nullable().meta({ description: 'The login name of an administrator' }),
    register_ip: z.string().nullable(),
    last_login_ip: z.string().nullable(),
    api_key_count: z.int(),
    backtest_count: z.int(),
    calls_30d: z.int(),
  })
  .meta({ id: 'AdminUser' });

export const loginEventSchema = z
  .object({
    at: instant,
    kind: z.enum(LOGIN_KINDS),
    ip: z.string().nullable(),
    country: z.string().nullable(),
    country_name: z.string().nullable(),
  })
  .meta({ id: 'LoginEvent' });

export const userDetailSchema = adminUserSchema
  .extend({
    api_keys: z.array(apiKeySchema),
    backtests: z.array(historyItemSchema).meta({ description: 'The last 20' }),
    calls_trend: trendSchema,
    access_records: z
      .array(
        z.object({
          at: instant,
          client_kind: z.enum(CLIENT_KINDS),
          method: z.string(),
          path: z.string(),
          status: z.int(),
          duration_ms: z.number(),
          country: z.string().nullable(),
        }),
      )
      .meta({ description: 'The last 20' }),
    login_events: z.array(loginEventSchema).meta({ description: 'The last 20 registrations and logins' }),
    login_events_total: z.int(),
    login_events_truncated: z.boolean(),
  })
  .meta({ id: 'AdminUserDetail' });

export const userChangeBody = z.strictObject({
  plan: z.enum(USER_PLANS).optional(),
  status: z.enum(USER_STATUSES).optional(),
  is_admin: z.boolean().optional(),
  plan_expires_at: instantField('first')
    .nullable()
    .optional()
    .meta({ description: 'An ISO time with its offset, or YYYY-MM-DD (00:00 UTC). Null: the plan does not expire' }),
});
type UserChangeBody = z.output<typeof userChangeBody>;

/** Number of backtests, access records, and logins in the detail of an account. */
const LATEST = 20;
const CALL_DAYS = 30;

const NO_COUNTS: UserCounts = { apiKeyCount: 0, backtestCount: 0, calls: 0 };

/** Accounts as administrators see them, with the counts of each. */
export async function adminUserViews(
  db: Queryable,
  users: readonly User[],
  now: number,
  locale: Locale,
): Promise<z.input<typeof adminUserSchema>[]> {
  const [since] = lastDays(now, CALL_DAYS);
  const ids = users.map(({ id }) => id);
  const counts = await selectUserCounts(db, ids, since);
  return users.map((user) => {
    const { apiKeyCount, backtestCount, calls } = counts.get(user.id) ?? NO_COUNTS;
    return {
      ...userView(user, now, locale),
      login: user.login,
      register_ip: user.registerIp,
      last_login_ip: user.lastLoginIp,
      api_key_count: apiKeyCount,
      backtest_count: backtestCount,
      calls_30d: calls,
    };
  });
}

export function loginEventView(
  { at, kind, ip, country }: LoginEvent,
  locale: Locale,
): z.input<typeof loginEventSchema> {
  return { at: at.toISOString(), kind, ip, country, country_name: countryName(country, locale) };
}

/** Everything about one account. The audit log records the view. */
export async function viewUser(call: AdminCall, userId: number): Promise<z.input<typeof userDetailSchema>> {
  const { services, context } = call;
  const { now, accessLog } = services;
  await accessLog.caughtUp();
  const intent = auditIntent(call);
  return audited(call, intent, async (connection) => {
    const user = found(await selectUser(connection, userId));
    const days = lastDays(now(), CALL_DAYS);
    const [view] = await adminUserViews(connection, [user], now(), context.locale);
    const usage = await selectUsage(connection, userId, days[0]);
    const logins = await selectLoginEvents(connection, userId, { page: 1, size: LATEST });
    const backtests = await selectKeptRuns(connection, userId, {}, { page: 1, size: LATEST });
    const access = await selectLatestAccess(connection, userId, LATEST);
    const detail = {
      ...view,
      api_keys: (await selectApiKeys(connection, userId)).map(keyView),
      backtests: backtests.items.map(historyItem),
      calls_trend: trendOf(
        days,
        usage.map(({ day, calls }) => ({ day, value: calls })),
      ),
      access_records: access.map(({ at, clientKind, durationMs, ...record }) => ({
        at: at.toISOString(),
        client_kind: clientKind,
        duration_ms: durationMs,
        ...record,
      })),
      login_events: logins.items.map((event) => loginEventView(event, context.locale)),
      login_events_total: logins.total,
      login_events_truncated: logins.total > LATEST,
    };
    return { result: detail, entries: intent.entries };
  });
}

/** Deletes one key of an account. The lock on the account prevents changes to the key until it is deleted. */
export async function revokeKey(call: AdminCall, userId: number, keyId: number): Promise<void> {
  const intent = auditIntent(call, { details: { key_id: keyId } });
  await audited(call, intent, async (connection) => {
    await lockUser(connection, userId);
    const key = found((await selectApiKeys(connection, userId)).find(({ id }) => id === keyId));
    found(await deleteApiKey(connection, userId, keyId));
    return { result: null, entries: entriesWith(intent, { details: { name: key.name, prefix: key.prefix } }) };
  });
}

const STATUS_ACTION = { active: 'user.unban', banned: 'user.ban', disabled: 'user.disable' } as const;

/** The audited actions that a body requests. */
function requestedActions({ status, plan, is_admin, plan_expires_at }: UserChangeBody): AuditAction[] {
  const actions = [
    status !== undefined && STATUS_ACTION[status],
    plan !== undefined && ('user.plan_change' as const),
    is_admin !== undefined && ('user.role_change' as const),
    plan_expires_at !== undefined && ('user.plan_expiry_change' as const),
  ];
  return actions.filter((action) => action !== false);
}

/** The audited actions that changed something. */
function performedActions(before: User, after: User) {
  const instant = ({ planExpiresAt }: User) => planExpiresAt?.toISOString() ?? null;
  const differences = [
    { action: STATUS_ACTION[after.status], details: { before: before.status, after: after.status } },
    { action: 'user.plan_change', details: { before: before.plan, after: after.plan } },
    { action: 'user.role_change', details: { before: before.isAdmin, after: after.isAdmin } },
    { action: 'user.plan_expiry_change', details: { before: instant(before), after: instant(after) } },
  ] as const;
  return differences.filter(({ details }) => details.before !== details.after);
}

/**
 * Changes the fields in the body, and logs each change. Administrators are locked first, to check that the caller still is one.
 * Since nobody can demote or disable themselves, one administrator always remains.
 */
export async function changeUser(call: AdminCall, userId: number, body: UserChangeBody): Promise<User> {
  const { services } = call;
  const callerId = call.caller.account.userId;
  const update = auditIntent(call);
  const requested = requestedActions(body).flatMap((action) => entriesWith(update, { action }));
  const intent = requested.length > 0 ? { ...update, entries: requested } : update;
  return audited(call, intent, async (connection) => {
    const admins = await lockActiveAdmins(connection);
    if (!admins.includes(callerId)) throw new ServiceError('admin_required');
    const before = found(await lockUser(connection, userId));
    const isDemotion = body.is_admin === false || (body.status !== undefined && body.status !== before.status);
    if (userId === callerId && isDemotion) throw new ServiceError('self_change');
    const access = {
      plan: body.plan,
      status: body.status,
      isAdmin: body.is_admin,
      planExpiresAt: body.plan_expires_at,
    };
    const after = found(await updateUserAccess(connection, userId, access));
    if (after.status !== 'active') await revokeLoginSessionsOfUser(connection, userId, new Date(services.now()));
    return { result: after, entries: performedActions(before, after).flatMap((action) => entriesWith(update, action)) };
  });
}
