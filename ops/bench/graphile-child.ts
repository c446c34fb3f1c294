/** A worker of graphile-worker with as many slots as ours and jobs that only tell that they have run. */
import { Logger, run } from 'graphile-worker';
import { createPool } from '../../db/pool.ts';
import { stringProperty } from '../../engine/util/thrown.ts';

const [url, channel] = process.argv.slice(2);
const pool = createPool({ url, max: 4, applicationName: 'bench-worker' });
const taskList = {
  tell: async (payload: unknown) => {
    await pool.query({
      name: 'tell',
      text: 'select pg_notify($1, $2)',
      values: [channel, stringProperty(payload, 'id')],
    });
  },
};
const logger = new Logger(() => () => {});
await run({ connectionString: url, concurrency: 2, noHandleSignals: true, taskList, logger });
process.send?.('ready');
process.on('disconnect', () => process.exit(0));
