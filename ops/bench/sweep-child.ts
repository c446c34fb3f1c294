/** One side of the measurements of sweeps: the engine called in place, or a worker whose chunks wait instead of computing. */
import { once } from 'node:events';
import { setPriority } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { createPool } from '../../db/pool.ts';
import { releaseSeries } from '../../engine/market/series.ts';
import { present } from '../../engine/present.ts';
import { CellBlock, fillInstrument } from '../../engine/sweep/cells.ts';
import { toError } from '../../engine/thrown.ts';
import { streamHistories } from '../../jobs/backtest/history.ts';
import { createLogger } from '../../jobs/logger.ts';
import { openBoss } from '../../jobs/queue/boss.ts';
import { Consumer } from '../../jobs/queue/consumer.ts';
import { LANE_NICENESS } from '../../jobs/queue/queue-contract.ts';
import { SWEEP_CHUNK_QUEUE, sweepInstrumentsSchema, sweepSpecSchema } from '../../jobs/sweep/contract.ts';
import { runChunkBy } from '../../jobs/sweep/run-chunk.ts';
import { countCombinations, runsOf } from '../../jobs/sweep/runs.ts';
import { openStorage } from '../../storage/open-storage.ts';

const [kind, url, folder, waitMs] = process.argv.slice(2);
const SLOTS = 2;
const pool = createPool({ url, max: 4, applicationName: 'bench-sweep-child' });
const shareSchema = z.object({ spec: sweepSpecSchema, instruments: sweepInstrumentsSchema });

/** Every cell of a share of the market, with nothing but the engine; the database reads while this thread computes. */
async function computeShare({ spec, instruments }: z.output<typeof shareSchema>): Promise<void> {
  const runs = runsOf(spec);
  const block = new CellBlock(instruments.length, countCombinations(runs));
  const placeOf = new Map(instruments.map(({ instrumentId }, place) => [instrumentId, place]));
  for await (const history of streamHistories(pool, [...placeOf.keys()], spec.asOf)) {
    const place = present(placeOf.get(history.instrumentId), 'an instrument of the share');
    const { listedOn, delistedOn } = instruments[place];
    fillInstrument(block, place, spec, { ...history, asOf: spec.asOf, lifetime: { listedOn, delistedOn } }, runs);
    releaseSeries(history.series);
  }
}

function startFloor(): void {
  // Beside other work, both sides of the measurement get the same share of the cores.
  setPriority(LANE_NICENESS.sweep);
  process.on('message', async (share) => {
    await computeShare(shareSchema.parse(share));
    process.send?.('done');
  });
}

/** A worker of the service but for its threads: a chunk waits, then ends as every other does. */
async function startWaiting(): Promise<void> {
  const log = createLogger('bench', 'warn');
  const boss = await openBoss({ url, log, supervise: true });
  const fetching = createPool({ url, max: 1, applicationName: 'bench-fetch' });
  const storage = openStorage({ folder });
  const context = {
    pool,
    storage,
    now: Date.now,
    boss: () => Promise.resolve(boss),
    signal: new AbortController().signal,
    cost: { seconds: () => 0, add: () => {} },
    isLastAttempt: false,
  };
  const threads = {
    run: async ({ queue, data }: { readonly queue: string; readonly data: unknown }) => {
      // Nothing assembles: only the chunks are measured.
      if (queue !== SWEEP_CHUNK_QUEUE.name) return { type: 'done', end: null } as const;
      try {
        await runChunkBy(context, SWEEP_CHUNK_QUEUE.payload.parse(data), async (_, { instruments }) => {
          await sleep(Number(waitMs));
          return new CellBlock(instruments.length, 1);
        });
        return { type: 'done', end: null } as const;
      } catch (error) {
        const { message, stack = '' } = toError(error);
        return { type: 'failed', message, stack, isPermanent: false } as const;
      }
    },
    close: async () => {},
  };
  const slots = { interactive: 0, background: 0, compute: 0, sweep: SLOTS, outbound: 0 };
  const consumer = new Consumer({ url, pool, fetching, boss, threads, log, slots, now: Date.now });
  await consumer.start();
  await once(process, 'SIGTERM');
  await consumer.stop(1000);
  process.exit(0);
}

const running = kind === 'floor' ? startFloor() : startWaiting();
process.send?.('ready');
process.on('disconnect', () => process.exit(0));
await running;
