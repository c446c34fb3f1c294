/** Writes the database and the objects, as of one moment, as one archive while the service runs. */
import { rename, rm } from 'node:fs/promises';
import type { Writable } from 'node:stream';
import { estimateBytes, readTable, selectSequences, selectTableShapes, useOneFormat } from '../../db/backup/backup.ts';
import { selectAppliedMigrations } from '../../db/migrate.ts';
import { type Connection, type Pool, readTransaction } from '../../db/pool.ts';
import type { ObjectStorage, StoredObject } from '../../storage/storage.ts';
import { ARCHIVE_FORMAT, type ArchiveEnd, ArchiveWriter, newArchiveFile } from './archive.ts';

export interface BackupOptions {
  readonly pool: Pool;
  /** Null: the objects are in a bucket, which has backups of its own. */
  readonly storage: ObjectStorage | null;
  readonly at: Date;
  /** Receives the written share, from 0 to 1. */
  readonly onProgress: (share: number) => void;
}

/** Writes the whole file or nothing. The file must not exist. */
export async function writeBackupFile({
  path,
  ...options
}: BackupOptions & { readonly path: string }): Promise<ArchiveEnd> {
  const temporary = `${path}.part`;
  await rm(temporary, { force: true });
  try {
    const end = await writeBackup(newArchiveFile(temporary), options);
    await rename(temporary, path);
    return end;
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

/** Writes an archive and ends `target`, which is destroyed after a failure. */
export async function writeBackup(target: Writable, options: BackupOptions): Promise<ArchiveEnd> {
  const archive = new ArchiveWriter(target);
  try {
    return await readTransaction(options.pool, (connection) => writeAll(connection, archive, options));
  } catch (error) {
    throw (await archive.abort()) ?? error;
  }
}

async function writeAll(
  connection: Connection,
  archive: ArchiveWriter,
  { storage, at, onProgress }: BackupOptions,
): Promise<ArchiveEnd> {
  await useOneFormat(connection);
  const tables = await selectTableShapes(connection);
  const objects = storage ? await listAll(storage) : [];
  const objectBytes = objects.reduce((sum, { bytes }) => sum + bytes, 0);
  const expected = objectBytes + (await estimateBytes(connection)) || 1;
  let done = 0;
  const onBytes = (bytes: number) => {
    done += bytes;
    onProgress(Math.min(0.99, done / expected));
  };
  await archive.addManifest({
    format: ARCHIVE_FORMAT,
    created_at: at.toISOString(),
    migrations: await selectAppliedMigrations(connection),
    tables: tables.map(({ name, columns }) => ({ name, columns: [...columns] })),
    objects: storage ? objects.length : null,
  });
  // Before the rows, while the objects that the rows of this transaction name still exist.
  for (const object of objects) {
    if (storage) await addObject(archive, storage, object);
    onBytes(object.bytes);
  }
  for (const table of tables) await archive.addTable(table.name, readTable(connection, table), onBytes);
  return archive.finish(await selectSequences(connection));
}

/** Adds an object. One that was removed since the listing belongs to a deleted row, and is skipped. */
async function addObject(archive: ArchiveWriter, storage: ObjectStorage, { key, bytes }: StoredObject): Promise<void> {
  if (bytes === 0) {
    const content = await storage.get(key);
    if (content) await archive.addObject(key, 0, content);
    return;
  }
  const content = await storage.get(key, { start: 0, end: bytes - 1 });
  if (content) await archive.addObject(key, bytes, content);
}

async function listAll(storage: ObjectStorage): Promise<StoredObject[]> {
  const objects: StoredObject[] = [];
  for await (const object of storage.list('')) objects.push(object);
  return objects;
}
