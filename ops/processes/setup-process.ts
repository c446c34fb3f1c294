/** The process that runs the tasks of `setup.ts`. */
import { flushCompileCache } from 'node:module';
import { migrate } from '../../db/migrate.ts';
import { codeOf, toError } from '../../engine/util/errors.ts';
import { declareQueues } from '../../jobs/queue/boss.ts';
import type { SetupReply, SetupRequest } from './setup.ts';

const tasks = { migrate, declareQueues };

process.on('message', async ({ task, url }: SetupRequest) => {
  const reply: SetupReply = await tasks[task](url).then(
    () => ({ error: null, code: undefined }),
    (error) => ({ error: toError(error), code: codeOf(error) }),
  );
  process.send?.(reply);
});
process.on('disconnect', () => process.exit());
flushCompileCache();
