/** API keys of an account, within the quota of its plan. */
import {
  type ApiKey,
  countApiKeys,
  deleteApiKeys,
  insertApiKey,
  type KeyGrant,
  SCOPES,
} from '../../db/accounts/api-keys.ts';
import { lockUser } from '../../db/accounts/users.ts';
import { type Connection, transaction } from '../../db/pool.ts';
import { ServiceError } from '../../engine/util/errors.ts';
import { PLANS, type PlanCode } from '../access/plans.ts';
import { newApiKey } from '../access/tokens.ts';
import type { z } from '../http/input/fields.ts';
import type { apiKeySchema } from './schemas.ts';
import type { Services } from './services.ts';

/** The name of the key of a new account, and of the key after a reset. */
export const DEFAULT_KEY_NAME = 'default';

export interface IssuedKey {
  readonly record: ApiKey;
  readonly plaintext: string;
}

/** A key without its secret. */
export function keyView(key: ApiKey): z.input<typeof apiKeySchema> {
  const { id, name, prefix, enabled, scopes } = key;
  return {
    id,
    name,
    prefix,
    enabled,
    created_at: key.createdAt.toISOString(),
    last_used_at: key.lastUsedAt?.toISOString() ?? null,
    scopes: SCOPES.filter((scope) => scopes.includes(scope)),
    expires_at: key.expiresAt?.toISOString() ?? null,
    trial_limit: key.trialLimit,
    trials: key.trials,
  };
}

/** Adds a key. The lock on the account's row makes the count valid until the key is inserted. */
export function createKey(
  services: Services,
  userId: number,
  plan: PlanCode,
  name: string,
  grant: KeyGrant,
): Promise<IssuedKey> {
  const max = PLANS[plan].quotas.api_keys_max;
  return transaction(services.pool, async (connection) => {
    await lockUser(connection, userId);
    if ((await countApiKeys(connection, userId)) >= max) throw new ServiceError('api_keys_max', { plan, max });
    return issueKey(connection, services, userId, name, grant);
  });
}

/** Replaces all keys with one new key. */
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
  grant: KeyGrant = {},
): Promise<IssuedKey> {
  const { plaintext, hash, prefix } = newApiKey();
  const record = await insertApiKey(connection, { userId, name, keyHash: hash, prefix, at: new Date(now()), grant });
  return { record, plaintext };
}
