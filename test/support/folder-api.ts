/** An API over the market of a folder, loaded whole, and an account of the plan enterprise that runs things on it. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openStorage } from '../../storage/open-storage.ts';
import { addPerson } from './accounts.ts';
import { openTestApi } from './api.ts';
import { createTestDatabase, type TestDatabase } from './database.ts';
import { loadEverything, type MarketFolder } from './market-folder.ts';
import { runNow } from './run-jobs.ts';

export interface FolderApi {
  readonly database: TestDatabase;
  /** The state of the finished job of a call. */
  run(path: string, body: object): ReturnType<typeof JSON.parse>;
  /** The state of the finished job of a file that is sent. */
  send(path: string, file: string): ReturnType<typeof JSON.parse>;
  /** Removes the folder too. */
  close(): Promise<void>;
}

export async function openFolderApi(folder: MarketFolder, now: number): Promise<FolderApi> {
  const database = await createTestDatabase();
  const provider = folder.provider(now);
  await loadEverything(database.pool, provider);
  const directory = mkdtempSync(join(tmpdir(), 'market-objects-'));
  const storage = openStorage({ folder: directory });
  const api = await openTestApi({ database, provider, storage, now: () => now, realCallers: true });
  const { program: headers } = await addPerson(api, undefined, { plan: 'enterprise' });
  return {
    database,
    run: async (path, body) => (await runNow(api, { storage }, { path, body, headers })).body.data,
    send: async (path, file) =>
      (await runNow(api, { storage, workFolder: directory }, { path, file, headers })).body.data,
    close: async () => {
      await api.close();
      await database.drop();
      folder.remove();
      rmSync(directory, { recursive: true });
    },
  };
}
