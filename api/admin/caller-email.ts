import { selectUser } from '../../db/accounts/users.ts';
import { ServiceError } from '../../engine/errors.ts';
import { callerOf } from '../access/authorize.ts';
import type { AdminCall } from '../http/audited.ts';

/** How an administrator is named in what they leave behind. */
export async function emailOfCaller({ services, identity }: AdminCall): Promise<string> {
  const user = await selectUser(services.pool, callerOf(identity).userId);
  if (!user) throw new ServiceError('invalid_credential');
  return user.email;
}
