/** Loads of folders, with the account of every file. */
import type { Pool } from '../../db/pool.ts';
import { type FileReading, selectFileReadings } from '../../db/queue/file-readings.ts';
import type { SyncJob } from '../../db/queue/sync-jobs.ts';
import type { Provider } from '../../jobs/providers/provider.ts';
import { runSyncJob } from './market-folder.ts';

export interface FolderLoad {
  readonly symbols: SyncJob;
  readonly adjustments: SyncJob;
  readonly bars: SyncJob;
  /** By path. */
  readonly files: ReadonlyMap<string, FileReading>;
}

/** Lines that are accounted for, of all lines of a file. */
function sumOf({ header, blank, loaded, repeated, rejected, leftOut }: FileReading): number {
  return header + blank + loaded + repeated + rejected + leftOut;
}

export async function loadFolder(pool: Pool, provider: Provider): Promise<FolderLoad> {
  const symbols = await runSyncJob(pool, provider, 'symbols');
  const adjustments = await runSyncJob(pool, provider, 'adjustments');
  const bars = await runSyncJob(pool, provider, 'daily_bars');
  const { items } = await selectFileReadings(pool, bars, { page: 1, size: 10_000 });
  for (const file of items) {
    if (sumOf(file) !== file.lines)
      throw new Error(`${file.path}: ${sumOf(file)} of ${file.lines} lines are accounted for`);
  }
  return { symbols, adjustments, bars, files: new Map(items.map((file) => [file.path, file])) };
}

/** Deletes the market, so that the next folder is loaded afresh. */
export async function emptyMarket(pool: Pool): Promise<void> {
  await pool.query(
    `truncate instruments, previous_tickers, previous_names, adjustments, daily_bars, bar_blocks, bar_seals, loaded_sessions,
       revisions, provider_ranges, market_source, sync_watermarks, sync_jobs cascade`,
  );
}
