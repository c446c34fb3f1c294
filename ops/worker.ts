import './node-version.ts';
import { startWorker } from '../jobs/worker.ts';
import { openDatabase } from './database.ts';
import { runProcess } from './process.ts';
import { threadSettings } from './settings.ts';

await runProcess('worker', async ({ config, log }) => {
  const database = await openDatabase(config, log);
  const worker = await startWorker({ ...threadSettings(config, database.url), slots: config.WORKER_SLOTS, log });
  return async () => {
    await worker.stop(config.SHUTDOWN_GRACE_S * 1000);
    await database.release();
  };
});
