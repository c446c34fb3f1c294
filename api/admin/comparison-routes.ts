/** Comparisons of the loaded bars with those of other providers: `/api/admin/data/comparisons`. */
import { selectComparisons } from '../../db/market/comparisons.ts';
import { EXPORT_CONTENT_TYPES } from '../../jobs/contracts/export.ts';
import { PROVIDER_IDS } from '../../jobs/providers/providers.ts';
import type { Route } from '../call/route.ts';
import { Accepted } from '../http/answer/reply.ts';
import { idField, listSchema, pageQuery, z } from '../http/input/fields.ts';
import {
  comparisonBody,
  comparisonSchema,
  comparisonView,
  createComparison,
  differenceQuery,
  differenceSchema,
  downloadDifferences,
  listDifferences,
} from './comparisons.ts';
import { defineRoute, type Services } from './services.ts';

const COMMON = { tag: 'Back office: market data', access: 'admin', limit: 'back_office' } as const;
const PATH = '/api/admin/data/comparisons';
const OF_ONE = {
  pathSchema: z.object({ id: idField }),
  errorDetails: { wrong_state: { needed: 'done', status: 'running' } },
} as const;

export const COMPARISON_ROUTES: readonly Route<Services>[] = [
  defineRoute({
    operationId: 'listComparisons',
    ...COMMON,
    method: 'get',
    path: PATH,
    summary: 'List comparisons with other providers, newest first',
    querySchema: z.object(pageQuery),
    dataSchema: listSchema(comparisonSchema).extend({
      providers: z.array(z.enum(PROVIDER_IDS)).meta({ description: 'Providers to compare with' }),
    }),
    errors: [],
    handle: async ({ query: { page, size }, services: { pool, otherProviders } }) => {
      const { total, items } = await selectComparisons(pool, { page, size });
      return { total, page, size, items: items.map(comparisonView), providers: [...otherProviders] };
    },
  }),
  defineRoute({
    operationId: 'createComparison',
    ...COMMON,
    method: 'post',
    takesIdempotencyKey: true,
    path: PATH,
    summary: 'Compare the loaded bars with those of another provider',
    description: 'To cancel it, call `cancelJob` with the queue `compare` and `job_id`.',
    audit: { action: 'market.compare', target: 'market' },
    successStatus: 202,
    acceptedSchema: comparisonSchema,
    dataSchema: comparisonSchema,
    bodySchema: comparisonBody,
    bodyExample: { against: 'massive', start: '2026-05-01', end: '2026-05-29' },
    errors: ['invalid_date', 'invalid_date_range', 'provider_not_configured'],
    handle: async ({ body, ...call }) => new Accepted(PATH, await createComparison(call, body)),
  }),
  defineRoute({
    operationId: 'listDifferences',
    ...COMMON,
    ...OF_ONE,
    method: 'get',
    path: `${PATH}/{id}/differences`,
    summary: 'List the differences that a comparison found, largest first',
    description: 'At most 100,000 of each kind, and none for old comparisons; the file has all.',
    querySchema: differenceQuery,
    dataSchema: listSchema(differenceSchema),
    errors: ['not_found', 'wrong_state', 'invalid_date', 'invalid_date_range', 'invalid_symbol', 'symbol_not_found'],
    handle: ({ path, query, ...call }) => listDifferences(call, path.id, query),
  }),
  defineRoute({
    operationId: 'downloadDifferences',
    ...COMMON,
    ...OF_ONE,
    method: 'get',
    path: `${PATH}/{id}/download`,
    summary: 'Download all differences as Parquet',
    fileTypes: [EXPORT_CONTENT_TYPES.parquet],
    isResumable: true,
    dataSchema: z.string(),
    errors: ['not_found', 'wrong_state'],
    handle: ({ path, ...call }) => downloadDifferences(call, path.id),
  }),
];
