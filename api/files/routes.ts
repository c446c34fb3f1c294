/** The market as files: `/v1/files`. */
import { EXPORT_CONTENT_TYPES } from '../../jobs/contracts/export.ts';
import type { Route } from '../call/route.ts';
import { z } from '../http/input/fields.ts';
import { listFiles, marketFile } from './handlers.ts';
import { filesSchema } from './schemas.ts';
import { defineRoute, type Services } from './services.ts';

const TAG = 'Files and SQL';
const PLAN = { plan: 'free', category: 'market_files' };

const filePath = z.object({
  path: z
    .preprocess((given) => (Array.isArray(given) ? given.join('/') : given), z.string().max(200))
    .meta({ example: 'symbols.parquet', description: 'With its slashes, as in the list' }),
});

export const FILE_ROUTES: readonly Route<Services>[] = [
  defineRoute({
    operationId: 'listFiles',
    method: 'get',
    path: '/v1/files',
    tag: TAG,
    summary: 'The market as Parquet files',
    description: 'Plans pro and enterprise.',
    access: 'member',
    limit: 'account',
    dataSchema: filesSchema,
    errors: ['plan_capability', 'files_unavailable'],
    errorDetails: { plan_capability: PLAN },
    handle: listFiles,
  }),
  defineRoute({
    operationId: 'downloadFile',
    method: 'get',
    path: '/v1/files/{path}',
    hasDeepPath: true,
    tag: TAG,
    summary: 'One of the files',
    access: 'member',
    limit: 'account',
    pathSchema: filePath,
    fileTypes: [EXPORT_CONTENT_TYPES.parquet],
    isResumable: true,
    dataSchema: z.string(),
    errors: ['not_found', 'plan_capability', 'files_unavailable'],
    errorDetails: { plan_capability: PLAN },
    handle: ({ path, ...call }) => marketFile(call, path.path),
  }),
];
