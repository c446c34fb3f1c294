/** The impact of loads: whose figures change by the bars and events that they have revised. */
import { isRevisingLoad } from '../../db/market/revisions.ts';
import type { Pool } from '../../db/pool.ts';
import { selectImpacts } from '../../db/runs/impacts.ts';
import { ServiceError } from '../../engine/util/errors.ts';
import { type Route, routesWith } from '../call/route.ts';
import { idField, listSchema, pageQuery, queryInteger, z } from '../http/input/fields.ts';
import { impactListSchema, impactSchema, impactView, readLoadImpacts } from './impact-view.ts';

interface Services {
  readonly pool: Pool;
}

const defineRoute = routesWith<Services>();

const COMMON = { tag: 'Evidence', access: 'member', limit: 'account', method: 'get' } as const;

export const IMPACT_ROUTES: readonly Route<Services>[] = [
  defineRoute({
    ...COMMON,
    operationId: 'getLoadImpact',
    path: '/v1/revisions/loads/{load}/impact',
    summary: 'Get the impact of a load that revised bars or events: the largest change of figures first',
    description:
      'Kept runs that have read what was revised are computed again. Everyone sees the counts and the shared runs, without ids and names; ' +
      'administrators see everything, also while a revised session is held. Your own: `/v1/my/impact`.',
    pathSchema: z.object({ load: idField }),
    querySchema: z.object(pageQuery),
    dataSchema: impactListSchema,
    errors: ['not_found'],
    handle: async ({ path: { load }, query, caller, services: { pool } }) => {
      const { isAdmin } = caller.account;
      if (!(await isRevisingLoad(pool, load))) throw new ServiceError('not_found');
      const [impact] = await readLoadImpacts(pool, [load]);
      const filter = { loads: [load], isShared: !isAdmin, isPublished: !isAdmin };
      const { total, items } = await selectImpacts(pool, filter, query);
      const { page, size } = query;
      return {
        ...impact,
        total,
        page,
        size,
        items: items.map((one) => impactView(one, isAdmin)),
      };
    },
  }),
  defineRoute({
    ...COMMON,
    operationId: 'listMyImpact',
    path: '/v1/my/impact',
    summary: 'List what loads that revised bars or events changed of yours, newest load first',
    querySchema: z.object({
      load: queryInteger(1, Number.MAX_SAFE_INTEGER).optional().meta({ description: 'Only of this load' }),
      ...pageQuery,
    }),
    dataSchema: listSchema(impactSchema),
    errors: [],
    handle: async ({ query: { load, ...query }, caller, services: { pool } }) => {
      const { userId } = caller.account;
      const filter = { loads: load === undefined ? undefined : [load], userId, isPublished: true };
      const { total, items } = await selectImpacts(pool, filter, query);
      return { total, ...query, items: items.map((one) => impactView(one, true)) };
    },
  }),
];
