/** `npm run worker`: runs jobs. */
import '../node-version.cjs';
import { startWorker } from '../../jobs/worker/worker.ts';
import { openStorage } from '../../storage/open-storage.ts';
import { clockOf } from '../config.ts';
import { openDatabase } from '../embedded/database.ts';
import { storageSettings, threadSettings } from '../settings.ts';
import { checkDatabase } from './database-check.ts';
import { checkDataFolder } from './preflight.ts';
import { runProcess } from './process.ts';

await runProcess('worker', async ({ config, log, outages, tracing }) => {
  checkDataFolder(config);
  const database = await openDatabase(config, log);
  outages.watchDatabase(database.url);
  outages.watchStorage(openStorage(storageSettings(config)));
  await checkDatabase(config, database.url);
  const clock = clockOf(config, log);
  const slots = config.WORKER_SLOTS;
  const settings = { ...threadSettings(config, database.url, clock), traces: tracing?.settings };
  const worker = await startWorker({ ...settings, slots, clock, log });
  return async () => {
    await worker.stop(config.SHUTDOWN_GRACE_S * 1000);
    await database.release();
  };
});
