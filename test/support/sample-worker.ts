/** A worker on the sample market. */
import type { ChildProcess } from 'node:child_process';
import type { TestDatabase } from './database.ts';
import { startProcess } from './processes.ts';

export interface SamplePlace {
  readonly database: TestDatabase;
  /** The folder of its objects, mails, and caches. */
  readonly folder: string;
  /** Milliseconds since 1970 at which its clock stands. */
  readonly now: number;
  /** Instruments of the market; default: 50. */
  readonly symbols?: number;
}

export function startSampleWorker(
  { database, folder, now, symbols = 50 }: SamplePlace,
  settings: Readonly<Record<string, string>> = {},
): Promise<ChildProcess> {
  return startProcess('worker', {
    DATABASE_URL: database.url,
    DATA_DIR: folder,
    SAMPLE_SYMBOLS: String(symbols),
    FIXED_NOW: new Date(now).toISOString(),
    ...settings,
  });
}
