/** Queued, awaited backtests over HTTP: against the same computation called in place, against empty jobs, and beside a sweep. */
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Request } from 'autocannon';
import { selectAdjustmentsOf } from '../../db/market/adjustments.ts';
import { selectSeries } from '../../db/market/bars.ts';
import { selectSessionLedgers } from '../../db/market/session-ledgers.ts';
import { createPool, type Pool, transaction } from '../../db/pool.ts';
import { selectSweep } from '../../db/sweeps/sweeps.ts';
import { newestDistributableDay } from '../../engine/market/calendar.ts';
import { spliceSeries } from '../../engine/market/splice.ts';
import { effectiveParameters, requireStrategy } from '../../engine/strategies/catalogue.ts';
import { required } from '../../engine/util/required.ts';
import { resultOf } from '../../jobs/backtest/run.ts';
import type { BacktestSpec } from '../../jobs/contracts/backtest.ts';
import { createLogger } from '../../jobs/logger.ts';
import { SampleProvider } from '../../jobs/providers/sample/sample-provider.ts';
import { openBoss } from '../../jobs/queue/boss.ts';
import { removeSweep } from '../../jobs/sweep/enqueue.ts';
import { scheduleDueSyncs } from '../../jobs/worker/scheduler.ts';
import { answersPerSecond, latencies } from './http-load.ts';
import { BENCH_NOW, type Bench, type BenchMarket, ensureBenchDatabase, replaceCallers } from './market.ts';
import { inTurns, medianOf, ratioOf, summarize } from './measure.ts';
import { endChild, startApi, startWorker } from './processes.ts';
import { openGraphile, rateOf } from './queue.ts';
import { figure } from './report.ts';
import { chunksDone, openSweepPlace, queueSweep, requestedSweep, type SweepPlace } from './sweep.ts';

const SYMBOLS = 60;
const SYMBOL = 'ACRX';
const SEQUENTIAL = 50;
/** Computations until they are as fast as they get. */
const WARM_UP = 300;
const CALLERS = 16;
/** So many that none comes near its limit. */
const ACCOUNTS = 400;
const SECONDS = 4;
const ROUNDS = 5;
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

/** Statistics have rows of their own: these measure the way of a run. */
const BODY = { symbol: SYMBOL, include_statistics: false, save: false };

/** Each run has other parameters, so that no result is reused. */
let runs = 0;
const nextMultiple = () => Math.round(1e6 * (0.5 + 1e-6 * runs++)) / 1e6;

interface Service {
  readonly url: string;
  readonly pool: Pool;
  readonly port: number;
  /** A backtest for each of the accounts; nothing is kept, as for a guest. */
  readonly requests: readonly Request[];
}

/** The whole sample market, loaded by the worker as in the service. */
async function loadSample(url: string, pool: Pool): Promise<void> {
  const log = createLogger('bench', 'warn');
  const boss = await openBoss({ url, log });
  const now = () => BENCH_NOW;
  const options = { pool, boss, now, log, provider: new SampleProvider({ symbols: SYMBOLS, now }) };
  const isBusy = async () => {
    const { rows } = await pool.query(`select count(*)::int as n from sync_jobs where status = 'running'`);
    return rows[0].n > 0;
  };
  while ((await scheduleDueSyncs(options)) > 0 || (await isBusy())) await sleep(200);
  await boss.stop({ graceful: false });
}

/** An API and a worker process on the sample market. */
async function withService<T>(
  { directory, serverUrl }: BenchMarket,
  workerEnv: NodeJS.ProcessEnv,
  work: (service: Service) => Promise<T>,
): Promise<T> {
  const url = await ensureBenchDatabase(serverUrl, 'bench_backtest');
  const pool = createPool({ url, max: 3, applicationName: 'bench' });
  const [data, sample] = [join(directory, 'sample'), { SAMPLE_SYMBOLS: String(SYMBOLS) }];
  const worker = await startWorker(url, data, { ...sample, ...workerEnv });
  await loadSample(url, pool);
  await pool.query('truncate backtest_results');
  const keys = await replaceCallers(pool, ACCOUNTS);
  const { child, port } = await startApi(url, data, sample);
  const requests = keys.map((key) => ({
    method: 'POST' as const,
    path: '/v1/backtest',
    setupRequest: (request: Request) => ({
      ...request,
      headers: { 'x-api-key': key, 'content-type': 'application/json' },
      body: JSON.stringify({ ...BODY, params: { entry_mult: nextMultiple() } }),
    }),
  }));
  try {
    await answersPerSecond({ port, requests, connections: CALLERS }, SECONDS);
    return await work({ url, pool, port, requests });
  } finally {
    await Promise.all([endChild(child), endChild(worker)]);
    await pool.end();
  }
}

/** Milliseconds of a call while there is no other, the median. */
const medianCall = async ({ port, requests }: Service) =>
  summarize(await latencies(port, requests[runs % requests.length], SEQUENTIAL)).median;

/** The computation of a job and nothing else: milliseconds of one, over many. */
async function timeInPlace(pool: Pool): Promise<number> {
  const { rows } = await pool.query<{ id: number }>('select id from instruments where symbol = $1', [SYMBOL]);
  const [{ id }] = rows;
  const asOf = newestDistributableDay(BENCH_NOW);
  const primary = required((await selectSeries(pool, [id], 'primary_session')).get(id));
  const consolidated = required((await selectSeries(pool, [id], 'consolidated')).get(id));
  const events = (await selectAdjustmentsOf(pool, [id])).get(id) ?? [];
  const history = { series: spliceSeries(primary, consolidated, asOf), events };
  const { spliced } = await selectSessionLedgers(pool);
  const compute = () => {
    const effective = effectiveParameters(requireStrategy('chandelier'), { entry_mult: nextMultiple() });
    if ('faults' in effective) throw new Error('bad parameters');
    const spec: BacktestSpec = {
      instrumentId: id,
      symbol: `${SYMBOL}.US`,
      listedOn: null,
      delistedOn: null,
      strategy: 'chandelier',
      params: effective.values,
      timeRange: '1Y',
      start: null,
      end: null,
      adjust: 'split',
      isCostless: true,
      execution: { executeOn: 'close', commissionRate: 0, minCommission: 0, slippageBps: 0, initialCapital: 100_000 },
      asOf,
      dataAsOf: asOf,
      distributionMode: 'eod_only',
      includeStatistics: false,
    };
    const result = required(resultOf(spec, history, spliced, { dataVersion: '', at: new Date(0) }));
    return Object.values(result).join('').length;
  };
  await medianOf(WARM_UP, compute);
  return medianOf(WARM_UP, compute);
}

const benchOverhead: Bench = (market) =>
  withService(market, {}, async (service) => {
    const inPlace = await timeInPlace(service.pool);
    const { call } = await inTurns(ROUNDS, { call: () => medianCall(service) });
    const overhead = summarize(call.samples.map((ms) => ms - inPlace));
    return [
      figure('backtest.http_overhead_ms', overhead, `${call.median.toFixed(1)} ms against ${inPlace.toFixed(2)} ms`),
    ];
  });

const benchRate: Bench = (market) =>
  withService(market, {}, async ({ port, requests }) => {
    const graphile = await openGraphile(await ensureBenchDatabase(market.serverUrl, 'bench_queue'));
    await rateOf(graphile);
    const { rate, noop } = await inTurns(ROUNDS, {
      rate: () => answersPerSecond({ port, requests, connections: CALLERS }, SECONDS),
      noop: () => rateOf(graphile),
    });
    await graphile.close();
    const rates = `${rate.median.toFixed(0)} backtests/s against ${noop.median.toFixed(0)} empty jobs/s`;
    return [figure('backtest.rate16_vs_graphile_noop', ratioOf(rate, noop), rates)];
  });

/** Returns the result of `work` while a sweep runs; throws if the sweep ended first. */
async function besideSweep<T>(place: SweepPlace, work: () => Promise<T>): Promise<T> {
  const { pool, boss, userId } = place;
  const id = await queueSweep(place, await requestedSweep(pool, LONG_SWEEP));
  await chunksDone(pool, id, () => 1);
  const result = await work();
  const sweep = await selectSweep(pool, id);
  if (sweep?.status !== 'running' || sweep.chunksDone >= sweep.chunks) throw new Error('the sweep ended too soon');
  const removed = { userId, id, requestId: `bench:${id}`, at: new Date() };
  await transaction(pool, (connection) => removeSweep(connection, boss, removed));
  return result;
}

/** Awaited backtests beside a sweep that uses all cores but one, and alone. */
const benchInteractive: Bench = (market) => {
  const slots = String(Math.max(1, availableParallelism() - 1));
  return withService(market, { SWEEP_SLOTS: slots }, async (service) => {
    const place = await openSweepPlace(service.url);
    const { alone, beside } = await inTurns(ROUNDS, {
      alone: () => medianCall(service),
      beside: () => besideSweep(place, () => medianCall(service)),
    });
    await place.close();
    const note = `${beside.median.toFixed(1)} ms against ${alone.median.toFixed(1)} ms, the sweep on ${slots} cores`;
    return [figure('sweep.interactive_slowdown', ratioOf(beside, alone), note)];
  });
};

export const BACKTEST = {
  'backtest.http_overhead_ms': benchOverhead,
  'backtest.rate16_vs_graphile_noop': benchRate,
  'sweep.interactive_slowdown': benchInteractive,
};
