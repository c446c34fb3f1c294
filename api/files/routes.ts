/** The market as files: `/v1/files`. */
import { selectLake, selectLakeFile, selectLakeFiles } from '../../db/lake/lake-files.ts';
import type { Pool } from '../../db/pool.ts';
import { found, ServiceError } from '../../engine/util/errors.ts';
import { EXPORT_CONTENT_TYPES } from '../../jobs/contracts/export.ts';
import { lakeDataKey } from '../../storage/keys.ts';
import type { ObjectStorage } from '../../storage/storage.ts';
import type { AccountCaller } from '../access/caller.ts';
import { assertPlanHas } from '../access/plans.ts';
import { type Route, routesWith } from '../call/route.ts';
import { type StoredFileReply, storedFile } from '../http/answer/reply.ts';
import { instant, z } from '../http/input/fields.ts';

interface Services {
  readonly pool: Pool;
  readonly storage: ObjectStorage;
  readonly market: { readonly whyNotReady: { readonly because?: 'loading' } };
}

const defineRoute = routesWith<Services>();

const filesSchema = z.object({
  schema_version: z.int(),
  data_version: z.string(),
  newest_session: z.iso.date(),
  written_at: instant,
  bytes: z.int(),
  files: z.array(z.object({ path: z.string(), rows: z.int(), bytes: z.int(), sha256: z.string() })),
});

const TAG = 'Files and SQL';
const PLAN = { plan: 'free', category: 'market_files' };

const filePath = z.object({
  path: z
    .preprocess((given) => (Array.isArray(given) ? given.join('/') : given), z.string().max(200))
    .meta({ example: 'symbols.parquet', description: 'The path with its slashes, as listed' }),
});

export const FILE_ROUTES: readonly Route<Services>[] = [
  defineRoute({
    operationId: 'listFiles',
    method: 'get',
    path: '/v1/files',
    tag: TAG,
    summary: 'List the Parquet files of the market',
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
    summary: 'Download a file of the market',
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

interface FilesCall {
  readonly services: Services;
  readonly caller: AccountCaller;
}

async function listFiles({ services, caller }: FilesCall): Promise<z.input<typeof filesSchema>> {
  assertPlanHas(caller, 'market_files');
  const lake = await selectLake(services.pool);
  if (!lake) throw new ServiceError('files_unavailable', services.market.whyNotReady);
  const files = await selectLakeFiles(services.pool);
  return {
    schema_version: lake.schemaVersion,
    data_version: lake.dataVersion,
    newest_session: lake.newestSession,
    written_at: lake.writtenAt.toISOString(),
    bytes: files.reduce((sum, { bytes }) => sum + bytes, 0),
    files: files.map(({ path, rows, bytes, sha256 }) => ({ path, rows, bytes, sha256 })),
  };
}

/** A file whose content matches the list: it is never replaced, only the list changes. */
async function marketFile({ services, caller }: FilesCall, path: string): Promise<StoredFileReply> {
  assertPlanHas(caller, 'market_files');
  const { pool, storage } = services;
  const file = found(await selectLakeFile(pool, path));
  const { bytes, sha256: checksum } = file;
  const stored = { key: lakeDataKey(file), name: path.replaceAll('/', '-'), bytes, checksum };
  return storedFile(storage, { ...stored, contentType: EXPORT_CONTENT_TYPES.parquet }, 'files_unavailable');
}
