/** The routes of published claims. */

import { z } from '../http/input/fields.ts';
import type { OfferedKind } from '../runs/kinds.ts';
import { startsWith, stateRoute } from '../runs/routes.ts';
import { stateOf } from '../runs/schemas.ts';
import { defineRoute, type Services } from '../screener/services.ts';
import { claimSchema, claimsBody, claimsResultSchema, claimsSchema } from './claim-schemas.ts';
import { askedClaims, claimsResult, listClaims, readClaim } from './claims.ts';
import { UNIVERSE_ERRORS } from './request.ts';

const { awaited } = startsWith<Services>();
const TAG = 'Factors';

export const CLAIM_ROUTES: OfferedKind<Services> = {
  tag: TAG,
  own: [
    defineRoute({
      operationId: 'listClaims',
      method: 'get',
      path: '/v1/claims',
      tag: TAG,
      summary: 'List fifty published predictors beside their figures in this market',
      description:
        'Published, what is to be expected after publication, ours with its 90 % interval, why the two are not the same, and ' +
        'words. Computed for all stocks after each month’s last load; null until then. Those that need an own column run where the caller has it.',
      access: 'anyone',
      limit: 'static',
      dataSchema: claimsSchema,
      errors: [],
      handle: (call) => listClaims(call),
    }),
    defineRoute({
      operationId: 'getClaim',
      method: 'get',
      path: '/v1/claims/{code}',
      tag: TAG,
      summary: 'Get a published predictor beside its figures in this market',
      access: 'anyone',
      limit: 'static',
      pathSchema: z.object({ code: z.string().meta({ description: 'A claim', example: 'mom_12_1' }) }),
      dataSchema: claimSchema,
      errors: ['not_found'],
      handle: ({ path, ...call }) => readClaim(call, path.code),
    }),
    awaited({
      operationId: 'runClaims',
      path: '/v1/claims/run',
      tag: TAG,
      summary: 'Compute published predictors over a universe and a range',
      description:
        'Three rows each: all names equal, the same without microcaps, and by value with breakpoints of NYSE where the own ' +
        'column `shares` is there. Claims at their published values are no trials.',
      access: 'member',
      limit: 'optimize',
      bodySchema: claimsBody,
      bodyExample: { codes: ['mom_12_1', 'reversal_1m'], time_range: '5Y' },
      dataSchema: claimsResultSchema,
      errors: [...UNIVERSE_ERRORS, 'plan_capability'],
      read: ({ body, ...call }) => askedClaims(call, body),
    }),
  ],
  state: stateRoute('claims', TAG, {
    operationId: 'getClaimsJob',
    summary: 'Get the state of a run of claims',
    dataSchema: stateOf(claimsResultSchema),
    show: (call, run) => claimsResult(call, run),
  }),
};
