/** Compares awaited backtests beside a sweep that uses all cores but one with the same backtests alone. */
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createPool } from '../../db/pool.ts';
import { selectSweep } from '../../db/sweeps/sweeps.ts';
import { CALLING_ACCOUNTS, loadSample, medianOfCalls, startWorker } from './backtest.ts';
import { replaceCallers } from './callers.ts';
import { endChild } from './child.ts';
import { type Figure, figure, inTurns, ratioOf } from './harness.ts';
import { startServer } from './http.ts';
import { type BenchMarket, ensureBenchDatabase } from './market.ts';
import {
  closeSweepPlace,
  dropSweep,
  openSweepPlace,
  queueSweep,
  requestedSweep,
  type SweepPlace,
  stop,
} from './sweep-place.ts';

const ROUNDS = 5;
const WARM_UP = 2;
const LOOK_MS = 20;
/** Size of a sweep that runs for minutes. */
const LONG_SWEEP = {
  universe: 'all',
  runs: [
    {
      strategy: 'sma_cross',
      grid: { fast_period: { from: 2, to: 51, step: 1 }, slow_period: { from: 60, to: 159, step: 1 } },
    },
  ],
  time_range: 'MAX',
};

/** Returns the result of `work` while a sweep runs; throws if the sweep ended first. */
async function besideSweep<T>(place: SweepPlace, work: () => Promise<T>): Promise<T> {
  const id = await queueSweep(place, await requestedSweep(place.pool, LONG_SWEEP));
  const doneChunks = async () => (await selectSweep(place.pool, id))?.chunksDone ?? 0;
  while ((await doneChunks()) === 0) await sleep(LOOK_MS);
  const result = await work();
  const sweep = await selectSweep(place.pool, id);
  if (sweep?.status !== 'running' || sweep.chunksDone >= sweep.chunks) throw new Error('the sweep ended too soon');
  await dropSweep(place, id);
  return result;
}

export async function benchInteractive({ directory, serverUrl }: BenchMarket): Promise<Figure[]> {
  const url = await ensureBenchDatabase(serverUrl, 'bench_backtest');
  const pool = createPool({ url, max: 3, applicationName: 'bench' });
  const slots = String(Math.max(1, availableParallelism() - 1));
  const worker = await startWorker(url, join(directory, 'worker'), { SWEEP_SLOTS: slots });
  await loadSample(url, pool);
  await pool.query('truncate backtest_results');
  const place = await openSweepPlace(url);
  const keys = await replaceCallers(pool, CALLING_ACCOUNTS);
  const { rows } = await pool.query<{ id: number }>(`select min(id) as id from users where email like 'bench-%'`);
  const owned = { ...place, userId: Number(rows[0].id) };
  const server = await startServer('ours', url, join(directory, 'worker', 'objects'));
  try {
    for (let i = 0; i < WARM_UP; i++) await medianOfCalls(server.port, keys);
    const { alone, beside } = await inTurns(ROUNDS, {
      alone: () => medianOfCalls(server.port, keys),
      beside: () => besideSweep(owned, () => medianOfCalls(server.port, keys)),
    });
    const note = `${beside.median.toFixed(1)} ms against ${alone.median.toFixed(1)} ms, the sweep on ${slots} cores`;
    return [figure('sweep.interactive_slowdown', ratioOf(beside, alone), '<= 2', note)];
  } finally {
    await endChild(server.child);
    await stop(worker);
    await closeSweepPlace(place);
    await pool.end();
  }
}
