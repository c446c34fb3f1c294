/** Exports of market data: `/api/admin/data/export…`. */
import { EXPORT_STATUSES, selectExports } from '../../db/queue/exports.ts';
import { EXPORT_COLUMNS, EXPORT_CONTENT_TYPES } from '../../jobs/contracts/export.ts';
import type { Route } from '../call/route.ts';
import { symbolListBody } from '../http/input/body.ts';
import { idField, listSchema, pageQuery, queryFlag, z } from '../http/input/fields.ts';
import {
  cancelRunningExport,
  createExport,
  downloadExport,
  EXPORTS_PATH,
  exportBody,
  exportSchema,
  exportView,
  MAX_EXPORT_SYMBOLS,
  retryFailedExport,
  viewExport,
} from './exports.ts';
import { defineRoute, type Services } from './services.ts';

const COMMON = { tag: 'Back office: market data', access: 'admin', limit: 'back_office' } as const;
const FILE_TYPES = Object.values(EXPORT_CONTENT_TYPES).map((type) => type.split(';')[0]);
const idPath = z.object({ export_id: idField });
const CHANGED = { successStatus: 202, acceptedSchema: exportSchema, dataSchema: exportSchema } as const;

export const EXPORT_ROUTES: readonly Route<Services>[] = [
  defineRoute({
    operationId: 'createExport',
    ...COMMON,
    method: 'post',
    takesIdempotencyKey: true,
    path: '/api/admin/data/export',
    summary: 'Export daily bars as a file',
    description:
      `Columns: \`${EXPORT_COLUMNS.join(',')}\`, ordered by symbol and day. Up to 50 symbols and five years are ` +
      'answered with the file, more with 202 and the queued export. `X-Export-Id` is the id of the export; its ' +
      'file can be downloaded for seven days.',
    audit: { action: 'export.create', target: 'export' },
    bodySchema: exportBody,
    bodyExample: { symbols: ['ACRX', 'MTMX.US'], start: '2026-05-01', end: '2026-05-29' },
    bodyLimits: symbolListBody(MAX_EXPORT_SYMBOLS),
    fileTypes: FILE_TYPES,
    acceptedSchema: exportSchema,
    dataSchema: z.string(),
    errors: [
      'invalid_symbol',
      'market_not_open',
      'symbol_not_found',
      'invalid_date',
      'invalid_date_range',
      'invalid_adjust',
      'invalid_asset_type',
      'storage_full',
    ],
    handle: ({ body, ...call }) => createExport(call, body),
  }),
  defineRoute({
    operationId: 'listExports',
    ...COMMON,
    method: 'get',
    path: EXPORTS_PATH,
    summary: 'List exports, newest first',
    querySchema: z.object({
      status: z.enum(EXPORT_STATUSES).optional().meta({ description: 'Only exports with this status' }),
      mine: queryFlag(true).meta({ description: "Only the caller's own exports" }),
      ...pageQuery,
    }),
    dataSchema: listSchema(exportSchema),
    errors: [],
    handle: async ({ query: { status, mine, page, size }, caller, services: { pool } }) => {
      const userId = mine ? caller.account.userId : undefined;
      const { total, items } = await selectExports(pool, { status, userId }, { page, size });
      return { total, page, size, items: items.map(exportView) };
    },
  }),
  defineRoute({
    operationId: 'getExport',
    ...COMMON,
    method: 'get',
    path: `${EXPORTS_PATH}/{export_id}`,
    summary: 'Get an export with its progress',
    pathSchema: idPath,
    dataSchema: exportSchema,
    errors: ['not_found'],
    handle: ({ path, ...call }) => viewExport(call, path.export_id),
  }),
  defineRoute({
    operationId: 'downloadExport',
    ...COMMON,
    method: 'get',
    path: `${EXPORTS_PATH}/{export_id}/download`,
    summary: 'Download the file of an export',
    description:
      'Only for the administrator who created the export, until it expires. `Range` with `If-Range` resumes a download.',
    audit: { action: 'export.download', target: 'export', parameter: 'export_id' },
    pathSchema: idPath,
    fileTypes: FILE_TYPES,
    isResumable: true,
    dataSchema: z.string(),
    errors: ['not_found', 'export_forbidden', 'export_expired', 'export_not_finished'],
    handle: ({ path, ...call }) => downloadExport(call, path.export_id),
  }),
  defineRoute({
    operationId: 'retryExport',
    ...COMMON,
    ...CHANGED,
    method: 'post',
    takesIdempotencyKey: true,
    path: `${EXPORTS_PATH}/{export_id}/retry`,
    summary: 'Retry a failed export',
    audit: { action: 'export.retry', target: 'export', parameter: 'export_id' },
    pathSchema: idPath,
    errors: ['not_found', 'wrong_state', 'export_expired'],
    handle: ({ path, ...call }) => retryFailedExport(call, path.export_id),
  }),
  defineRoute({
    operationId: 'cancelExport',
    ...COMMON,
    ...CHANGED,
    method: 'post',
    takesIdempotencyKey: true,
    path: `${EXPORTS_PATH}/{export_id}/cancel`,
    summary: 'Cancel an export that waits or runs',
    description: 'The export becomes `failed`, and its file is removed.',
    audit: { action: 'export.cancel', target: 'export', parameter: 'export_id' },
    pathSchema: idPath,
    errors: ['not_found', 'wrong_state'],
    errorDetails: { wrong_state: { needed: 'pending, running', status: 'done' } },
    handle: ({ path, ...call }) => cancelRunningExport(call, path.export_id),
  }),
];
