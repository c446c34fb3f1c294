/** Strategies of an account: written, replaced by further versions, shared, and used by their id. */
import { randomBytes } from 'node:crypto';
import { lockUser } from '../../db/accounts/users.ts';
import { isDuplicate } from '../../db/errors.ts';
import { transaction } from '../../db/pool.ts';
import {
  countOwnStrategies,
  deleteOwnStrategy,
  insertOwnStrategy,
  type NamedContent,
  type OwnStrategy,
  replaceOwnStrategy,
  selectOwnStrategy,
  selectStrategyVersions,
  updateStrategySharing,
} from '../../db/research/own-strategies.ts';
import type { SavedParameters } from '../../db/schema/research.ts';
import type { Rules } from '../../engine/rules/rules.ts';
import { found, ServiceError } from '../../engine/util/errors.ts';
import type { AccountCaller } from '../access/caller.ts';
import type { z } from '../http/input/fields.ts';
import { type Problem, unknownName } from '../http/input/problems.ts';
import { ValidationFailure } from '../http/input/request-failure.ts';
import { checkedRules } from '../rules/resolve.ts';
import type { Services } from './services.ts';
import {
  MAX_STRATEGIES,
  type sharedStrategySchema,
  type strategyBody,
  type strategyDetailSchema,
  type strategySchema,
} from './strategy-schemas.ts';

export interface AccountCall {
  readonly services: Services;
  readonly caller: AccountCaller;
}

const SLUG_BYTES = 9;

export function strategyView(own: OwnStrategy): z.input<typeof strategySchema> {
  return {
    id: own.id,
    name: own.name,
    description: own.description,
    rules: own.rules,
    parameters: own.parameters,
    version: own.version,
    shared: own.isShared,
    slug: own.slug,
    created_at: own.createdAt.toISOString(),
    updated_at: own.updatedAt.toISOString(),
  };
}

export function sharedStrategyView(own: OwnStrategy): z.input<typeof sharedStrategySchema> {
  const { name, description, rules, parameters, version, slug, updated_at } = strategyView(own);
  return { name, description, rules, parameters, version, slug, updated_at };
}

/** The content of a body. Throws where its rules are wrong, or its parameters are not theirs. */
function contentOf({ name, description, rules, parameters }: z.output<typeof strategyBody>): NamedContent {
  checkParameters(checkedRules(rules), parameters);
  return { name, description, rules, parameters };
}

function checkParameters({ parameters: uses }: Rules, given: SavedParameters): void {
  for (const [name, { default: value, min, max }] of Object.entries(given)) {
    const use = uses.get(name);
    if (use === undefined) refuse([name], unknownName(name, [...uses.keys()]));
    const range = { min: Math.max(use.min, min ?? use.min), max: Math.min(use.max, max ?? use.max) };
    if (range.min > range.max) refuse([name], { code: 'not_between', details: { min: use.min, max: use.max } });
    if (use.kind === 'integer' && !Number.isInteger(value)) refuse([name, 'default'], { code: 'expected_integer' });
    if (value < range.min || value > range.max) refuse([name, 'default'], { code: 'not_between', details: range });
  }
}

function refuse(path: readonly string[], problem: Problem): never {
  throw new ValidationFailure([{ loc: ['body', 'parameters', ...path], type: 'parameter', problem }]);
}

export async function createStrategy({ services, caller }: AccountCall, body: z.output<typeof strategyBody>) {
  const content = contentOf(body);
  const { userId } = caller.account;
  return transaction(services.pool, async (connection) => {
    await lockUser(connection, userId);
    if ((await countOwnStrategies(connection, userId)) >= MAX_STRATEGIES) {
      const [max, count] = [MAX_STRATEGIES, MAX_STRATEGIES + 1];
      throw new ServiceError('quota_exceeded', { plan: caller.plan, quota: 'strategies_max', max, count });
    }
    const id = await insertOwnStrategy(connection, userId, content, new Date(services.now()));
    if (id === null) throw new ServiceError('name_taken', { name: body.name });
    return strategyView(found(await selectOwnStrategy(connection, userId, id)));
  });
}

/** Every change of its content is a further version; the lock of the account's row numbers them one after the other. */
export async function replaceStrategy(
  { services, caller }: AccountCall,
  id: number,
  body: z.output<typeof strategyBody>,
): Promise<z.input<typeof strategySchema>> {
  const content = contentOf(body);
  const { userId } = caller.account;
  try {
    return await transaction(services.pool, async (connection) => {
      await lockUser(connection, userId);
      const before = found(await selectOwnStrategy(connection, userId, id));
      await replaceOwnStrategy(connection, before, content, new Date(services.now()));
      return strategyView(found(await selectOwnStrategy(connection, userId, id)));
    });
  } catch (error) {
    if (isDuplicate(error)) throw new ServiceError('name_taken', { name: body.name });
    throw error;
  }
}

export async function strategyDetail(
  { services: { pool }, caller }: AccountCall,
  id: number,
  version: number | undefined,
): Promise<z.input<typeof strategyDetailSchema>> {
  const own = found(await selectOwnStrategy(pool, caller.account.userId, id, version));
  const versions = await selectStrategyVersions(pool, id);
  return {
    ...strategyView(own),
    versions: versions.map((one) => ({ version: one.version, created_at: one.created_at.toISOString() })),
  };
}

export async function removeStrategy({ services: { pool }, caller }: AccountCall, id: number) {
  found(await deleteOwnStrategy(pool, caller.account.userId, id));
  return { deleted: true } as const;
}

export async function shareStrategy({ services, caller }: AccountCall, id: number, isShared: boolean) {
  const newSlug = randomBytes(SLUG_BYTES).toString('base64url');
  const key = { userId: caller.account.userId, id };
  const { slug, is_shared } = found(await updateStrategySharing(services.pool, key, { isShared, newSlug }));
  const base = services.publicApiBase;
  return {
    slug,
    shared: is_shared,
    url: is_shared ? `${base}/strategies?shared=${slug}` : null,
    api_url: is_shared ? `${base}/v1/strategies/shared/${slug}` : null,
  };
}
