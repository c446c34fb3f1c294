/** Administrators are made by whoever operates the service; from then on by each other. */

import { revokeLoginSessionsOfUser } from '../../db/accounts/login-sessions.ts';
import {
  insertUser,
  selectUserByEmail,
  type User,
  updateAdminLogin,
  updatePassword,
  updateUserAccess,
} from '../../db/accounts/users.ts';
import { type AuditedConnection, type AuditTrail, auditedTransaction } from '../../db/back-office/audit-log.ts';
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

/** Who does it where no account does, for the audit log. */
const OPERATOR = 'ops';

class LoginTakenError extends Error {}

/** Creates an administrator, or makes one of the account that the e-mail has. Null when the login name is another's. */
export async function createAdmin(
  pool: Pool,
  now: number,
  admin: NewAdmin,
  operator = OPERATOR,
): Promise<CreatedAdmin | null> {
  const passwordHash = await hashPassword(admin.password);
  const at = new Date(now);
  const trail = trailOf(operator, 'admin.create', { email: admin.email, login: admin.login });
  try {
    return await auditedTransaction(pool, trail, at, async (connection) => {
      const existing = await selectUserByEmail(connection, admin.email);
      const { id } = existing ?? (await addUser(connection, admin, at));
      trail.targetId = String(id);
      // Thrown, so that no account is left behind.
      if (!(await updateAdminLogin(connection, id, { login: admin.login, passwordHash }))) throw new LoginTakenError();
      const user = (await updateUserAccess(connection, id, { isAdmin: true, status: 'active' })) as User;
      return { user, isNew: existing === null };
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
  if (!user) throw new Error(`an account of ${email} was made at this very moment; try again`);
  return user;
}

export interface NewPassword {
  readonly email: string;
  readonly password: string;
}

/**
 * Gives an administrator a password, for the login by e-mail, and ends the sessions there are: whoever knew an older
 * password is out. Returns the account as it is; nothing is changed unless it is an administrator's.
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
  const trail = trailOf(operator, 'admin.set_password', { email });
  trail.targetId = String(user.id);
  await auditedTransaction(pool, trail, at, async (connection) => {
    await updatePassword(connection, user.id, passwordHash);
    await revokeLoginSessionsOfUser(connection, user.id, at);
  });
  return user;
}

function trailOf(actorName: string, action: 'admin.create' | 'admin.set_password', details: object): AuditTrail {
  return {
    actorId: null,
    actorName,
    requestId: null,
    targetType: 'user',
    targetId: null,
    actions: [{ action, details: { ...details } }],
  };
}
