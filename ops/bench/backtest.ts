/** Queued, awaited backtests over HTTP against the same computation called in place on bars that are loaded. */
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { selectAdjustmentsOf } from '../../db/market/adjustments.ts';
import { selectSeries } from '../../db/market/bars.ts';
import { selectSessionLedgers } from '../../db/market/session-ledgers.ts';
import { createPool, type Pool } from '../../db/pool.ts';
import { newestDistributableDay } from '../../engine/market/calendar.ts';
import { spliceSeries } from '../../engine/market/splice.ts';
import { effectiveParameters, requireStrategy } from '../../engine/strategies/catalogue.ts';
import type { BacktestSpec } from '../../jobs/backtest/contract.ts';
import { resultOf } from '../../jobs/backtest/run.ts';
import { createLogger } from '../../jobs/logger.ts';
import { SampleProvider } from '../../jobs/providers/sample/sample-provider.ts';
import { openBoss } from '../../jobs/queue/boss.ts';
import { scheduleDueSyncs } from '../../jobs/scheduler.ts';
import { workerOptions } from '../processes/supervisor.ts';
import { replaceCallers } from './callers.ts';
import { endChild, startChild } from './child.ts';
import { type Figure, figure, inTurns, rateOfCallers, ratioOf, summarize, timedRounds } from './harness.ts';
import { startServer } from './http.ts';
import { Callers } from './http-client.ts';
import { BENCH_NOW, type BenchMarket, ensureBenchDatabase } from './market.ts';
import { benchWorkers, openGraphile, rateOf } from './queue.ts';

const SYMBOLS = 60;
const SYMBOL = 'ACRX';
const SEQUENTIAL = 50;
/** Computations until they are as fast as they get. */
const WARM_UP = 300;
const CALLERS = 16;
/** So many that none comes near its limit. */
export const CALLING_ACCOUNTS = 400;
const SECONDS = 4;
const ROUNDS = 5;

/** Each run has other parameters, so that no result is reused. */
let runs = 0;
const nextMultiple = () => Math.round(1e6 * (0.5 + 1e-6 * runs++)) / 1e6;

/** The whole sample market, loaded by the worker and scheduler as in the service. */
export async function loadSample(url: string, pool: Pool): Promise<void> {
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

/** The computation of a job and nothing else: milliseconds of one, over many. */
async function timeInPlace(pool: Pool): Promise<number> {
  const { rows } = await pool.query<{ id: number }>('select id from instruments where symbol = $1', [SYMBOL]);
  const [{ id }] = rows;
  const asOf = newestDistributableDay(BENCH_NOW);
  const of = async (venueBasis: 'primary_session' | 'consolidated') =>
    (await selectSeries(pool, [id], venueBasis)).get(id);
  const [primary, consolidated] = [await of('primary_session'), await of('consolidated')];
  if (!primary || !consolidated) throw new Error(`there are no bars of ${SYMBOL}`);
  const history = {
    series: spliceSeries(primary, consolidated, asOf),
    events: (await selectAdjustmentsOf(pool, [id])).get(id) ?? [],
  };
  const { spliced } = await selectSessionLedgers(pool);
  const strategy = requireStrategy('chandelier');
  const compute = () => {
    const effective = effectiveParameters(strategy, { entry_mult: nextMultiple() });
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
    const result = resultOf(spec, history, spliced, { dataVersion: '', at: new Date(0) });
    if (!result) throw new Error('no bars in the range');
    return Object.values(result).join('').length;
  };
  await timedRounds(WARM_UP, compute);
  return (await timedRounds(WARM_UP, compute)).median;
}

/** A backtest for the next of the accounts; nothing is kept, as for a guest. */
async function call(callers: Callers, keys: readonly string[], hasStatistics = false): Promise<void> {
  const key = keys[runs % keys.length];
  const order = {
    symbol: SYMBOL,
    params: { entry_mult: nextMultiple() },
    include_statistics: hasStatistics,
    save: false,
  };
  const status = await callers.post('/v1/backtest', key, JSON.stringify(order));
  if (status !== 200) throw new Error(`answered ${status}`);
}

/** Milliseconds of a call while there is no other, the median. */
export async function medianOfCalls(port: number, keys: readonly string[]): Promise<number> {
  const caller = await Callers.open(port, 1);
  const { median } = await timedRounds(SEQUENTIAL, () => call(caller, keys));
  caller.close();
  return median;
}

/** Starts a worker process as in the service. */
export async function startWorker(url: string, directory: string, more: NodeJS.ProcessEnv = {}): Promise<ChildProcess> {
  const env = {
    ...more,
    DATABASE_URL: url,
    SAMPLE_SYMBOLS: String(SYMBOLS),
    FIXED_NOW: new Date(BENCH_NOW).toISOString(),
    DATA_DIR: directory,
    LOG_LEVEL: 'warn',
  };
  return (await startChild('../processes/worker.ts', [], workerOptions(env))).child;
}

export async function benchBacktest(market: BenchMarket): Promise<Figure[]> {
  const { directory, serverUrl } = market;
  const url = await ensureBenchDatabase(serverUrl, 'bench_backtest');
  const pool = createPool({ url, max: 3, applicationName: 'bench' });
  const worker = await startWorker(url, join(directory, 'worker'));
  await loadSample(url, pool);
  await pool.query('truncate backtest_results');
  const keys = await replaceCallers(pool, CALLING_ACCOUNTS);
  const server = await startServer('ours', url, join(directory, 'worker', 'objects'));
  const callers = await Callers.open(server.port, CALLERS);
  const graphile = await openGraphile(await ensureBenchDatabase(serverUrl, 'bench_queue'));
  try {
    for (let i = 0; i < WARM_UP; i++) await call(callers, keys);
    const inPlace = await timeInPlace(pool);
    const { alone, rate, noop, judged } = await inTurns(ROUNDS, {
      alone: () => medianOfCalls(server.port, keys),
      rate: () => rateOfCallers(CALLERS, SECONDS, () => call(callers, keys)),
      noop: () => rateOf(graphile),
      judged: () => rateOfCallers(CALLERS, SECONDS, () => call(callers, keys, true)),
    });
    const overhead = summarize(alone.samples.map((ms) => ms - inPlace));
    const beside = `${alone.median.toFixed(1)} ms against ${inPlace.toFixed(2)} ms`;
    const rates = `${rate.median.toFixed(0)} backtests/s against ${noop.median.toFixed(0)} empty jobs/s`;
    return [
      figure('backtest.http_overhead_ms', overhead, '<= 5', beside),
      figure('backtest.rate16_vs_graphile_noop', ratioOf(rate, noop), '>= 0.8', rates),
      figure('backtest.rate16_with_statistics', judged, '', 'jobs/s, statistics and selection included'),
      await benchWorkers(market),
    ];
  } finally {
    callers.close();
    await graphile.close();
    await endChild(server.child);
    worker.kill('SIGTERM');
    await once(worker, 'exit');
    await pool.end();
  }
}
