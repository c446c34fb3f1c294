/** An API over the sample market, with a real worker that computes what it is asked. */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SampleProvider } from '../../jobs/providers/sample/sample-provider.ts';
import { openStorage } from '../../storage/open-storage.ts';
import { openTestApi, type TestApi } from './api.ts';
import { createSampleDatabase, type TestDatabase } from './database.ts';
import { removeTree } from './folders.ts';
import { NOON_2026_06_01 } from './market-folder.ts';
import { endProcess } from './processes.ts';
import { startSampleWorker } from './sample-worker.ts';
import { createWrittenDatabase } from './written-market.ts';

const SYMBOLS = 50;

export interface SampleService {
  readonly database: TestDatabase;
  readonly api: TestApi;
  /** The folder of stored objects. */
  readonly objects: string;
  close(): Promise<void>;
}

/** Its time stands still at noon of June 1, 2026. `hasFiles`: with the screener's snapshot, the lake, and its tables. */
export async function openSampleService(hasFiles = false): Promise<SampleService> {
  const directory = mkdtempSync(join(tmpdir(), 'sample-service-'));
  const now = () => NOON_2026_06_01;
  const provider = new SampleProvider({ symbols: SYMBOLS, now });
  const objects = join(directory, 'objects');
  const database = hasFiles
    ? await createWrittenDatabase(provider, objects, [NOON_2026_06_01])
    : await createSampleDatabase(provider);
  const storage = openStorage({ folder: objects });
  const api = await openTestApi({ database, provider, storage, now, realCallers: true });
  const worker = await startSampleWorker(
    { database, folder: directory, now: NOON_2026_06_01, symbols: SYMBOLS },
    { WORKER_SLOTS: '2' },
  );
  const close = async () => {
    await endProcess(worker, 'SIGTERM');
    await api.close();
    await database.drop();
    removeTree(directory);
  };
  return { database, api, objects, close };
}
