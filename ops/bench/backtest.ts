/** Queued, awaited backtests over HTTP against the same computation called in place on bars that are loaded. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { selectAdjustmentsOf } from '../../db/adjustments.ts';
import { selectSeries } from '../../db/bars.ts';
import { migrate } from '../../db/migrate.ts';
import { createPool, ensureDatabase, type Pool } from '../../db/pool.ts';
import { equityJson, klinesJson, reportTrades, runBacktest } from '../../engine/backtest.ts';
import { newestDistributableDay } from '../../engine/calendar.ts';
import { spliceSeries } from '../../engine/splice.ts';
import { effectiveParameters, findStrategy } from '../../engine/strategies/catalogue.ts';
import type { Strategy } from '../../engine/strategies/strategy.ts';
import type { BacktestOrder } from '../../jobs/backtest/order.ts';
import { summaryOf } from '../../jobs/backtest/summary.ts';
import { createLogger } from '../../jobs/logger.ts';
import { SampleProvider } from '../../jobs/providers/sample/sample-provider.ts';
import { installQueue, openBoss } from '../../jobs/queue/boss.ts';
import { scheduleDueSyncs } from '../../jobs/scheduler.ts';
import { type Figure, figure, quantile, summarize, timed } from './harness.ts';
import { startServer } from './http.ts';
import { BENCH_NOW, type BenchMarket } from './market.ts';

const SYMBOLS = 60;
const SYMBOL = 'ACRX';
const SEQUENTIAL = 150;
const CALLERS = 16;
const SECONDS = 4;
const ROUNDS = 5;

/** Every order is another one, so that no result is used again. */
let orders = 0;
const nextMultiple = () => Math.round(1e6 * (0.5 + 1e-6 * orders++)) / 1e6;

/** The whole sample market, loaded by the worker and scheduler as in the service. */
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

/** The computation of a job and nothing else: milliseconds of one, over many. */
async function timeInPlace(pool: Pool): Promise<number> {
  const { rows } = await pool.query<{ id: number }>('select id from instruments where symbol = $1', [SYMBOL]);
  const [{ id }] = rows;
  const asOf = newestDistributableDay(BENCH_NOW);
  const of = async (basis: 'primary_session' | 'consolidated') => (await selectSeries(pool, [id], basis)).get(id);
  const [primary, consolidated] = [await of('primary_session'), await of('consolidated')];
  if (!primary || !consolidated) throw new Error(`there are no bars of ${SYMBOL}`);
  const input = {
    ...{ series: spliceSeries(primary, consolidated, asOf), events: await selectAdjustmentsOf(pool, id), asOf },
    lifetime: { listedOn: null, delistedOn: null },
  };
  const strategy = findStrategy('chandelier') as Strategy;
  const compute = () => {
    const effective = effectiveParameters(strategy, { entry_mult: nextMultiple() });
    if ('faults' in effective) throw new Error('bad parameters');
    const order: BacktestOrder = {
      ...{ instrumentId: id, symbol: `${SYMBOL}.US`, listedOn: null, delistedOn: null, strategy: 'chandelier' },
      ...{ params: effective.values, timeRange: '1Y', start: null, end: null, adjust: 'split', isCostless: true },
      execution: { executeOn: 'close', commissionRate: 0, minCommission: 0, slippageBps: 0, initialCapital: 100_000 },
      ...{ asOf, dataAsOf: asOf, distributionMode: 'eod_only' },
    };
    const outcome = runBacktest(order, input);
    if (!outcome) throw new Error('no bars in the range');
    return [
      JSON.stringify(summaryOf(order, outcome)),
      JSON.stringify(reportTrades(outcome)),
      klinesJson(outcome),
      equityJson(outcome, 100_000),
    ].join('').length;
  };
  const samples: number[] = [];
  for (let i = 0; i < 600; i++) samples.push(await timed(compute));
  return summarize(samples.slice(300)).median;
}

async function call(port: number): Promise<void> {
  const response = await fetch(`http://127.0.0.1:${port}/v1/backtest`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ symbol: SYMBOL, params: { entry_mult: nextMultiple() } }),
  });
  const text = await response.text();
  if (response.status !== 200) throw new Error(`answered ${response.status}: ${text.slice(0, 200)}`);
}

/** Jobs per second that some callers get, each asking again as soon as it is answered. */
async function rateOf(port: number): Promise<number> {
  const end = performance.now() + 1000 * SECONDS;
  let done = 0;
  const caller = async () => {
    while (performance.now() < end) {
      await call(port);
      done++;
    }
  };
  const ms = await timed(() => Promise.all(Array.from({ length: CALLERS }, caller)));
  return (1000 * done) / ms;
}

async function startWorker(url: string): Promise<ChildProcess> {
  const worker = fork(fileURLToPath(new URL('../worker.ts', import.meta.url)), {
    env: {
      ...{ DATABASE_URL: url, SAMPLE_SYMBOLS: String(SYMBOLS), FIXED_NOW: new Date(BENCH_NOW).toISOString() },
      ...{ DATA_DIR: join(tmpdir(), 'market-bench-worker'), LOG_LEVEL: 'warn' },
    },
  });
  await once(worker, 'message');
  return worker;
}

export async function benchBacktest({ serverUrl }: BenchMarket): Promise<Figure[]> {
  await ensureDatabase(serverUrl, 'bench_backtest');
  const url = Object.assign(new URL(serverUrl), { pathname: '/bench_backtest' }).href;
  await migrate(url);
  await installQueue(url);
  const pool = createPool({ url, max: 3, applicationName: 'bench' });
  const worker = await startWorker(url);
  await loadSample(url, pool);
  const server = await startServer('ours', url);
  try {
    for (let i = 0; i < 50; i++) await call(server.port);
    const latencies: number[] = [];
    for (let i = 0; i < SEQUENTIAL; i++) latencies.push(await timed(() => call(server.port)));
    const p50 = quantile(
      latencies.sort((a, b) => a - b),
      0.5,
    );
    const inPlace = await timeInPlace(pool);
    const rates: number[] = [];
    for (let round = 0; round < ROUNDS; round++) rates.push(await rateOf(server.port));
    const rate = summarize(rates).median;
    const possible = (1000 * availableParallelism()) / inPlace;
    return [
      figure(
        'backtest.http_overhead_ms',
        p50 - inPlace,
        '<= 12',
        `${p50.toFixed(1)} ms against ${inPlace.toFixed(2)} ms`,
      ),
      figure(
        'backtest.rate16_vs_compute',
        rate / possible,
        '>= 0.6',
        `${rate.toFixed(0)} against ${possible.toFixed(0)} jobs/s`,
      ),
    ];
  } finally {
    server.child.disconnect();
    worker.kill('SIGTERM');
    await once(worker, 'exit');
    await pool.end();
  }
}
