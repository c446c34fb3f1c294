/** Loads the columns of the provider's folder that are new or have changed; a bad file is told in its account. */
import { mkdir } from 'node:fs/promises';
import { transaction } from '../../db/pool.ts';
import { selectReadFiles } from '../../db/queue/file-readings.ts';
import type { ColumnFile } from '../providers/provider.ts';
import { saveAccounts } from './file-accounts.ts';
import type { SyncContext } from './run.ts';

/** `report` is called often, with the share of the files that is done. */
export async function syncColumns(context: SyncContext, report: (share: number) => Promise<void>): Promise<void> {
  const { pool, provider, signal } = context;
  const files = (await provider.columnFiles?.()) ?? [];
  if (files.length === 0) return;
  const read = await selectReadFiles(pool);
  const changed = files.filter(({ identity: { path, bytes, modifiedMs } }) => {
    const known = read.get(path);
    return known?.bytes !== bytes || known.modifiedMs !== modifiedMs;
  });
  for (const [i, file] of changed.entries()) {
    await loadFile(context, file, async (share) => {
      signal.throwIfAborted();
      await report((i + share) / changed.length);
    });
  }
}

async function loadFile(
  { pool, job, workFolder, now }: SyncContext,
  file: ColumnFile,
  report: (share: number) => Promise<void>,
): Promise<void> {
  // Most markets have no columns, and need none of the readers of their files.
  const { refusedAccount, settingsOfFile } = await import('../columns/folder-file.ts');
  const { loadColumn } = await import('../columns/load.ts');
  const { name, disk, identity } = file;
  await mkdir(workFolder, { recursive: true, mode: 0o700 });
  try {
    const settings = await settingsOfFile(file);
    const target = { accountId: null, name, settings, quota: null, identity };
    // With the account in one transaction, so that another attempt does not load it again.
    await loadColumn({ pool, workFolder, now, report }, target, disk, async (connection, result, account) => {
      const { count, symbols } = result.unknown_symbols;
      if (count > 0) account.tell(`unknown tickers: ${count} (${symbols.join(', ')})`);
      await saveAccounts(connection, job.id, [account]);
    });
  } catch (error) {
    const account = refusedAccount(file, error);
    await transaction(pool, (connection) => saveAccounts(connection, job.id, [account]));
  }
}
