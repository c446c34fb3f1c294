/** `npm run ops -- backup` and `restore`. */
import { existsSync, statSync } from 'node:fs';
import type { Command } from 'commander';
import { enableRestoredKeys, selectUsedTables } from '../../db/backup/backup.ts';
import { auditedTransaction } from '../../db/log/audit-log.ts';
import { codeOf, toError } from '../../engine/util/errors.ts';
import { ArchiveError } from '../../jobs/backup/archive.ts';
import { openBackup, restoreBackup } from '../../jobs/backup/restore.ts';
import { writeBackup } from '../../jobs/backup/write.ts';
import { isDiskFull } from '../../jobs/outages.ts';
import { openStorage } from '../../storage/open-storage.ts';
import type { Config } from '../config.ts';
import { describeOtherMarket } from '../processes/database-check.ts';
import { storageSettings } from '../settings.ts';
import { operatorIntent } from './audited-command.ts';
import { isServiceStopped } from './market-commands.ts';
import { confirm, fail, PERCENT_COLUMNS, progressBar, say, type Tools, withTools } from './tools.ts';

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
      const end = await withProgress('backup', (onProgress) => writeBackup({ ...options, onProgress }));
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
      const opened = await openBackup(path);
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

export function addBackupCommands(program: Command): void {
  program
    .command('backup')
    .description('Write the database and stored objects to one file while the service runs')
    .argument('<file>', 'a new file, such as market.backup')
    .action(backup);
  program
    .command('restore')
    .description('Restore a backup into an empty database; keys stay disabled until --enable-keys')
    .argument('[file]', 'a file that "backup" wrote')
    .option('--replace', 'drop the current content of the database', false)
    .option('--yes', 'do not ask', false)
    .option('--enable-keys', 'enable the API keys that a restore disabled', false)
    .action(restore);
}
