/** The drill: restores the newest backup from the bucket into a database of its own, and compares every table with the backup. */
import { addAbortSignal, pipeline } from 'node:stream';
import { readTable, type TableShape, useOneFormat } from '../../db/backup/backup.ts';
import { type Backup, finishDrill, selectRestorableBackup, startDrill } from '../../db/backup/backups.ts';
import { scratchServer, withScratchDatabase } from '../../db/backup/scratch.ts';
import { LAST_MIGRATION, withFreshSchema } from '../../db/migrate.ts';
import type { Connection } from '../../db/pool.ts';
import { toError } from '../../engine/util/errors.ts';
import type { ObjectStorage } from '../../storage/storage.ts';
import { type JobContext, PermanentFailure } from '../contracts/job-context.ts';
import { ArchiveError, type ArchiveSource, TableMeter, type TableTotals } from './archive.ts';
import { Digest } from './digest.ts';
import { loadTables, openBackup, type VerifiedBackup } from './restore.ts';
import { openBackupBucket, requireBackups } from './run.ts';

export type DrillContext = Pick<
  JobContext,
  'pool' | 'backups' | 'databaseUrl' | 'workFolder' | 'now' | 'log' | 'signal'
>;

/** Does nothing while there is no backup of this version. */
export async function runDrill(context: DrillContext): Promise<void> {
  const { pool, now, log, databaseUrl, workFolder } = context;
  const bucket = openBackupBucket(requireBackups(context.backups));
  const backup = await selectRestorableBackup(pool, LAST_MIGRATION);
  if (!backup) return;
  const id = await startDrill(pool, backup.id, new Date(now()));
  const server = await scratchServer();
  try {
    const verified = await readBackup(context, bucket, backup);
    const rows = await withScratchDatabase(server, { url: databaseUrl, folder: workFolder, log }, (url) =>
      tryRestore(context, verified, url),
    );
    await finishDrill(pool, id, { state: 'passed', at: new Date(now()), server, rows });
    log.info({ backup: backup.key, rows, server }, 'a backup was restored');
  } catch (error) {
    const { message } = toError(error);
    const isDamaged = error instanceof ArchiveError;
    const end = { at: new Date(now()), server, error: message };
    await finishDrill(pool, id, { ...end, state: isDamaged ? 'damaged' : 'failed' });
    // Another attempt would find the same damage.
    throw isDamaged ? new PermanentFailure(`${backup.key}: ${message}`) : error;
  }
}

/** Reads the whole backup, and compares it with what was written. */
async function readBackup({ signal }: DrillContext, bucket: ObjectStorage, backup: Backup): Promise<VerifiedBackup> {
  const open: ArchiveSource = async () => {
    const content = await bucket.get(backup.key);
    if (!content) throw new ArchiveError('its object is gone');
    return addAbortSignal(signal, content);
  };
  const digest = new Digest();
  const { manifest, end } = await openBackup(async () => pipeline(await open(), digest, () => {}));
  if (digest.sha256() !== backup.sha256) throw new ArchiveError('its SHA-256 is not that of the backup');
  return { open, manifest, end };
}

/** Returns the number of restored rows. */
async function tryRestore({ signal }: DrillContext, backup: VerifiedBackup, url: string): Promise<number> {
  const { tables } = backup.manifest;
  const restored = await withFreshSchema(
    url,
    async () => {},
    async (connection) => {
      await loadTables(connection, backup, () => signal.throwIfAborted());
      return measureTables(connection, tables);
    },
  );
  let rows = 0;
  for (const { name } of tables) {
    const [found, written] = [restored[name], backup.end.tables[name]];
    rows += found.rows;
    if (found.rows === written.rows && found.sha256 === written.sha256) continue;
    throw new ArchiveError(`${name} has ${found.rows} rows that differ from the ${written.rows} of the backup`);
  }
  return rows;
}

async function measureTables(
  connection: Connection,
  tables: readonly TableShape[],
): Promise<Readonly<Record<string, TableTotals>>> {
  await useOneFormat(connection);
  const totals: Record<string, TableTotals> = {};
  for (const table of tables) {
    const meter = new TableMeter();
    for await (const chunk of readTable(connection, table)) meter.add(chunk);
    totals[table.name] = meter.totals();
  }
  return totals;
}
