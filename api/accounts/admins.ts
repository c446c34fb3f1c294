/** Administrators, whom operators create on the command line. */
import { revokeLoginSessionsOfUser } from '../../db/accounts/logins.ts';
import {
  insertUser,
  selectUserByEmail,
  type User,
  type UserPlan,
  updateAdminLogin,
  updatePassword,
  updateUserAccess,
} from '../../db/accounts/users.ts';
import {
  type AuditedConnection,
  type AuditIntent,
  auditedTransaction,
  type NewAuditEntry,
} from '../../db/log/audit-log.ts';
import type { Pool } from '../../db/pool.ts';
import { hashPassword } from './passwords.ts';

export interface NewAdmin {
  readonly email: string;
  readonly login: string;
  readonly password: string;
}

export interface CreatedAdmin {
  readonly user: User;
  /** Whether the e-mail had no account before. */
  readonly isNew: boolean;
}

/** The actor in the audit log. */
const OPERATOR = 'ops';

class LoginTakenError extends Error {}

/** Creates an administrator of the plan enterprise, or promotes the account of the e-mail address. Null when another account has the login name. */
export async function createAdmin(
  pool: Pool,
  now: number,
  admin: NewAdmin,
  operator = OPERATOR,
): Promise<CreatedAdmin | null> {
  const passwordHash = await hashPassword(admin.password);
  const at = new Date(now);
  const intent = intentOf(operator, 'admin.create', { email: admin.email, login: admin.login });
  try {
    return await auditedTransaction(pool, intent, at, async (connection) => {
      const existing = await selectUserByEmail(connection, admin.email);
      const { id } = existing ?? (await addUser(connection, admin, at));
      // Thrown, so that the transaction leaves no account behind.
      if (!(await updateAdminLogin(connection, id, { login: admin.login, passwordHash }))) throw new LoginTakenError();
      const access = { isAdmin: true, status: 'active', plan: 'enterprise', planExpiresAt: null } as const;
      const user = await updateUserAccess(connection, id, access);
      if (!user) throw new Error(`the account ${id} no longer exists`);
      return { result: { user, isNew: existing === null }, entries: onTarget(intent, id) };
    });
  } catch (error) {
    if (error instanceof LoginTakenError) return null;
    throw error;
  }
}

async function addUser(connection: AuditedConnection, { email, login }: NewAdmin, at: Date): Promise<User> {
  const user = await insertUser(connection, {
    email,
    name: login,
    phone: null,
    nickname: null,
    language: 'en',
    ip: null,
    country: null,
    at,
  });
  if (!user) throw new Error(`another process has just created an account for ${email}; try again`);
  return user;
}

export interface NewPassword {
  readonly email: string;
  readonly password: string;
}

/**
 * Sets the password of an administrator and ends the account's login sessions, which may have begun with the old password.
 * Returns the account, which is not changed if it is not an administrator's.
 */
export async function setAdminPassword(
  pool: Pool,
  now: number,
  { email, password }: NewPassword,
  operator = OPERATOR,
): Promise<User | null> {
  const user = await selectUserByEmail(pool, email);
  if (!user?.isAdmin) return user;
  const passwordHash = await hashPassword(password);
  const at = new Date(now);
  const intent = intentOf(operator, 'admin.set_password', { email });
  await auditedTransaction(pool, intent, at, async (connection) => {
    await updatePassword(connection, user.id, passwordHash);
    await revokeLoginSessionsOfUser(connection, user.id, at);
    return { result: undefined, entries: onTarget(intent, user.id) };
  });
  return user;
}

/** Gives an account a plan that does not expire, and returns it; null: no account has the e-mail. */
export async function setAccountPlan(
  pool: Pool,
  now: number,
  { email, plan }: { readonly email: string; readonly plan: UserPlan },
  operator = OPERATOR,
): Promise<User | null> {
  const before = await selectUserByEmail(pool, email);
  if (!before) return null;
  const intent = intentOf(operator, 'user.plan_change', { before: before.plan, after: plan });
  return auditedTransaction(pool, intent, new Date(now), async (connection) => ({
    result: await updateUserAccess(connection, before.id, { plan, planExpiresAt: null }),
    entries: onTarget(intent, before.id),
  }));
}

function intentOf(
  actorName: string,
  action: 'admin.create' | 'admin.set_password' | 'user.plan_change',
  details: NewAuditEntry['details'],
): AuditIntent {
  return {
    actorId: null,
    actorName,
    requestId: null,
    entries: [{ action, targetType: 'user', targetId: null, details }],
  };
}

function onTarget({ entries }: AuditIntent, userId: number): NewAuditEntry[] {
  return entries.map((entry) => ({ ...entry, targetId: String(userId) }));
}
