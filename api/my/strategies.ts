/** Saved strategies of an account, with their versions and sharing. */
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
import { MAX_PARAMETER_NAME, MAX_PARAMETER_VALUE } from '../../engine/rules/parameter-uses.ts';
import type { Rules } from '../../engine/rules/rules.ts';
import { found, ServiceError } from '../../engine/util/errors.ts';
import type { AccountCaller } from '../access/caller.ts';
import { instant, text, z } from '../http/input/fields.ts';
import { type Problem, unknownName } from '../http/input/problems.ts';
import { ValidationFailure } from '../http/input/request-failure.ts';
import { rulesTextsField } from '../rules/fields.ts';
import { readableColumns } from '../rules/own-columns.ts';
import { checkedRules } from '../rules/resolve.ts';
import { newSlug } from '../runs/keep.ts';
import type { Services } from './services.ts';

/** Strategies that an account may have. */
export const MAX_STRATEGIES = 100;

const value = z.number().min(-MAX_PARAMETER_VALUE).max(MAX_PARAMETER_VALUE);

const parameterField = z
  .strictObject({
    default: value,
    min: value.optional(),
    max: value.optional(),
  })
  .meta({ id: 'SavedParameter', description: 'Its default value, and the range that a run may choose from' });

export const strategyBody = z.strictObject({
  name: text(1, 100).meta({ description: 'Unique in the account', example: 'Breakout on volume' }),
  description: z.string().trim().max(2_000).default('').meta({ example: 'New highs on twice the usual volume' }),
  rules: rulesTextsField,
  parameters: z
    .record(z.string().max(MAX_PARAMETER_NAME), parameterField)
    .default({})
    .meta({ description: 'The defaults of the `$names` in the rules. A run must set those without one' }),
});

export const STRATEGY_EXAMPLE: z.input<typeof strategyBody> = {
  name: 'Breakout on volume',
  description: 'New highs on twice the usual volume',
  rules: { entry: 'close > highest($n) and volume > 2 * sma_of(volume, 50)', exit: 'close < lowest(20)' },
  parameters: { n: { default: 55, min: 20, max: 252 } },
};

export const strategySchema = z
  .object({
    id: z.int(),
    name: z.string(),
    description: z.string(),
    rules: rulesTextsField,
    parameters: z.record(z.string(), parameterField),
    version: z.int().min(1),
    shared: z.boolean(),
    slug: z.string().nullable(),
    created_at: instant,
    updated_at: instant,
  })
  .meta({ id: 'OwnStrategy' });

export const strategyDetailSchema = strategySchema
  .extend({
    versions: z
      .array(z.object({ version: z.int().min(1), created_at: instant }))
      .meta({ description: 'All of them, newest first' }),
  })
  .meta({ id: 'OwnStrategyDetail' });

export const sharedStrategySchema = strategySchema
  .omit({ id: true, shared: true, created_at: true })
  .meta({ id: 'SharedStrategy' });

export interface AccountCall {
  readonly services: Services;
  readonly caller: AccountCaller;
}

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

/**
 * The content of a body, whose rules may compare instruments: a run of one instrument refuses them. Throws if a rule is invalid, or a
 * parameter is not used by the rules.
 */
async function contentOf(
  call: AccountCall,
  { name, description, rules, parameters }: z.output<typeof strategyBody>,
): Promise<NamedContent> {
  const columns = await readableColumns(call, Object.values(rules));
  checkParameters(checkedRules(rules, 'peers', columns), parameters);
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

export async function createStrategy(call: AccountCall, body: z.output<typeof strategyBody>) {
  const { services, caller } = call;
  const content = await contentOf(call, body);
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

/** Replaces the content by a new version. The lock on the account's row makes the version numbers consecutive. */
export async function replaceStrategy(
  call: AccountCall,
  id: number,
  body: z.output<typeof strategyBody>,
): Promise<z.input<typeof strategySchema>> {
  const { services, caller } = call;
  const content = await contentOf(call, body);
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
  const key = { userId: caller.account.userId, id };
  const { slug, is_shared } = found(await updateStrategySharing(services.pool, key, { isShared, newSlug: newSlug() }));
  const base = services.publicApiBase;
  return {
    slug,
    shared: is_shared,
    url: is_shared ? `${base}/strategies?shared=${slug}` : null,
    api_url: is_shared ? `${base}/v1/strategies/shared/${slug}` : null,
  };
}
