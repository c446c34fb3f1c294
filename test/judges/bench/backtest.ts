/** Queued, awaited backtests over HTTP: against the same computation called in place, against empty jobs, and during a sweep. */
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import type { Request } from 'autocannon';
import type { z } from 'zod';
import { backtestSpecOf, flatBody, fromFlat } from '../../../api/backtests/request.ts';
import { selectSessionLedgers } from '../../../db/market/loaded-sessions.ts';
import { createPool, type Pool, transaction } from '../../../db/pool.ts';
import { selectSweep } from '../../../db/sweeps/sweeps.ts';
import { required } from '../../../engine/util/values.ts';
import { SampleProvider } from '../../../jobs/providers/sample/sample-provider.ts';
import { readHistory } from '../../../jobs/runs/history.ts';
import { removeSweep } from '../../../jobs/sweep/enqueue.ts';
import { loadEverything } from '../../support/market-folder.ts';
import { backtestResult } from '../../support/results.ts';
import { answersPerSecond, type Call, medianLatency } from './http-load.ts';
import { BENCH_NOW, type Bench, type BenchMarket, benchDatabase, marketFacts, replaceCallers } from './market.ts';
import { alone, compare, medianOf } from './measure.ts';
import { endChild, startProcess } from './processes.ts';
import { openGraphile, rateOf } from './queue.ts';
import { chunksDone, openSweepPlace, queueSweep, requestedSweep, type SweepPlace } from './sweep.ts';

const SYMBOLS = 60;
const SEQUENTIAL = 50;
/** Computations until the code is compiled. */
const WARM_UP = 300;
const CALLERS = 16;
/** So many that none comes near its limit. */
const ACCOUNTS = 400;
const SECONDS = 4;
/** Statistics have their own rows; these measure the path of a run. */
const BODY = { symbol: 'ACRX', include_statistics: false, save: false };
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

/** Each run has other parameters, so that no result is reused. */
let runs = 0;
const bareBody = () => ({ ...BODY, params: { entry_mult: Math.round(1e6 * (0.5 + 1e-6 * runs++)) / 1e6 } });
export type Body = z.input<typeof flatBody>;

interface Service {
  readonly url: string;
  readonly pool: Pool;
  /** One of the callers. */
  readonly userId: number;
  /** Calls per second of concurrent callers. */
  rate(bodyOf?: () => Body): Promise<number>;
  /** Quotes per second of as many callers. */
  quotes(): Promise<number>;
  /** Milliseconds of a call while there is no other, the median. */
  latency(): Promise<number>;
}

/** An API and a worker process on the sample market, and callers of backtests. Nothing is kept, as for a guest. */
export async function withService<T>(
  { directory, serverUrl }: BenchMarket,
  { settings = {}, name = 'bench_backtest' }: { readonly settings?: NodeJS.ProcessEnv; readonly name?: string },
  work: (service: Service) => Promise<T>,
): Promise<T> {
  const url = await benchDatabase(serverUrl, name);
  const pool = createPool({ url, max: 3, applicationName: 'bench' });
  await loadEverything(pool, new SampleProvider({ symbols: SYMBOLS, now: () => BENCH_NOW }));
  await pool.query('truncate backtest_results');
  const callers = await replaceCallers(pool, ACCOUNTS);
  const [data, env] = [join(directory, 'sample'), { SAMPLE_SYMBOLS: String(SYMBOLS), ...settings }];
  const { child: worker } = await startProcess('worker', url, data, env);
  const { child, port } = await startProcess('api', url, data, env);
  const callOf = (i: number, bodyOf: () => Body): Call => ({
    method: 'POST',
    path: '/v1/backtest',
    headers: { 'x-api-key': callers[i % ACCOUNTS].key, 'content-type': 'application/json' },
    body: JSON.stringify(bodyOf()),
  });
  const rate = (bodyOf: () => Body = bareBody) => {
    const requests = callers.map((_, i) => {
      const setupRequest = (request: Request) => ({ ...request, ...callOf(i, bodyOf) });
      return { ...callOf(i, bodyOf), setupRequest };
    });
    return answersPerSecond({ port, requests, connections: CALLERS }, SECONDS);
  };
  const quotes = () => {
    const path = `/v1/quote/${BODY.symbol}`;
    const requests = callers.map(({ key }) => ({ method: 'GET' as const, path, headers: { 'x-api-key': key } }));
    return answersPerSecond({ port, requests, connections: CALLERS }, SECONDS);
  };
  const latency = () => medianLatency(port, () => callOf(runs, bareBody), SEQUENTIAL);
  try {
    await rate();
    return await work({ url, pool, userId: callers[0].userId, rate, quotes, latency });
  } finally {
    await Promise.all([endChild(child), endChild(worker)]);
    await pool.end();
  }
}

/** The computation of a job and nothing else, for bodies of one instrument, and its history. */
export async function computationOf(pool: Pool, bodyOf: () => Body) {
  const facts = await marketFacts(pool);
  const { instrumentId, asOf } = backtestSpecOf(fromFlat(flatBody.parse(bodyOf())), facts);
  const history = await readHistory(pool, instrumentId, asOf);
  const { spliced } = await selectSessionLedgers(pool);
  const compute = () => {
    const spec = backtestSpecOf(fromFlat(flatBody.parse(bodyOf())), facts);
    const result = required(backtestResult(spec, history, spliced, { dataVersion: '', at: new Date(0) }));
    return result.summary.length + result.body.length;
  };
  return { compute, history };
}

/** Milliseconds of the computation of one, over many. */
async function timeInPlace(pool: Pool): Promise<number> {
  const { compute } = await computationOf(pool, bareBody);
  await medianOf(WARM_UP, compute);
  return medianOf(WARM_UP, compute);
}

const benchOverhead: Bench = (market) =>
  withService(market, {}, async ({ pool, latency }) => {
    const inPlace = await timeInPlace(pool);
    const what = `an awaited backtest but for its computation of ${inPlace.toFixed(2)} ms`;
    return alone(what, async () => (await latency()) - inPlace);
  });

const benchRate: Bench = (market) =>
  withService(market, {}, async ({ rate }) => {
    const graphile = await openGraphile(await benchDatabase(market.serverUrl, 'bench_queue'));
    await rateOf(graphile);
    const what = `backtests of ${CALLERS} callers; empty jobs of graphile-worker`;
    const result = await compare(what, 'a second', { ours: rate, floor: () => rateOf(graphile) });
    await graphile.close();
    return result;
  });

/** Returns the result of `work` while a sweep runs; throws if the sweep ended first. */
async function besideSweep<T>(place: SweepPlace, work: () => Promise<T>): Promise<T> {
  const { pool, boss, userId } = place;
  const id = await queueSweep(place, await requestedSweep(pool, LONG_SWEEP));
  await chunksDone(pool, id, 1);
  const result = await work();
  const sweep = await selectSweep(pool, id);
  if (sweep?.status !== 'running' || sweep.chunksDone >= sweep.chunks) throw new Error('the sweep ended too soon');
  const removed = { userId, id, requestId: `bench:${id}`, at: new Date() };
  await transaction(pool, (connection) => removeSweep(connection, boss, removed));
  return result;
}

/** Awaited backtests during a sweep on all cores except one, and alone. */
const benchInteractive: Bench = (market) => {
  const slots = String(Math.max(1, availableParallelism() - 1));
  return withService(
    market,
    { settings: { WORKER_SLOTS: `interactive=2,background=2,sweep=${slots}` } },
    async ({ url, userId, latency }) => {
      const place = await openSweepPlace(url, userId);
      const what = `a backtest beside a sweep on ${slots} cores, and alone`;
      const result = await compare(what, 'ms', { ours: () => besideSweep(place, latency), floor: latency });
      await place.close();
      return result;
    },
  );
};

export const BACKTEST = {
  'backtest.http_overhead_ms': benchOverhead,
  'backtest.rate16_vs_graphile_noop': benchRate,
  'sweep.interactive_slowdown': benchInteractive,
};
