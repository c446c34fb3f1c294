/** The thread that prepares the database, one task after the other. */
import { enableCompileCache, flushCompileCache } from 'node:module';
import { parentPort, workerData } from 'node:worker_threads';
import { codeOf, toError } from '../../engine/thrown.ts';
import type { SetupReply, SetupRequest } from './setup.ts';

enableCompileCache(workerData.compiledFolder);
const { migrate } = await import('../../db/migrate.ts');
const { declareQueues } = await import('../../jobs/queue/boss.ts');
flushCompileCache();
const tasks = { migrate, declareQueues };

parentPort?.on('message', async ({ task, url }: SetupRequest) => {
  const reply: SetupReply = await tasks[task](url).then(
    () => ({ error: null, code: undefined }),
    (error) => ({ error: toError(error), code: codeOf(error) }),
  );
  parentPort?.postMessage(reply);
});
