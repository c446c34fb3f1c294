/** The assembly of a sweep of the market whose cells are stored in S3, in a server that was not written here. */
import { EventEmitter, once } from 'node:events';
import { availableParallelism } from 'node:os';
import { listen } from '../../../db/listener.ts';
import type { Pool } from '../../../db/pool.ts';
import { BACKTEST_ENDED_CHANNEL } from '../../../db/runs/runs.ts';
import { selectSweep } from '../../../db/sweeps/sweeps.ts';
import { PythonUnavailable } from '../../support/python-environment.ts';
import { withBucket } from '../engines/bucket.ts';
import { BENCH_YEARS, type Bench, replaceCallers, withWholeHistories } from './market.ts';
import { figure } from './measure.ts';
import { endChild, startProcess } from './processes.ts';
import { MARKET_SWEEP, openSweepPlace, queueSweep, requestedSweep } from './sweep.ts';

const ROUNDS = 3;

/** Seconds from the end of the last chunk until now, by the clock of the database. */
async function secondsSinceChunks(pool: Pool, id: string): Promise<number> {
  const { rows } = await pool.query<{ seconds: number }>(
    'select extract(epoch from clock_timestamp() - max(done_at))::float8 as seconds from sweep_chunks where sweep_id = $1',
    [id],
  );
  return rows[0].seconds;
}

const benchAssembly: Bench = (market) =>
  withWholeHistories(market, BENCH_YEARS[BENCH_YEARS.length - 1], () =>
    withBucket(
      (line) => void process.stderr.write(`${line}\n`),
      async ({ settings }) => {
        const { url, pool, source } = market;
        const [{ userId }] = await replaceCallers(pool, 1);
        const place = await openSweepPlace(url, userId);
        const requested = await requestedSweep(pool, MARKET_SWEEP);
        const options = { WORKER_SLOTS: String(availableParallelism()), ...settings };
        const { child: worker } = await startProcess('worker', url, market.data, { ...source, ...options });
        const ended = new EventEmitter();
        const channels = { [BACKTEST_ENDED_CHANNEL]: (id: string) => ended.emit(id) };
        const listener = await listen({ url, applicationName: 'bench-ends', channels });
        try {
          const seconds: number[] = [];
          let chunks = 0;
          for (let round = 0; round < ROUNDS; round++) {
            const id = await queueSweep(place, requested);
            await once(ended, id);
            seconds.push(await secondsSinceChunks(pool, id));
            const sweep = await selectSweep(pool, id);
            if (sweep?.status !== 'done') throw new Error(`the sweep ${id} has failed`);
            chunks = sweep.chunks;
          }
          const size = `${requested.instruments.length} × ${requested.combinations} over 5 years in ${chunks} chunks`;
          return new Map([['sweep.assembly_s', figure(seconds, size)]]);
        } finally {
          await Promise.all([endChild(worker), listener.close(), place.close()]);
        }
      },
    ).catch((error) => {
      if (!(error instanceof PythonUnavailable)) throw error;
      process.stderr.write(`sweep.assembly_s is absent: ${error.message}\n`);
      return new Map();
    }),
  );

export const ASSEMBLY = { 'sweep.assembly': benchAssembly };
