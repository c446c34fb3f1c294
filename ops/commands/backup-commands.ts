/** `npm run ops -- backup` and `restore`. */
import { existsSync, statSync } from 'node:fs';
import type { Command } from 'commander';
import { enableRestoredKeys, selectUsedTables } from '../../db/backup/backup.ts';
import { selectBackups, selectLastDrill } from '../../db/backup/backups.ts';
import { type AuditAction, auditedTransaction } from '../../db/log/audit-log.ts';
import { codeOf, toError } from '../../engine/util/errors.ts';
import { ArchiveError, fileSource } from '../../jobs/backup/archive.ts';
import { openBackup, restoreBackup } from '../../jobs/backup/restore.ts';
import { writeBackupFile } from '../../jobs/backup/write.ts';
import { BACKUP_QUEUE, DRILL_QUEUE } from '../../jobs/contracts/backup.ts';
import { isDiskFull } from '../../jobs/outages.ts';
import { sendUnlessWaiting } from '../../jobs/queue/send.ts';
import { openStorage } from '../../storage/open-storage.ts';
import type { Config } from '../config.ts';
import { describeOtherMarket } from '../processes/database-check.ts';
import { storageSettings } from '../settings.ts';
import { type Act, act, operatorIntent } from './audited-command.ts';
import { isServiceStopped } from './market-commands.ts';
import {
  confirm,
  countOption,
  fail,
  PERCENT_COLUMNS,
  progressBar,
  say,
  type Tools,
  tableOf,
  timeText,
  withTools,
} from './tools.ts';

/** Interval of progress lines without a terminal. */
const LINE_EVERY_MS = 5_000;

/** Shows the progress: a bar on a terminal, occasional lines elsewhere. */
async function withProgress<T>(title: string, work: (onProgress: (share: number) => void) => Promise<T>): Promise<T> {
  const percent = (share: number) => Math.floor(100 * share);
  if (!process.stderr.isTTY) {
    let lineAt = performance.now();
    return work((share) => {
      if (performance.now() - lineAt < LINE_EVERY_MS) return;
      lineAt = performance.now();
      say(`  ${title} ${percent(share)} %`);
    });
  }
  const bar = progressBar(`  ${title} {percentage}% {bar}`, PERCENT_COLUMNS + title.length + 1);
  bar.start(100, 0);
  try {
    return await work((share) => bar.update(percent(share)));
  } finally {
    bar.stop();
  }
}

/** The storage to back up. Null: a bucket, which needs its own backup. */
const ownStorage = (config: Config) => (config.S3_BUCKET ? null : openStorage(storageSettings(config)));

const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(1)} MB`;

async function backup(path: string): Promise<void> {
  if (existsSync(path)) return fail(`${path} exists already. Choose another name; a backup never replaces a file.`);
  await withTools(async ({ config, pool, now }) => {
    const options = { pool, storage: ownStorage(config), path, at: new Date(now()) };
    try {
      const end = await withProgress('backup', (onProgress) => writeBackupFile({ ...options, onProgress }));
      const tables = Object.values(end.tables);
      const rows = tables.reduce((sum, table) => sum + table.rows, 0);
      const objects = options.storage
        ? `${end.objects.count.toLocaleString('en')} objects`
        : 'no objects (they are in the bucket)';
      say(
        `${path}: ${tables.length} tables, ${rows.toLocaleString('en')} rows, ${objects}, ${megabytes(statSync(path).size)}`,
      );
      say(
        'Only its owner can read it: it holds e-mails and hashes of keys and passwords. Keep JWT_SECRET (or DATA_DIR/secret) with it.',
      );
    } catch (error) {
      const { message } = toError(error);
      const code = codeOf(error);
      if (isDiskFull(toError(error))) return fail(`The disk of ${path} is full. Nothing was written.`);
      if (code === 'ENOENT' || code === 'EACCES') return fail(`${path} cannot be written (${code}).`);
      fail(`The backup failed: ${message}`);
    }
  });
}

interface RestoreFlags {
  readonly replace: boolean;
  readonly yes: boolean;
  readonly enableKeys: boolean;
}

async function enableKeys({ pool, now }: Tools): Promise<void> {
  const at = new Date(now());
  const intent = operatorIntent({ action: 'database.enable_keys', target: 'database', targetId: 'keys' });
  const enabled = await auditedTransaction(pool, intent, at, async (connection) => ({
    result: await enableRestoredKeys(connection),
    entries: intent.entries,
  }));
  say(`${enabled.toLocaleString('en')} API keys that the restore had disabled are enabled again.`);
}

/** Whether the database may be overwritten: it is empty, or the operator agrees. */
async function mayReplace({ pool }: Tools, path: string, { replace, yes }: RestoreFlags): Promise<boolean> {
  const used = await selectUsedTables(pool);
  if (used.length === 0) return true;
  if (!replace) {
    const named = `${used.slice(0, 5).join(', ')}${used.length > 5 ? ' …' : ''}`;
    fail(`The database is not empty (${named}). "--replace" drops everything in it.`);
    return false;
  }
  if (await confirm(`Drop everything in this database, accounts too, and restore ${path} in its place?`, yes))
    return true;
  fail('Nothing was changed.');
  return false;
}

async function restore(path: string | undefined, flags: RestoreFlags): Promise<void> {
  if (path === undefined) {
    if (flags.enableKeys) return withTools(enableKeys);
    return fail('Name the file of a backup, or use --enable-keys after a restore.');
  }
  if (flags.enableKeys)
    return fail(
      '--enable-keys comes after a restore, without a file. First repeat the bans and deletions since the backup.',
    );
  await withTools(async (tools) => {
    const { config, pool, url, now } = tools;
    try {
      if (!(await isServiceStopped(pool))) return;
      const opened = await openBackup(fileSource(path));
      if (!(await mayReplace(tools, path, flags))) return;
      const at = new Date(now());
      const act = { action: 'database.restore', target: 'database', targetId: opened.manifest.created_at } as const;
      const intent = operatorIntent(act, { created_at: opened.manifest.created_at });
      const options = { url, storage: ownStorage(config), at, intent };
      const closed = await withProgress('restore', (onProgress) => restoreBackup(opened, { ...options, onProgress }));
      const rows = Object.values(opened.end.tables).reduce((sum, table) => sum + table.rows, 0);
      say(
        `Restored ${rows.toLocaleString('en')} rows and ${opened.end.objects.count.toLocaleString('en')} objects as of ${opened.manifest.created_at}.`,
      );
      if (opened.manifest.objects === null)
        say('Objects are not part of this backup: restore the bucket to the same moment.');
      say(
        `${closed.sessions} sessions have ended, ${closed.keys} API keys are disabled. See ops/docs/RUNBOOK.md#restore, then "npm run ops -- restore --enable-keys".`,
      );
      const other = await describeOtherMarket(config, pool);
      if (other !== null) say(other);
    } catch (error) {
      if (error instanceof ArchiveError)
        return fail(`${path} cannot be restored: ${error.message}. Nothing was changed.`);
      if (isDiskFull(toError(error))) return fail('The disk of the database is full. Nothing was changed.');
      throw error;
    }
  });
}

/** Queues a backup into the bucket, or a drill. */
async function queue(name: typeof BACKUP_QUEUE.name | typeof DRILL_QUEUE.name, action: AuditAction): Promise<void> {
  await withTools(async (tools) => {
    if (!tools.config.BACKUP_BUCKET) return fail('BACKUP_BUCKET is not set, so there are no backups in a bucket.');
    const what: Act = { action, target: 'database', targetId: null };
    const isQueued = await act(tools, what, async (connection, boss) => {
      await sendUnlessWaiting(boss, name, { requestId: null }, connection);
      return true;
    });
    if (isQueued) say(`A job of ${name} is queued; see "npm run ops -- backup list".`);
  });
}

async function list({ limit }: { readonly limit: number }): Promise<void> {
  await withTools(async ({ config, pool }) => {
    say(config.BACKUP_BUCKET ? `Backups in ${config.BACKUP_BUCKET}` : 'Backups are off: BACKUP_BUCKET is not set.');
    const { items } = await selectBackups(pool, { page: 1, size: limit });
    const rows = items.map(({ id, startedAt, endedAt, state, bytes, rows: count, removedAt, key, error }) => {
      const seconds = endedAt && Math.round((endedAt.getTime() - startedAt.getTime()) / 1000);
      const size = bytes && megabytes(bytes);
      return [
        id,
        timeText(startedAt),
        seconds,
        removedAt && state === 'done' ? 'removed' : state,
        size,
        count,
        error ?? key,
      ];
    });
    if (rows.length > 0)
      say(tableOf(['id', 'began (UTC)', 'seconds', 'state', 'size', 'rows', 'object or error'], rows));
    const drill = await selectLastDrill(pool);
    if (!drill) return say('No drill has restored one yet.');
    const { backupId, state, startedAt, server, error } = drill;
    const where = server === 'own' ? 'a database of its own' : 'an embedded PostgreSQL';
    say(`The last drill, ${timeText(startedAt)} UTC, backup ${backupId} in ${where}: ${error ?? state}`);
  });
}

export function addBackupCommands(program: Command): void {
  const command = program
    .command('backup')
    .description('Write the database and stored objects to one file while the service runs')
    .argument('<file>', 'a new file, such as market.backup')
    .action(backup);
  command
    .command('list')
    .description('List the backups in the bucket, and the last drill')
    .option('--limit <n>', 'how many', countOption, 20)
    .action(list);
  command
    .command('now')
    .description('Queue a backup into the bucket')
    .action(() => queue(BACKUP_QUEUE.name, 'database.backup'));
  command
    .command('drill')
    .description('Queue a restore of the newest backup into a database of its own')
    .action(() => queue(DRILL_QUEUE.name, 'database.drill'));
  program
    .command('restore')
    .description('Restore a backup into an empty database; keys stay disabled until --enable-keys')
    .argument('[file]', 'a file that "backup" wrote')
    .option('--replace', 'drop the current content of the database', false)
    .option('--yes', 'do not ask', false)
    .option('--enable-keys', 'enable the API keys that a restore disabled', false)
    .action(restore);
}
