/** The nightly part of the tables: old snapshots expire, and objects that no kept snapshot names are removed a day later. */
import { selectLakeFiles } from '../../db/lake/lake-files.ts';
import {
  deleteSnapshots,
  moveTablePointer,
  selectDueOrphans,
  selectTablePointers,
  type TablePointer,
  tryLockForRemoval,
  updateOrphans,
} from '../../db/lake/lake-tables.ts';
import { type Connection, type Pool, transaction } from '../../db/pool.ts';
import { TRANSFER_LIMITS } from '../../db/session-limits.ts';
import { MS_PER_DAY } from '../../engine/market/dates.ts';
import { required } from '../../engine/util/values.ts';
import { lakeDataKey, TABLES_PREFIX, tableMetadataKey, tablePrefix } from '../../storage/keys.ts';
import type { ObjectStorage } from '../../storage/storage.ts';
import type { JobContext } from '../contracts/job-context.ts';
import { storeMetadata, VERSION_HINT, writeVersionHints } from './commit.ts';
import { expiredSnapshots, metadataKey, readMetadata, type TableMetadata, withoutSnapshots } from './metadata.ts';
import { readManifests, tableObjectKey } from './read-snapshot.ts';

type ExpiryContext = Pick<JobContext, 'pool' | 'storage' | 'now' | 'signal' | 'log' | 'tableSnapshotDays'>;

/** A reader that began before a snapshot expired has this long to finish. */
const GRACE_MS = MS_PER_DAY;

export async function expireTables(context: ExpiryContext): Promise<void> {
  const { pool, storage, signal, log } = context;
  for (const pointer of await selectTablePointers(pool)) {
    signal.throwIfAborted();
    const expired = await expireSnapshots(context, pointer);
    if (expired > 0) log.debug({ table: pointer.name, expired }, 'snapshots expired');
  }
  await transaction(pool, (connection) => writeVersionHints(connection, storage), TRANSFER_LIMITS);
  const removed = await removeUnnamed(context);
  if (removed > 0) log.debug({ removed }, 'objects that no snapshot of a table names were removed');
}

/** Returns how many snapshots of a table have expired; 0 also when another writer was faster, until the next run. */
async function expireSnapshots(context: ExpiryContext, pointer: TablePointer): Promise<number> {
  const { pool, storage, now, tableSnapshotDays } = context;
  const metadata = await metadataOf(storage, pointer);
  const expired = expiredSnapshots(metadata, now() - tableSnapshotDays * MS_PER_DAY);
  if (expired.length === 0) return 0;
  const kept = withoutSnapshots(metadata, expired, Math.max(now(), metadata['last-updated-ms'] + 1));
  const version = await storeMetadata(storage, pointer.name, kept, pointer.version + 1);
  return transaction(pool, async (connection) => {
    const isMoved = await moveTablePointer(connection, pointer.version, { ...pointer, version });
    if (!isMoved) return 0;
    const ids = expired.map((one) => one['snapshot-id']);
    await deleteSnapshots(connection, pointer.name, ids);
    return ids.length;
  });
}

async function metadataOf(storage: ObjectStorage, pointer: TablePointer): Promise<TableMetadata> {
  return required(await readMetadata(storage, pointer), `the metadata of ${pointer.name}`);
}

/** Removes the objects that have been unneeded for the time of grace. Does nothing while a commit is under way. */
async function removeUnnamed({ pool, storage, now, signal }: ExpiryContext): Promise<number> {
  const remove = async (connection: Connection) => {
    if (!(await tryLockForRemoval(connection))) return 0;
    const unnamed = await unnamedObjects(connection, storage, signal);
    await updateOrphans(connection, unnamed, new Date(now()));
    const due = await selectDueOrphans(connection, new Date(now() - GRACE_MS));
    for (const key of due) {
      signal.throwIfAborted();
      await storage.remove(key);
    }
    return due.length;
  };
  return transaction(pool, remove, TRANSFER_LIMITS);
}

/** The stored objects of tables that no kept snapshot needs. */
export async function unnamedObjects(
  db: Pool | Connection,
  storage: ObjectStorage,
  signal?: AbortSignal,
): Promise<string[]> {
  // Manifests leave out files without rows.
  const named = new Set((await selectLakeFiles(db)).map(lakeDataKey));
  for (const pointer of await selectTablePointers(db)) {
    // An object is unneeded only if all tables can be read: otherwise nothing is removed.
    for await (const key of namedObjects(storage, pointer)) {
      signal?.throwIfAborted();
      named.add(key);
    }
  }
  const unnamed: string[] = [];
  for await (const { key } of storage.list(TABLES_PREFIX)) if (!named.has(key)) unnamed.push(key);
  return unnamed;
}

/** The objects that readers of the kept snapshots of a table need. */
async function* namedObjects(storage: ObjectStorage, pointer: TablePointer): AsyncGenerator<string> {
  const { name, version, location } = pointer;
  // A table that has moved to another storage has no objects here.
  if (storage.locationOf(tablePrefix(name)) !== location) return;
  const metadata = await metadataOf(storage, pointer);
  yield tableMetadataKey(name, VERSION_HINT);
  yield metadataKey(name, version);
  for (const { 'metadata-file': file } of metadata['metadata-log']) yield tableObjectKey(pointer, file);
  for (const snapshot of metadata.snapshots) {
    yield tableObjectKey(pointer, snapshot['manifest-list']);
    for await (const { key, files } of readManifests(storage, pointer, snapshot)) {
      yield key;
      for (const file of files) yield tableObjectKey(pointer, file.file_path);
    }
  }
}
