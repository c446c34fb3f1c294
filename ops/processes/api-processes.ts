/** Several API processes without the rest of the service. */
import { openDatabase } from '../embedded/database.ts';
import { createApiGroup } from './api-group.ts';
import { checkDataFolder, checkPort } from './preflight.ts';
import type { ProcessContext, Stop } from './process.ts';
import { createSupervisor } from './supervisor.ts';

/** Resolves when all are ready, with a function that ends them. */
export async function startApiProcesses({ config, log }: ProcessContext): Promise<Stop> {
  checkDataFolder(config);
  await checkPort(config.HOST, config.PORT);
  const database = await openDatabase(config, log);
  const supervisor = createSupervisor(log);
  const group = createApiGroup({
    count: config.API_PROCESSES,
    env: { DATABASE_URL: database.url },
    supervisor,
    log,
  });
  const stop = async () => {
    group.close();
    await supervisor.stop();
    await database.release();
  };
  try {
    await group.start();
    return stop;
  } catch (error) {
    await stop();
    throw error;
  }
}
