/** Handlers of the routes for market files. */
import { selectLake, selectLakeFile, selectLakeFiles } from '../../db/lake/lake-files.ts';
import { found, ServiceError } from '../../engine/util/errors.ts';
import { EXPORT_CONTENT_TYPES } from '../../jobs/contracts/export.ts';
import { lakeKey } from '../../storage/keys.ts';
import type { AccountCaller } from '../access/caller.ts';
import { assertPlanHas } from '../access/plans.ts';
import type { StoredFileReply } from '../http/answer/reply.ts';
import { storedFile } from '../http/answer/stored-object.ts';
import type { z } from '../http/input/fields.ts';
import type { filesSchema } from './schemas.ts';
import type { Services } from './services.ts';

interface FilesCall {
  readonly services: Services;
  readonly caller: AccountCaller;
}

export async function listFiles({ services, caller }: FilesCall): Promise<z.input<typeof filesSchema>> {
  assertPlanHas(caller, 'market_files');
  const lake = await selectLake(services.pool);
  if (!lake) throw new ServiceError('files_unavailable');
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

/** A file whose content is what the list says of it. */
export async function marketFile({ services, caller }: FilesCall, path: string): Promise<StoredFileReply> {
  assertPlanHas(caller, 'market_files');
  const { pool, storage } = services;
  const file = found(await selectLakeFile(pool, path));
  if (file.isBeingReplaced) throw new ServiceError('files_unavailable');
  const { bytes, sha256: checksum } = file;
  const stored = { key: lakeKey(path), name: path.replaceAll('/', '-'), bytes, checksum };
  return storedFile(storage, { ...stored, contentType: EXPORT_CONTENT_TYPES.parquet }, 'files_unavailable');
}
