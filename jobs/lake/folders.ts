/**
 * The folder layout of the lake: the same files under fixed paths, for engines that read folders. Files that are being replaced are
 * named in the manifest, so that readers of the bucket take no content that it does not describe.
 */
import { Readable } from 'node:stream';
import {
  type Lake,
  type LakeFile,
  lockFolders,
  markFoldersWritten,
  selectLake,
  selectLakeFiles,
} from '../../db/lake/lake-files.ts';
import { type Connection, transaction } from '../../db/pool.ts';
import { TRANSFER_LIMITS } from '../../db/session-limits.ts';
import { required } from '../../engine/util/values.ts';
import { LAKE_MANIFEST, LAKE_PREFIX, lakeDataKey, lakeKey } from '../../storage/keys.ts';
import type { ObjectStorage } from '../../storage/storage.ts';
import type { JobContext } from '../contracts/job-context.ts';

/** Brings the layout up to date with the committed list of files. */
export async function writeFolders({ pool, storage, signal }: Pick<JobContext, 'pool' | 'storage' | 'signal'>) {
  const write = async (connection: Connection) => {
    await lockFolders(connection);
    const lake = await selectLake(connection);
    if (!lake) return;
    const files = await selectLakeFiles(connection);
    const outdated = files.filter(({ isBeingReplaced }) => isBeingReplaced).toSorted(byRank);
    const listed = new Set([LAKE_MANIFEST, ...files.map(({ path }) => path)].map(lakeKey));
    const gone: string[] = [];
    for await (const { key } of storage.list(LAKE_PREFIX)) if (!listed.has(key)) gone.push(key);
    const replacing = [...outdated.map(({ path }) => path), ...gone.map((key) => key.slice(LAKE_PREFIX.length))].sort();
    if (replacing.length > 0) await putManifest(storage, lake, files, replacing);
    for (const file of outdated) {
      signal.throwIfAborted();
      const content = required(await storage.get(lakeDataKey(file)), `the content of ${file.path}`);
      await storage.put(lakeKey(file.path), content);
    }
    for (const key of gone) await storage.remove(key);
    await putManifest(storage, lake, files, []);
    await markFoldersWritten(connection, outdated);
  };
  await transaction(pool, write, TRANSFER_LIMITS);
}

/**
 * The order in which files change, so that adjusted prices are right at every moment: events, and symbols with the newest factors,
 * before the bars that they apply to, and sessions and figures after their bars.
 */
const ORDER = ['events', 'symbols', 'daily_bars', 'sessions', 'revisions', 'screener_daily'];

const rankOf = ({ path }: LakeFile) => ORDER.findIndex((name) => path.startsWith(name));
const byRank = (a: LakeFile, b: LakeFile) => rankOf(a) - rankOf(b) || (a.path < b.path ? -1 : 1);

/** Writes the manifest for readers of the bucket. */
async function putManifest(
  storage: ObjectStorage,
  lake: Lake,
  files: readonly LakeFile[],
  replacing: readonly string[],
): Promise<void> {
  const manifest = {
    schema_version: lake.schemaVersion,
    data_version: lake.dataVersion,
    newest_session: lake.newestSession,
    written_at: lake.writtenAt.toISOString(),
    replacing,
    files: files.map(({ path, rows, bytes, sha256 }) => ({ path, rows, bytes, sha256 })),
  };
  await storage.put(lakeKey(LAKE_MANIFEST), Readable.from([JSON.stringify(manifest, null, 1)]));
}
