/**
 * The job of the lake. Builds files on the local disk from one snapshot of the database, marks in the manifest which files are being
 * replaced, stores those, and writes the manifest again. Files that are being replaced are not served, so that readers get no content
 * that the manifest does not describe. If the job dies in between, the next one stores them again.
 */
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import {
  type Lake,
  markLakeFilesReplaced,
  publishLake,
  selectLake,
  selectLakeFiles,
} from '../../db/lake/lake-files.ts';
import { selectDataVersion } from '../../db/market/data-versions.ts';
import { selectNewestSession } from '../../db/market/loaded-sessions.ts';
import { type Pool, readTransaction, transaction } from '../../db/pool.ts';
import { newestDistributableDay } from '../../engine/market/calendar.ts';
import { formatDay } from '../../engine/market/dates.ts';
import { LAKE_MANIFEST, LAKE_PREFIX, lakeKey } from '../../storage/keys.ts';
import type { ObjectStorage } from '../../storage/storage.ts';
import type { JobContext } from '../contracts/job-context.ts';
import { LAKE_SCHEMA } from '../contracts/lake.ts';
import { assertNoneHeld } from '../quality/check-sessions.ts';
import { buildLake, type LakeBuild } from './build.ts';
import { readLakeSource } from './source.ts';

type LakeContext = Pick<JobContext, 'pool' | 'storage' | 'workFolder' | 'now' | 'log' | 'signal'>;

export async function writeLake(context: LakeContext): Promise<void> {
  const { pool, now, log, workFolder } = context;
  await assertNoneHeld(pool, now(), log);
  await mkdir(workFolder, { recursive: true, mode: 0o700 });
  const folder = await mkdtemp(join(workFolder, 'lake-'));
  try {
    const made = await build(context, folder);
    if (made) await publish(context, made.lake, made.build);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Null when nothing may be distributed yet. */
async function build({ pool, now, signal }: LakeContext, folder: string) {
  const at = new Date(now());
  const through = newestDistributableDay(at.getTime());
  return readTransaction(pool, async (connection) => {
    const newest = await selectNewestSession(connection, 'consolidated', through);
    if (newest === null) return null;
    const dataVersion = await selectDataVersion(connection);
    const known = new Map((await selectLakeFiles(connection)).map((file) => [file.path, file]));
    const source = await readLakeSource(connection, through);
    const lake: Lake = {
      schemaVersion: LAKE_SCHEMA,
      dataVersion,
      through: formatDay(through),
      newestSession: formatDay(newest),
      writtenAt: at,
    };
    return { lake, build: await buildLake(source, known, { folder, signal }) };
  });
}

async function publish({ pool, storage, signal, log }: LakeContext, lake: Lake, { changed, unchanged }: LakeBuild) {
  const files = [...unchanged, ...changed].sort((a, b) => (a.path < b.path ? -1 : 1));
  const paths = new Set(files.map(({ path }) => path));
  await markReplaced(pool, storage, changed, paths);
  for (const file of changed.toSorted(byRank)) {
    signal.throwIfAborted();
    await storage.put(lakeKey(file.path), file.open());
  }
  const listed = new Set([LAKE_MANIFEST, ...paths].map(lakeKey));
  for await (const { key } of storage.list(LAKE_PREFIX)) if (!listed.has(key)) await storage.remove(key);
  await putManifest(storage, lake, files, []);
  await transaction(pool, (connection) => publishLake(connection, lake, files));
  log.debug({ files: files.length, written: changed.length, newest: lake.newestSession }, 'lake written');
}

/** Marks the files that will be replaced or deleted. `paths`: files of the new lake. */
async function markReplaced(
  pool: Pool,
  storage: ObjectStorage,
  changed: readonly ManifestFile[],
  paths: ReadonlySet<string>,
): Promise<void> {
  const earlier = await selectLake(pool);
  const known = await selectLakeFiles(pool);
  const gone = known.filter(({ path }) => !paths.has(path));
  const replaced = [...changed, ...gone].map(({ path }) => path).sort();
  if (replaced.length === 0) return;
  await markLakeFilesReplaced(pool, replaced);
  // Without a manifest, no reader considers the files complete.
  if (earlier) await putManifest(storage, earlier, known, replaced);
}

/**
 * The order in which files change, so that adjusted prices are right at every moment: events, and symbols with the newest factors,
 * before the bars that they apply to, and sessions and figures after their bars.
 */
const ORDER = ['events', 'symbols', 'daily_bars', 'sessions', 'screener_daily'];

const rankOf = ({ path }: ManifestFile) => ORDER.findIndex((name) => path.startsWith(name));
const byRank = (a: ManifestFile, b: ManifestFile) => rankOf(a) - rankOf(b) || (a.path < b.path ? -1 : 1);

/** Writes the manifest for readers of the bucket. */
async function putManifest(
  storage: ObjectStorage,
  lake: Lake,
  files: readonly ManifestFile[],
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

interface ManifestFile {
  readonly path: string;
  readonly rows: number;
  readonly bytes: number;
  readonly sha256: string;
}
