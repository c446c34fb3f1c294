/**
 * The job of the lake. Builds files on the local disk from one snapshot of the database, stores them under names of their content,
 * and commits them: the list of files and the tables over them change in one transaction.
 */
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type Lake,
  type LakeFile,
  lockLake,
  publishLake,
  selectLake,
  selectLakeFiles,
} from '../../db/lake/lake-files.ts';
import { lockAgainstRemoval } from '../../db/lake/lake-tables.ts';
import { selectDataVersion } from '../../db/market/data-versions.ts';
import { selectNewestSession } from '../../db/market/loaded-sessions.ts';
import { type Connection, readTransaction, transaction } from '../../db/pool.ts';
import { endStep } from '../../db/queue/session-steps.ts';
import { TRANSFER_LIMITS } from '../../db/session-limits.ts';
import { newestDistributableDay } from '../../engine/market/calendar.ts';
import { formatDay, requireDay } from '../../engine/market/dates.ts';
import { FORMER_LAKE_PREFIX, lakeDataKey } from '../../storage/keys.ts';
import type { JobContext } from '../contracts/job-context.ts';
import { LAKE_SCHEMA } from '../contracts/lake.ts';
import { assertNoneHeld } from '../quality/check-sessions.ts';
import { removePrefix } from '../storage/remove-objects.ts';
import { commitTables, LakeMoved, writeVersionHints } from '../tables/commit.ts';
import { buildLake, type LakeBuild } from './build.ts';
import type { BuiltFile } from './local-file.ts';
import { type LakeSource, readLakeSource } from './source.ts';

type LakeContext = Pick<JobContext, 'pool' | 'storage' | 'workFolder' | 'now' | 'log' | 'signal'>;

/** How often a writer starts again because another one was faster. */
const MAX_ATTEMPTS = 3;

export async function writeLake(context: LakeContext): Promise<void> {
  const { pool, now, log } = context;
  await assertNoneHeld(pool, now(), log);
  for (let attempt = 1; ; attempt++) {
    try {
      return await writeOnce(context);
    } catch (error) {
      if (!(error instanceof LakeMoved) || attempt === MAX_ATTEMPTS) throw error;
      log.warn({ err: error }, 'another writer has changed the lake; starting again');
    }
  }
}

async function writeOnce(context: LakeContext): Promise<void> {
  const { pool, storage, workFolder } = context;
  await mkdir(workFolder, { recursive: true, mode: 0o700 });
  const folder = await mkdtemp(join(workFolder, 'lake-'));
  try {
    const made = await build(context, folder);
    if (made) await publish(context, made);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  await transaction(pool, (connection) => writeVersionHints(connection, storage), TRANSFER_LIMITS);
  // A reader of the bucket would take these copies of earlier versions for the market of today.
  await removePrefix(storage, FORMER_LAKE_PREFIX);
}

interface MadeLake {
  readonly lake: Lake;
  readonly build: LakeBuild;
  /** The lake that it was made from; null: there was none. */
  readonly base: Lake | null;
  readonly earlier: readonly LakeFile[];
  readonly fieldIds: LakeSource['fieldIds'];
}

/** Null when nothing may be distributed yet. */
async function build({ pool, now, signal }: LakeContext, folder: string): Promise<MadeLake | null> {
  const at = new Date(now());
  const through = newestDistributableDay(at.getTime());
  return readTransaction(pool, async (connection) => {
    const newest = await selectNewestSession(connection, 'consolidated', through);
    if (newest === null) return null;
    const dataVersion = await selectDataVersion(connection);
    const base = await selectLake(connection);
    const earlier = await selectLakeFiles(connection);
    const source = await readLakeSource(connection, through);
    const lake: Lake = {
      schemaVersion: LAKE_SCHEMA,
      dataVersion,
      through: formatDay(through),
      newestSession: formatDay(newest),
      writtenAt: at,
    };
    const known = new Map(earlier.map((file) => [file.path, file]));
    const built = await buildLake(source, known, { folder, signal });
    return { lake, build: built, base, earlier, fieldIds: source.fieldIds };
  });
}

async function publish({ pool, storage, signal, log, now }: LakeContext, made: MadeLake): Promise<void> {
  const { lake, base, earlier, fieldIds } = made;
  const { changed, unchanged } = made.build;
  const commit = async (connection: Connection) => {
    await lockAgainstRemoval(connection);
    for (const file of changed) {
      signal.throwIfAborted();
      const key = lakeDataKey(file);
      if ((await storage.size(key)) !== file.bytes) await storage.put(key, file.open());
    }
    const files = [...unchanged, ...changed.map(newFile)].sort((a, b) => (a.path < b.path ? -1 : 1));
    const committed = await commitTables(connection, storage, { lake, files, earlier, fieldIds });
    if (!(await lockLake(connection, base))) throw new LakeMoved('the list of files has changed');
    await publishLake(connection, lake, committed);
    const rows = files.reduce((sum, file) => sum + file.rows, 0);
    await endStep(connection, { step: 'lake', days: [requireDay(lake.newestSession)], at: new Date(now()), rows });
  };
  await transaction(pool, commit, TRANSFER_LIMITS);
  log.debug({ written: changed.length, newest: lake.newestSession }, 'lake committed');
}

function newFile({ path, rows, bytes, sha256, source, statistics }: BuiltFile): LakeFile {
  const file = { path, rows, bytes, sha256, source, statistics };
  return { ...file, snapshotId: null, sequenceNumber: null };
}
