/** The keys of an account, within its plan. */
import { type ApiKey, countApiKeys, deleteApiKeys, insertApiKey } from '../../db/accounts/api-keys.ts';
import { lockUser } from '../../db/accounts/users.ts';
import { type Connection, transaction } from '../../db/pool.ts';
import { ServiceError } from '../../engine/errors.ts';
import { newApiKey } from '../access/tokens.ts';
import type { z } from '../http/input/fields.ts';
import { PLANS, type PlanCode } from '../limits/plans.ts';
import type { Services } from '../services.ts';
import type { apiKeySchema } from './schemas.ts';

/** Of the key that comes with a new account, and after a reset. */
export const DEFAULT_KEY_NAME = 'default';

export interface IssuedKey {
  readonly record: ApiKey;
  readonly plaintext: string;
}

/** A key as it is shown ever after. */
export function keyView({ id, name, prefix, enabled, createdAt, lastUsedAt }: ApiKey): z.input<typeof apiKeySchema> {
  const [created_at, last_used_at] = [createdAt.toISOString(), lastUsedAt?.toISOString() ?? null];
  return { id, name, prefix, enabled, created_at, last_used_at };
}

/** A further key. The lock of the account's row makes the count below true until the key is there. */
export function createKey(services: Services, userId: number, plan: PlanCode, name: string): Promise<IssuedKey> {
  const max = PLANS[plan].quotas.api_keys_max;
  return transaction(services.pool, async (connection) => {
    await lockUser(connection, userId);
    if ((await countApiKeys(connection, userId)) >= max) throw new ServiceError('api_keys_max', { plan, max });
    return issueKey(connection, services, userId, name);
  });
}

/** One new key in the place of all old ones. */
export function resetKeys(services: Services, userId: number): Promise<IssuedKey> {
  return transaction(services.pool, async (connection) => {
    await lockUser(connection, userId);
    await deleteApiKeys(connection, userId);
    return issueKey(connection, services, userId, DEFAULT_KEY_NAME);
  });
}

/** Creates a key inside the caller's transaction. */
export async function issueKey(
  connection: Connection,
  { now }: Services,
  userId: number,
  name: string,
): Promise<IssuedKey> {
  const { plaintext, hash, prefix } = newApiKey();
  const record = await insertApiKey(connection, { userId, name, keyHash: hash, prefix, at: new Date(now()) });
  return { record, plaintext };
}
