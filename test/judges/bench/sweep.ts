/** Sweeps through queue, workers, and storage: compared with direct calls of the engine, and with a second worker. */
import { randomUUID } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import { availableParallelism, setPriority } from 'node:os';
import { join } from 'node:path';
import type { PgBoss } from 'pg-boss';
import { NOTHING_OWN } from '../../../api/rules/resolve.ts';
import { type RequestedSweep, sweepBody, sweepOf } from '../../../api/sweeps/request.ts';
import { listen } from '../../../db/listener.ts';
import { createPool, type Pool, transaction } from '../../../db/pool.ts';
import { BACKTEST_ENDED_CHANNEL } from '../../../db/runs/runs.ts';
import { selectSweep } from '../../../db/sweeps/sweeps.ts';
import { STRATEGIES } from '../../../engine/strategies/catalogue.ts';
import { CellBlock, fillInstrument } from '../../../engine/sweep/cells.ts';
import { required } from '../../../engine/util/values.ts';
import { LANE_NICENESS } from '../../../jobs/contracts/queue-contract.ts';
import { openBoss } from '../../../jobs/queue/boss.ts';
import { streamHistories } from '../../../jobs/runs/history.ts';
import { enqueueSweep } from '../../../jobs/sweep/enqueue.ts';
import { countCombinations, runsOf } from '../../../jobs/sweep/stored-sweep.ts';
import { eventually } from '../../support/eventually.ts';
import { BENCH_LOG, BENCH_YEARS, type Bench, marketFacts, replaceCallers, withWholeHistories } from './market.ts';
import { compare, figure, inTurns, ratioFigure, timed } from './measure.ts';
import { endChild, peakResidentMb, startProcess, startTask } from './processes.ts';
import { runWaitingWorker } from './waiting-worker.ts';

const CORES = availableParallelism();
/** Number of chunks that wait instead of computing, and their wait. */
const WAITING_CHUNKS = 100;
const WAIT_MS = 100;

/** A database, and an account that runs sweeps. */
export interface SweepPlace {
  readonly pool: Pool;
  readonly boss: PgBoss;
  readonly userId: number;
}

export async function openSweepPlace(url: string, userId: number) {
  const pool = createPool({ url, max: 4, applicationName: 'bench-sweep' });
  const boss = await openBoss({ url, log: BENCH_LOG });
  await pool.query('delete from sweeps');
  const close = async () => {
    await boss.stop({ graceful: false });
    await pool.end();
  };
  return { pool, boss, userId, close };
}

/** Returns the specification that `POST /v1/sweeps` queues for a body. */
export async function requestedSweep(pool: Pool, body: unknown): Promise<RequestedSweep> {
  const parsed = sweepBody.parse(body);
  const own = parsed.runs.map(() => NOTHING_OWN);
  return sweepOf(parsed, await marketFacts(pool), own);
}

export async function queueSweep({ pool, boss, userId }: SweepPlace, requested: RequestedSweep): Promise<string> {
  const id = randomUUID();
  const wanted = { id, userId, requestId: `bench:${id}`, at: new Date(), ...requested };
  await transaction(pool, (connection) => enqueueSweep(connection, boss, wanted));
  return id;
}

/** Waits until so many chunks have ended. */
export async function chunksDone(pool: Pool, id: string, count: number): Promise<void> {
  const sweep = await eventually(
    () => selectSweep(pool, id),
    (one) => one?.status === 'failed' || (one?.chunksDone ?? 0) >= count,
  );
  if (sweep?.status === 'failed') throw new Error(`the sweep ${id} has failed`);
}

/** Every strategy on the whole market. */
export const MARKET_SWEEP = {
  universe: 'all',
  runs: STRATEGIES.map(({ code }) => ({ strategy: code })),
  time_range: '5Y',
};

/** The floor: every cell of a core's share of the market by the engine alone, computed again on each message. */
export async function runEngine([url, core]: readonly string[]): Promise<void> {
  const pool = createPool({ url, max: 4, applicationName: 'bench-sweep-child' });
  const { spec, instruments } = await requestedSweep(pool, MARKET_SWEEP);
  const share = instruments.filter((_, i) => i % CORES === Number(core));
  const runs = runsOf(spec);
  // If the machine has other work, both sides of the measurement get the same share of the cores.
  setPriority(LANE_NICENESS.sweep);
  process.on('message', async () => {
    const block = new CellBlock(share.length, countCombinations(runs));
    const placeOf = new Map(share.map(({ instrumentId }, place) => [instrumentId, place]));
    // The database reads while this thread computes.
    for await (const history of streamHistories(pool, [...placeOf.keys()], spec.asOf)) {
      const place = required(placeOf.get(history.instrumentId), 'an instrument of the share');
      const { listedOn, delistedOn } = share[place];
      fillInstrument(block, place, spec, { ...history, asOf: spec.asOf, lifetime: { listedOn, delistedOn } }, runs);
    }
    process.send?.('done');
  });
}

/** The floor in one process per core. */
async function openFloor(url: string) {
  const started = await Promise.all(Array.from({ length: CORES }, (_, core) => startTask(runEngine, [url, `${core}`])));
  const runShare = async ({ child }: (typeof started)[number]) => {
    const done = once(child, 'message');
    child.send('run');
    await done;
  };
  return {
    run: () => timed(() => Promise.all(started.map(runShare))),
    close: () => Promise.all(started.map(({ child }) => endChild(child))),
  };
}

/** A sweep of the market through queue, workers, and storage, until its result and file are stored. */
const benchMarket: Bench = (market) =>
  withWholeHistories(market, BENCH_YEARS[BENCH_YEARS.length - 1], async () => {
    const { url, pool, directory, source } = market;
    const [{ userId }] = await replaceCallers(pool, 1);
    const place = await openSweepPlace(url, userId);
    const requested = await requestedSweep(pool, MARKET_SWEEP);
    const options = { WORKER_SLOTS: String(CORES), NODE_COMPILE_CACHE: join(directory, 'compiled') };
    const { child: worker } = await startProcess('worker', url, market.data, { ...source, ...options });
    const floor = await openFloor(url);
    // The database notifies the end, as it does for the API.
    const ended = new EventEmitter();
    const channels = { [BACKTEST_ENDED_CHANNEL]: (id: string) => ended.emit(id) };
    const listener = await listen({ url, applicationName: 'bench-ends', channels });
    const cells = requested.instruments.length * requested.combinations;
    const sweep = async () => {
      const id = await queueSweep(place, requested);
      await once(ended, id);
      if ((await selectSweep(pool, id))?.status !== 'done') throw new Error(`the sweep ${id} has failed`);
    };
    const sides = {
      floor: async () => cells / (await floor.run()),
      ours: async () => cells / (await timed(sweep)),
    };
    try {
      // Neither side has compiled its code or filled the caches of the database before the first round, which does not count.
      await inTurns(sides, 1);
      const measured = await inTurns(sides);
      const size = `${requested.instruments.length} × ${requested.combinations} over 5 years, ${CORES} cores`;
      const rate = ratioFigure(measured.ours, measured.floor, 'k cells/s', `${size}; the engine in place`);
      return new Map([
        ['sweep.market_rate_vs_floor', rate],
        ['sweep.worker_peak_rss_mb', figure(peakResidentMb(worker.pid), `${CORES} threads of one worker, ${size}`)],
      ]);
    } finally {
      await Promise.all([floor.close(), endChild(worker), listener.close(), place.close()]);
    }
  });

/** Chunks that only wait, which gives the overhead of the fleet independent of the cores. */
const benchTwoWorkers: Bench = async ({ url, pool, directory }) => {
  const [{ userId }] = await replaceCallers(pool, 1);
  const place = await openSweepPlace(url, userId);
  const all = await requestedSweep(pool, { universe: 'all', runs: [{ strategy: 'sma_cross' }] });
  // With this much work per bar, each chunk has one instrument.
  const requested = { ...all, instruments: all.instruments.slice(0, WAITING_CHUNKS), bars: 1e9 };
  const start = () => startTask(runWaitingWorker, [url, String(WAIT_MS), join(directory, 'sweep-waiting')]);
  const rate = async (workers: number) => {
    const started = await Promise.all(Array.from({ length: workers }, start));
    const ms = await timed(async () => chunksDone(pool, await queueSweep(place, requested), WAITING_CHUNKS));
    await Promise.all(started.map(({ child }) => endChild(child)));
    await pool.query('delete from sweeps');
    return (1000 * WAITING_CHUNKS) / ms;
  };
  try {
    await rate(1);
    const what = `chunks of ${WAIT_MS} ms in 2 slots each, with two workers and one`;
    return await compare(what, 'chunks/s', { ours: () => rate(2), floor: () => rate(1) }, 3);
  } finally {
    await place.close();
  }
};

export const SWEEP = { 'sweep.market': benchMarket, 'sweep.two_workers_vs_one': benchTwoWorkers };
