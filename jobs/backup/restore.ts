/** Restores a backup: the rows in one transaction, then the objects. */
import { once } from 'node:events';
import type { Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import {
  closeRestoredAccess,
  dropEverything,
  emptyTable,
  type RestoredAccess,
  restoreSequences,
  setTriggers,
  writeTable,
} from '../../db/backup/backup.ts';
import { type AuditIntent, insertAuditEntries } from '../../db/log/audit-log.ts';
import { MIGRATION_NAMES, withFreshSchema } from '../../db/migrate.ts';
import type { Connection } from '../../db/pool.ts';
import { toError } from '../../engine/util/errors.ts';
import { required } from '../../engine/util/values.ts';
import type { ObjectStorage } from '../../storage/storage.ts';
import { declareQueues, deleteJobs } from '../queue/boss.ts';
import {
  type ArchiveEnd,
  ArchiveError,
  type ArchiveSource,
  type Manifest,
  readArchive,
  verifyArchive,
} from './archive.ts';

export interface VerifiedBackup {
  readonly open: ArchiveSource;
  readonly manifest: Manifest;
  readonly end: ArchiveEnd;
}

/** Reads the whole archive. Throws an `ArchiveError` when it is incomplete, or of a version that this one cannot restore. */
export async function openBackup(open: ArchiveSource): Promise<VerifiedBackup> {
  const { manifest, end } = await verifyArchive(open);
  const problem = whyNot(manifest.migrations);
  if (problem !== null) throw new ArchiveError(problem);
  return { open, manifest, end };
}

/** Why a backup of a database with these migrations cannot be restored; null: it can. */
function whyNot(migrations: readonly string[]): string | null {
  if (migrations.join() === MIGRATION_NAMES.join()) return null;
  const unknown = migrations.filter((name) => !MIGRATION_NAMES.includes(name));
  const version = unknown.length > 0 && migrations.includes(MIGRATION_NAMES[0]) ? 'a newer' : 'an earlier';
  return `it is of ${version} version; restore it with that one`;
}

export interface RestoreOptions {
  readonly url: string;
  /** Null: the objects are in a bucket. */
  readonly storage: ObjectStorage | null;
  readonly at: Date;
  readonly intent: AuditIntent;
  /** Receives the restored share, from 0 to 1. */
  readonly onProgress: (share: number) => void;
}

/** Replaces the contents of the database. A failure leaves it unchanged. */
export async function restoreBackup(backup: VerifiedBackup, options: RestoreOptions): Promise<RestoredAccess> {
  const { url, at, intent, storage } = options;
  const empty = async (connection: Connection) => {
    await deleteJobs(url, connection);
    await dropEverything(connection);
  };
  const access = await withFreshSchema(url, empty, async (connection) => {
    await loadTables(connection, backup, options.onProgress);
    const closed = await closeRestoredAccess(connection, at);
    await insertAuditEntries(connection, intent, 'ok', at);
    return closed;
  });
  await declareQueues(url);
  if (storage) await restoreObjects(backup, storage);
  return access;
}

export async function loadTables(
  connection: Connection,
  { open, manifest: { tables }, end }: VerifiedBackup,
  onProgress: (share: number) => void,
): Promise<void> {
  const shapes = new Map(tables.map((table) => [table.name, table]));
  for (const table of tables) await setTriggers(connection, table, false);
  for (const table of tables.toReversed()) await emptyTable(connection, table);
  const expected = Object.values(end.tables).reduce((sum, { bytes }) => sum + bytes, 0) || 1;
  let done = 0;
  const current: { name?: string; copy?: TableCopy } = {};
  try {
    await readArchive(open, {
      rows: async (table, chunk) => {
        if (current.name !== table) {
          await current.copy?.end();
          current.name = table;
          current.copy = new TableCopy(writeTable(connection, required(shapes.get(table), table)));
        }
        await current.copy?.write(chunk);
        done += chunk.length;
        onProgress(Math.min(0.99, done / expected));
      },
    });
    await current.copy?.end();
  } catch (error) {
    // Otherwise the connection would wait for the rest of the rows and never accept the rollback.
    current.copy?.abort(toError(error));
    throw error;
  }
  await restoreSequences(connection, end.sequences);
  for (const table of tables) await setTriggers(connection, table, true);
}

/** A COPY of rows into one table. */
class TableCopy {
  private readonly stream: Writable;
  private readonly ended: Promise<void>;

  constructor(stream: Writable) {
    this.stream = stream;
    this.ended = finished(stream, { readable: false });
    this.ended.catch(() => {}); // The pending `write` or `end` rejects with its error.
  }

  async write(chunk: Buffer): Promise<void> {
    if (!this.stream.write(chunk)) await Promise.race([once(this.stream, 'drain'), this.ended]);
  }

  abort(error: Error): void {
    this.stream.destroy(error);
  }

  async end(): Promise<void> {
    this.stream.end();
    await this.ended;
  }
}

/** Stores the objects of the backup and removes all others. */
async function restoreObjects({ open, manifest }: VerifiedBackup, storage: ObjectStorage): Promise<void> {
  if (manifest.objects === null) return;
  const kept = new Set<string>();
  await readArchive(open, {
    object: async (key, content) => {
      kept.add(key);
      await storage.put(key, content);
    },
  });
  for await (const { key } of storage.list('')) if (!kept.has(key)) await storage.remove(key);
}
