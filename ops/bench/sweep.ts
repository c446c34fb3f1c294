/** Measures sweeps through queue, workers, and storage: compared with direct engine calls, with more workers, and beside backtests. */
import type { ChildProcess } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { RequestedSweep } from '../../api/sweeps/request.ts';
import { BACKTEST_ENDED_CHANNEL } from '../../db/backtests/backtest-runs.ts';
import { listen } from '../../db/listener.ts';
import type { Pool } from '../../db/pool.ts';
import { type Sweep, selectSweep } from '../../db/sweeps/sweeps.ts';
import { STRATEGIES } from '../../engine/strategies/catalogue.ts';
import { workerOptions } from '../processes/supervisor.ts';
import { startChild } from './child.ts';
import { benchSearch } from './engine.ts';
import { type Figure, figure, inTurns, ratioOf, timed } from './harness.ts';
import { benchInteractive } from './interactive.ts';
import { BENCH_NOW, type BenchMarket, ensureLoaded, withWholeHistories } from './market.ts';
import { peakResidentMb } from './memory.ts';
import { closeSweepPlace, openSweepPlace, queueSweep, requestedSweep, stop } from './sweep-place.ts';

const CORES = availableParallelism();
const ROUNDS = 5;
/** Number of chunks that wait instead of computing, and their wait. */
const WAITING_CHUNKS = 100;
const WAIT_MS = 100;
const WAITING_ROUNDS = 3;
const LOOK_MS = 20;

async function sweepThatGoesOn(pool: Pool, id: string): Promise<Sweep> {
  const sweep = await selectSweep(pool, id);
  if (sweep === null || sweep.status === 'failed') throw new Error(`the sweep ${id} has failed`);
  return sweep;
}

/** Waits until every chunk has ended. */
async function chunksEnd(pool: Pool, id: string): Promise<void> {
  for (;;) {
    const { chunks, chunksDone } = await sweepThatGoesOn(pool, id);
    if (chunksDone === chunks) return;
    await sleep(LOOK_MS);
  }
}

/** Waits until result and file are stored, as the API does for its callers: the database tells the end, and nobody asks before. */
async function openEnds({ url, pool }: BenchMarket) {
  const ended = new EventEmitter();
  const listener = await listen({
    url,
    applicationName: 'bench-ends',
    channels: { [BACKTEST_ENDED_CHANNEL]: (id) => ended.emit(id) },
  });
  return {
    reached: async (id: string) => {
      await once(ended, id);
      await sweepThatGoesOn(pool, id);
    },
    close: () => listener.close(),
  };
}

/** Starts a worker process as in the service, on the market of the benchmark. */
async function startWorker({ url, folder, directory }: BenchMarket): Promise<ChildProcess> {
  const env = {
    DATABASE_URL: url,
    PROVIDER: 'files',
    PROVIDER_DIR: folder,
    FIXED_NOW: new Date(BENCH_NOW).toISOString(),
    DATA_DIR: join(directory, 'sweep-worker'),
    SWEEP_SLOTS: String(CORES),
    NODE_COMPILE_CACHE: join(directory, 'compiled'),
    LOG_LEVEL: 'warn',
  };
  return (await startChild('../processes/worker.ts', [], workerOptions(env))).child;
}

/** Calls the engine directly over the same histories, in one process per core. */
async function openFloor(url: string, { spec, instruments }: RequestedSweep) {
  const children = await Promise.all(
    Array.from({ length: CORES }, async () => (await startChild('./sweep-child.ts', ['floor', url])).child),
  );
  const runShare = async (child: ChildProcess, i: number) => {
    const share = instruments.filter((_, k) => k % CORES === i);
    const done = once(child, 'message');
    child.send({ spec, instruments: share });
    await done;
  };
  return {
    run: () => timed(() => Promise.all(children.map(runShare))),
    close: () => {
      for (const child of children) child.disconnect();
    },
  };
}

/** Runs a sweep of the market through queue, workers, and storage. */
async function benchMarketRate(market: BenchMarket): Promise<Figure[]> {
  await ensureLoaded(market);
  return withWholeHistories(market, () => measureMarketRate(market));
}

async function measureMarketRate(market: BenchMarket): Promise<Figure[]> {
  const place = await openSweepPlace(market.url);
  const runs = STRATEGIES.map(({ code }) => ({ strategy: code }));
  const requested = await requestedSweep(place.pool, { universe: 'all', runs, time_range: '5Y' });
  const worker = await startWorker(market);
  const floor = await openFloor(market.url, requested);
  const ends = await openEnds(market);
  const cells = requested.instruments.length * requested.combinations;
  const sides = { floor: floor.run, ours: () => timed(async () => ends.reached(await queueSweep(place, requested))) };
  try {
    // Neither side has compiled its code or filled the caches of the database before the first round, which does not count.
    await inTurns(1, sides);
    const measured = await inTurns(ROUNDS, sides);
    const peak = peakResidentMb(worker.pid);
    const rate = (ms: number) => ((1000 * cells) / ms).toFixed(0);
    const rates = `${rate(measured.ours.median)} against ${rate(measured.floor.median)} cells/s`;
    const size = `${requested.instruments.length} × ${requested.combinations} over 5 years, ${CORES} cores`;
    return [
      figure('sweep.market_rate_vs_floor', ratioOf(measured.floor, measured.ours), '>= 0.8', `${rates}, ${size}`),
      figure('sweep.worker_peak_rss_mb', peak, '< 400', `${CORES} threads of one worker, ${size}`),
    ];
  } finally {
    floor.close();
    await ends.close();
    await stop(worker);
    await closeSweepPlace(place);
  }
}

/** Measures chunks that only wait, which gives the overhead of the fleet independent of the cores. */
async function benchTwoWorkers({ url, directory }: BenchMarket): Promise<Figure[]> {
  const place = await openSweepPlace(url);
  const all = await requestedSweep(place.pool, { universe: 'all', runs: [{ strategy: 'sma_cross' }] });
  // With this much work per bar, each chunk has one instrument.
  const requested = { ...all, instruments: all.instruments.slice(0, WAITING_CHUNKS), bars: 1e9 };
  const start = async () =>
    (await startChild('./sweep-child.ts', ['waiting', url, join(directory, 'sweep-waiting'), String(WAIT_MS)])).child;
  const run = async (workers: number) => {
    const children = await Promise.all(Array.from({ length: workers }, start));
    const ms = await timed(async () => chunksEnd(place.pool, await queueSweep(place, requested)));
    await Promise.all(children.map(stop));
    await place.pool.query('delete from sweeps');
    return ms;
  };
  try {
    await run(1);
    const { one, two } = await inTurns(WAITING_ROUNDS, { one: () => run(1), two: () => run(2) });
    const count = requested.instruments.length;
    const rate = (ms: number) => ((1000 * count) / ms).toFixed(0);
    const note = `${rate(two.median)} against ${rate(one.median)} chunks/s of ${WAIT_MS} ms, 2 slots each`;
    return [figure('sweep.two_workers_vs_one', ratioOf(one, two), '>= 1.8', note)];
  } finally {
    await closeSweepPlace(place);
  }
}

export async function benchSweeps(market: BenchMarket): Promise<Figure[]> {
  const parts = [benchSearch, benchMarketRate, benchTwoWorkers, benchInteractive];
  const figures: Figure[] = [];
  for (const part of parts) figures.push(...(await part(market)));
  return figures;
}
