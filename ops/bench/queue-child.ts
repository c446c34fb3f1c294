/** A worker with one kind of job that only says it has run: our consumer, or graphile-worker with as many slots. */

import { Logger, run } from 'graphile-worker';
import { createPool } from '../../db/pool.ts';
import { textIn } from '../../engine/thrown.ts';
import { createLogger } from '../../jobs/logger.ts';
import { openBoss } from '../../jobs/queue/boss.ts';
import { Consumer } from '../../jobs/queue/consumer.ts';

const [kind, url, ranChannel] = process.argv.slice(2);
const SLOTS = 2;
const TELL = { name: 'tell', text: 'select pg_notify($1, $2)' };
const pool = createPool({ url, max: 4, applicationName: 'bench-worker' });

async function startOurs(): Promise<void> {
  const log = createLogger('bench', 'warn');
  const fetching = createPool({ url, max: 1, applicationName: 'bench-fetch' });
  const boss = await openBoss({ url, log, supervise: true });
  const threads = {
    run: async ({ jobId }: { readonly jobId: string }) => {
      await pool.query({ ...TELL, values: [ranChannel, jobId] });
      return { type: 'done' } as const;
    },
    close: async () => {},
  };
  const consumer = new Consumer({
    url,
    pool,
    fetching,
    boss,
    threads,
    log,
    slots: { interactive: SLOTS, background: 1, compute: 1, sweep: 1, outbound: 1 },
  });
  await consumer.start();
}

async function startGraphile(): Promise<void> {
  const taskList = {
    tell: async (payload: unknown) => {
      await pool.query({ ...TELL, values: [ranChannel, textIn(payload, 'id')] });
    },
  };
  const logger = new Logger(() => () => {});
  await run({ connectionString: url, concurrency: SLOTS, noHandleSignals: true, taskList, logger });
}

await (kind === 'ours' ? startOurs() : startGraphile());
process.send?.('ready');
process.on('disconnect', () => process.exit(0));
