/** Sweeps through queue, workers, and storage: compared with direct calls of the engine, and with one worker more. */
import type { ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { PgBoss } from 'pg-boss';
import { readMarketData } from '../../api/market/market-data.ts';
import { type RequestedSweep, sweepBody, sweepOf } from '../../api/sweeps/request.ts';
import { listen } from '../../db/listener.ts';
import { createPool, type Pool, transaction } from '../../db/pool.ts';
import { BACKTEST_ENDED_CHANNEL } from '../../db/runs/runs.ts';
import { type Sweep, selectSweep } from '../../db/sweeps/sweeps.ts';
import { newestDistributableDay } from '../../engine/market/calendar.ts';
import { STRATEGIES } from '../../engine/strategies/catalogue.ts';
import { createLogger } from '../../jobs/logger.ts';
import { openBoss } from '../../jobs/queue/boss.ts';
import { enqueueSweep } from '../../jobs/sweep/enqueue.ts';
import { BENCH_NOW, BENCH_YEARS, type Bench, replaceCallers, withWholeHistories } from './market.ts';
import { inTurns, ratioOf, timed } from './measure.ts';
import { endChild, peakResidentMb, startChild, startWorker } from './processes.ts';
import { figure } from './report.ts';

const CORES = availableParallelism();
const ROUNDS = 5;
/** Number of chunks that wait instead of computing, and their wait. */
const WAITING_CHUNKS = 100;
const WAIT_MS = 100;
const WAITING_ROUNDS = 3;
const POLL_MS = 20;

/** A database with accounts that may run sweeps. */
export interface SweepPlace {
  readonly pool: Pool;
  readonly boss: PgBoss;
  readonly userId: number;
  close(): Promise<void>;
}

export async function openSweepPlace(url: string): Promise<SweepPlace> {
  const pool = createPool({ url, max: 4, applicationName: 'bench-sweep' });
  const boss = await openBoss({ url, log: createLogger('bench', 'warn') });
  await pool.query('delete from sweeps');
  const { rows } = await pool.query<{ id: number }>(`select id from users where email like 'bench-%' limit 1`);
  const close = async () => {
    await boss.stop({ graceful: false });
    await pool.end();
  };
  return { pool, boss, userId: rows[0].id, close };
}

/** Returns the specification that `POST /v1/sweeps` queues for a body. */
export async function requestedSweep(pool: Pool, body: unknown): Promise<RequestedSweep> {
  const { directory, sessions } = await readMarketData(pool);
  const distributableDay = newestDistributableDay(BENCH_NOW);
  const maxDay = sessions.findLast((day) => day <= distributableDay) ?? null;
  const parsed = sweepBody.parse(body);
  const market = { directory, distributableDay, maxDay, mode: 'eod_only' } as const;
  return sweepOf(
    parsed,
    market,
    parsed.runs.map(() => null),
  );
}

export async function queueSweep({ pool, boss, userId }: SweepPlace, requested: RequestedSweep): Promise<string> {
  const id = randomUUID();
  const wanted = { id, userId, requestId: `bench:${id}`, at: new Date(), ...requested };
  await transaction(pool, (connection) => enqueueSweep(connection, boss, wanted));
  return id;
}

async function sweepThatGoesOn(pool: Pool, id: string): Promise<Sweep> {
  const sweep = await selectSweep(pool, id);
  if (sweep === null || sweep.status === 'failed') throw new Error(`the sweep ${id} has failed`);
  return sweep;
}

/** Waits until so many chunks have ended. */
export async function chunksDone(pool: Pool, id: string, count: (chunks: number) => number): Promise<void> {
  for (;;) {
    const { chunks, chunksDone: done } = await sweepThatGoesOn(pool, id);
    if (done >= count(chunks)) return;
    await sleep(POLL_MS);
  }
}

/** Calls the engine directly over the same histories, in one process per core. */
async function openFloor(url: string, { spec, instruments }: RequestedSweep) {
  const children = await Promise.all(
    Array.from({ length: CORES }, async () => (await startChild('./sweep-floor-child.ts', [url])).child),
  );
  const runShare = async (child: ChildProcess, i: number) => {
    const done = once(child, 'message');
    child.send({ spec, instruments: instruments.filter((_, k) => k % CORES === i) });
    await done;
  };
  return {
    run: () => timed(() => Promise.all(children.map(runShare))),
    close: () => Promise.all(children.map(endChild)),
  };
}

/** A sweep of the market through queue, workers, and storage, until its result and file are stored. */
const benchMarketRate: Bench = (market) =>
  withWholeHistories(market, BENCH_YEARS[BENCH_YEARS.length - 1], async () => {
    const { url, pool, directory, source } = market;
    await replaceCallers(pool, 1);
    const place = await openSweepPlace(url);
    const runs = STRATEGIES.map(({ code }) => ({ strategy: code }));
    const requested = await requestedSweep(pool, { universe: 'all', runs, time_range: '5Y' });
    const options = { SWEEP_SLOTS: String(CORES), NODE_COMPILE_CACHE: join(directory, 'compiled') };
    const worker = await startWorker(url, market.data, { ...source, ...options });
    const floor = await openFloor(url, requested);
    // The database tells the end, as it does to the API for its callers.
    const ended = new EventEmitter();
    const channels = { [BACKTEST_ENDED_CHANNEL]: (id: string) => ended.emit(id) };
    const listener = await listen({ url, applicationName: 'bench-ends', channels });
    const ours = async () => {
      const id = await queueSweep(place, requested);
      await once(ended, id);
      await sweepThatGoesOn(pool, id);
    };
    const sides = { floor: floor.run, ours: () => timed(ours) };
    try {
      // Neither side has compiled its code or filled the caches of the database before the first round, which does not count.
      await inTurns(1, sides);
      const measured = await inTurns(ROUNDS, sides);
      const size = `${requested.instruments.length} × ${requested.combinations} over 5 years, ${CORES} cores`;
      const cells = requested.instruments.length * requested.combinations;
      const rate = (ms: number) => ((1000 * cells) / ms).toFixed(0);
      const rates = `${rate(measured.ours.median)} against ${rate(measured.floor.median)} cells/s`;
      const peak = peakResidentMb(worker.pid);
      return [
        figure('sweep.market_rate_vs_floor', ratioOf(measured.floor, measured.ours), `${rates}, ${size}`),
        figure('sweep.worker_peak_rss_mb', peak, `${CORES} threads of one worker, ${size}`),
      ];
    } finally {
      await Promise.all([floor.close(), endChild(worker), listener.close(), place.close()]);
    }
  });

/** Chunks that only wait, which gives the overhead of the fleet independent of the cores. */
const benchTwoWorkers: Bench = async ({ url, pool, directory }) => {
  await replaceCallers(pool, 1);
  const place = await openSweepPlace(url);
  const all = await requestedSweep(place.pool, { universe: 'all', runs: [{ strategy: 'sma_cross' }] });
  // With this much work per bar, each chunk has one instrument.
  const requested = { ...all, instruments: all.instruments.slice(0, WAITING_CHUNKS), bars: 1e9 };
  const args = [url, String(WAIT_MS), join(directory, 'sweep-waiting')];
  const run = async (workers: number) => {
    const started = await Promise.all(Array.from({ length: workers }, () => startChild('./worker-child.ts', args)));
    const ms = await timed(async () => chunksDone(place.pool, await queueSweep(place, requested), (chunks) => chunks));
    await Promise.all(started.map(({ child }) => endChild(child)));
    await place.pool.query('delete from sweeps');
    return ms;
  };
  try {
    await run(1);
    const { one, two } = await inTurns(WAITING_ROUNDS, { one: () => run(1), two: () => run(2) });
    const rate = (ms: number) => ((1000 * requested.instruments.length) / ms).toFixed(0);
    const note = `${rate(two.median)} against ${rate(one.median)} chunks/s of ${WAIT_MS} ms, 2 slots each`;
    return [figure('sweep.two_workers_vs_one', ratioOf(one, two), note)];
  } finally {
    await place.close();
  }
};

export const SWEEP = { 'sweep.market': benchMarketRate, 'sweep.two_workers_vs_one': benchTwoWorkers };
