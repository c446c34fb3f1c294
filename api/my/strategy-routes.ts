/** Saved strategies of accounts: `/v1/my/strategies`. */
import { selectOwnStrategies, selectSharedStrategy } from '../../db/research/own-strategies.ts';
import { found } from '../../engine/util/errors.ts';
import type { Route } from '../call/route.ts';
import { deletedSchema, idField, listSchema, pageQuery, queryInteger, z } from '../http/input/fields.ts';
import { sharingSchema } from '../runs/schemas.ts';
import { defineRoute, type Services } from './services.ts';
import {
  createStrategy,
  MAX_STRATEGIES,
  removeStrategy,
  replaceStrategy,
  STRATEGY_EXAMPLE,
  sharedStrategySchema,
  sharedStrategyView,
  shareStrategy,
  strategyBody,
  strategyDetail,
  strategyDetailSchema,
  strategySchema,
  strategyView,
} from './strategies.ts';

const TAG = 'Own strategies';
const COMMON = { tag: TAG, access: 'member', limit: 'account' } as const;
const strategyPath = z.object({ strategy_id: idField });

export const OWN_STRATEGY_ROUTES: readonly Route<Services>[] = [
  defineRoute({
    operationId: 'listOwnStrategies',
    ...COMMON,
    method: 'get',
    path: '/v1/my/strategies',
    summary: 'List strategies of the account, by name',
    querySchema: z.object(pageQuery),
    dataSchema: listSchema(strategySchema),
    errors: [],
    handle: async ({ query, caller, services: { pool } }) => {
      const { total, items } = await selectOwnStrategies(pool, caller.account.userId, query);
      return { total, page: query.page, size: query.size, items: items.map(strategyView) };
    },
  }),
  defineRoute({
    operationId: 'createOwnStrategy',
    ...COMMON,
    method: 'post',
    path: '/v1/my/strategies',
    summary: 'Save a strategy',
    description: `An account has at most ${MAX_STRATEGIES}. A run uses one with \`rules: {"saved": id}\`. Rules that compare instruments run in portfolios.`,
    takesIdempotencyKey: true,
    successStatus: 201,
    bodySchema: strategyBody,
    bodyExample: STRATEGY_EXAMPLE,
    dataSchema: strategySchema,
    errors: ['rule_invalid', 'quota_exceeded', 'name_taken'],
    handle: ({ body, ...call }) => createStrategy(call, body),
  }),
  defineRoute({
    operationId: 'getOwnStrategy',
    ...COMMON,
    method: 'get',
    path: '/v1/my/strategies/{strategy_id}',
    summary: 'Get a strategy of the account',
    pathSchema: strategyPath,
    querySchema: z.object({
      version: queryInteger(1, 1_000_000).optional().meta({ description: 'Default: the newest' }),
    }),
    dataSchema: strategyDetailSchema,
    errors: ['not_found'],
    handle: ({ path, query, ...call }) => strategyDetail(call, path.strategy_id, query.version),
  }),
  defineRoute({
    operationId: 'updateOwnStrategy',
    ...COMMON,
    method: 'put',
    path: '/v1/my/strategies/{strategy_id}',
    summary: 'Replace a strategy by a new version',
    description: 'Earlier versions stay: runs name the version that they used, and a run may choose one.',
    pathSchema: strategyPath,
    bodySchema: strategyBody,
    bodyExample: STRATEGY_EXAMPLE,
    dataSchema: strategySchema,
    errors: ['not_found', 'rule_invalid', 'name_taken'],
    handle: ({ path, body, ...call }) => replaceStrategy(call, path.strategy_id, body),
  }),
  defineRoute({
    operationId: 'deleteOwnStrategy',
    ...COMMON,
    method: 'delete',
    path: '/v1/my/strategies/{strategy_id}',
    summary: 'Delete a strategy with all its versions',
    description: 'Runs that used it keep its rules. Watches of it are deleted too.',
    pathSchema: strategyPath,
    dataSchema: deletedSchema,
    errors: ['not_found'],
    handle: ({ path, ...call }) => removeStrategy(call, path.strategy_id),
  }),
  defineRoute({
    operationId: 'shareOwnStrategy',
    ...COMMON,
    method: 'post',
    path: '/v1/my/strategies/{strategy_id}/share',
    summary: 'Share a strategy by a link, or revoke it',
    description: 'The link shows the newest version. Its slug never changes.',
    takesIdempotencyKey: true,
    pathSchema: strategyPath,
    bodySchema: z.strictObject({ shared: z.boolean().default(true) }),
    bodyExample: { shared: true },
    dataSchema: sharingSchema,
    errors: ['not_found'],
    handle: ({ path, body, ...call }) => shareStrategy(call, path.strategy_id, body.shared),
  }),
  defineRoute({
    operationId: 'getSharedStrategy',
    method: 'get',
    path: '/v1/strategies/shared/{slug}',
    tag: TAG,
    summary: 'Get a shared strategy',
    access: 'anyone',
    limit: 'public',
    pathSchema: z.object({ slug: z.string().min(6).max(32).meta({ example: 'p7Xk2mQ9' }) }),
    dataSchema: sharedStrategySchema,
    errors: ['not_found'],
    handle: async ({ path, services: { pool } }) => {
      return sharedStrategyView(found(await selectSharedStrategy(pool, path.slug)));
    },
  }),
];
