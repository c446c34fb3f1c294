import { selectUser } from '../../db/accounts/users.ts';
import { ServiceError } from '../../engine/util/errors.ts';
import type { AdminCall } from './services.ts';

/** The e-mail address of the caller, which names them in records. */
export async function emailOfCaller({ services, caller }: AdminCall): Promise<string> {
  const user = await selectUser(services.pool, caller.account.userId);
  if (!user) throw new ServiceError('invalid_credential');
  return user.email;
}
