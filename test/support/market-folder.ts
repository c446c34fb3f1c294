/** Folders in the layout of the files provider, and loads of them without a queue. */

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Pool } from '../../db/pool.ts';
import { insertSyncJob, type SyncJob, type SyncJobType, selectSyncJob } from '../../db/queue/sync-jobs.ts';
import { required } from '../../engine/util/values.ts';
import type { SyncSpec } from '../../jobs/contracts/sync.ts';
import { FilesProvider } from '../../jobs/providers/files/files-provider.ts';
import type { Provider } from '../../jobs/providers/provider.ts';
import { syncAdjustments } from '../../jobs/sync/adjustments.ts';
import { syncDailyBars } from '../../jobs/sync/daily-bars.ts';
import { runSync } from '../../jobs/sync/run.ts';
import { syncSymbols } from '../../jobs/sync/symbols.ts';
import { testJobContext } from './job-context.ts';

export interface MarketFolder {
  readonly path: string;
  /** Writes a file; one whose name ends in .gz is gzipped. */
  write(name: string, content: string | Buffer): void;
  provider(now?: number): FilesProvider;
  remove(): void;
}

export const NOON_2026_06_01 = Date.UTC(2026, 5, 1, 16);

export function createMarketFolder(files: Readonly<Record<string, string | Buffer>> = {}): MarketFolder {
  const path = mkdtempSync(join(tmpdir(), 'market-folder-'));
  const folder: MarketFolder = {
    path,
    write: (name, content) => {
      mkdirSync(dirname(join(path, name)), { recursive: true });
      const isText = typeof content === 'string';
      writeFileSync(join(path, name), isText && name.endsWith('.gz') ? gzipSync(content) : content);
    },
    provider: (now = NOON_2026_06_01) =>
      new FilesProvider({ folder: path, cacheFile: join(path, '.cache', 'index.json'), now: () => now }),
    remove: () => rmSync(path, { recursive: true, force: true }),
  };
  for (const [name, content] of Object.entries(files)) folder.write(name, content);
  return folder;
}

export const BARS_HEADER = 'symbol,date,open,high,low,close,volume\n';

const WORK = { symbols: syncSymbols, adjustments: syncAdjustments, daily_bars: syncDailyBars } as const;

/** Runs a sync job in this process, as a worker does, and returns its record. */
export async function runSyncJob(
  pool: Pool,
  provider: Provider,
  jobType: SyncJobType,
  request: SyncSpec = {},
  isLastAttempt = true,
  now = Date.now,
): Promise<SyncJob> {
  const id = required(
    await insertSyncJob(pool, {
      jobType,
      request,
      requestedBy: 'test',
      requestId: null,
      queueJobId: crypto.randomUUID(),
    }),
  );
  const context = testJobContext({ pool, provider: async () => provider, isLastAttempt, now });
  await runSync(context, id, WORK[jobType]).catch(() => {});
  return required(await selectSyncJob(pool, id));
}

/** Loads all data of a provider. */
export async function loadEverything(pool: Pool, provider: Provider): Promise<void> {
  for (const jobType of ['symbols', 'adjustments', 'daily_bars'] as const) {
    const job = await runSyncJob(pool, provider, jobType);
    if (job.status !== 'ok') throw new Error(`${jobType}: ${job.error}`);
  }
}
