/** Administrators are made by whoever operates the service; from then on by each other. */
import { type Pool, transaction } from '../../db/pool.ts';
import { insertUser, selectUserByEmail, type User, updateAdminLogin, updateUserAccess } from '../../db/users.ts';
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

/** Creates an administrator, or makes one of the account that the e-mail has. Null when the login name is another's. */
export async function createAdmin(pool: Pool, now: number, admin: NewAdmin): Promise<CreatedAdmin | null> {
  const passwordHash = await hashPassword(admin.password);
  return transaction(pool, async (connection) => {
    const existing = await selectUserByEmail(connection, admin.email);
    const created = existing
      ? null
      : await insertUser(connection, {
          ...{ email: admin.email, name: admin.login, at: new Date(now), language: 'en' },
          ...{ phone: null, nickname: null, ip: null, country: null },
        });
    const { id } = (existing ?? created) as User;
    if (!(await updateAdminLogin(connection, id, { login: admin.login, passwordHash }))) return null;
    const user = (await updateUserAccess(connection, id, { isAdmin: true, status: 'active' })) as User;
    return { user, isNew: created !== null };
  });
}
