/** Columns that everyone reads: `/api/admin/columns`. */
import { deleteColumn } from '../../db/research/column-writes.ts';
import { ServiceError } from '../../engine/util/errors.ts';
import { audited, auditIntent } from '../call/audited.ts';
import { routesWith } from '../call/route.ts';
import { deletedSchema, fileBody } from '../http/input/fields.ts';
import { FILE_TYPES } from '../my/column-routes.ts';
import { columnPath, commonColumnQuery, uploadSpec } from '../my/columns.ts';
import { requestRun } from '../runs/request.ts';
import { jobSchema } from '../runs/schemas.ts';
import type { Services } from '../runs/services.ts';
import { acceptedRun } from '../runs/state.ts';

const COMMON = { tag: 'Back office: market data', access: 'admin', limit: 'back_office' } as const;
const PATH = '/api/admin/columns/{name}';
const defineRoute = routesWith<Services>();

export const COMMON_COLUMN_ROUTES = [
  defineRoute({
    ...COMMON,
    operationId: 'updateCommonColumn',
    method: 'put',
    path: PATH,
    summary: 'Write a column that everyone reads',
    description: 'As `PUT /v1/my/columns/{name}`, without limits of a plan.',
    audit: { action: 'column.update', target: 'column', parameter: 'name' },
    pathSchema: columnPath,
    querySchema: commonColumnQuery,
    bodySchema: fileBody,
    bodyTypes: FILE_TYPES,
    successStatus: 202,
    dataSchema: jobSchema,
    errors: ['column_refused', 'body_too_large', 'storage_full', 'concurrent_backtests'],
    handle: async ({ path, query, body, ...asked }) => {
      const { services, context } = asked;
      // The limits of the greatest plan, whichever the administrator has.
      const caller = { ...asked.caller, plan: 'enterprise' as const };
      const call = { ...asked, caller };
      const spec = await uploadSpec(call, path.name, { settings: query, isCommon: true, body });
      const intent = auditIntent(call, { details: { source: query.source, license: query.license } });
      const run = await audited(call, intent, async () => {
        const queued = await requestRun(services, context, caller, { kind: 'column', spec, isAsync: true });
        return { result: queued, entries: intent.entries };
      });
      return acceptedRun(services.pool, run, context.locale);
    },
  }),
  defineRoute({
    ...COMMON,
    operationId: 'deleteCommonColumn',
    method: 'delete',
    path: PATH,
    summary: 'Delete a column that everyone reads',
    audit: { action: 'column.delete', target: 'column', parameter: 'name' },
    pathSchema: columnPath,
    dataSchema: deletedSchema,
    errors: ['not_found'],
    handle: ({ path, ...call }) => {
      const intent = auditIntent(call);
      return audited(call, intent, async (connection) => {
        if (!(await deleteColumn(connection, null, path.name))) throw new ServiceError('not_found');
        return { result: { deleted: true as const }, entries: intent.entries };
      });
    },
  }),
];
