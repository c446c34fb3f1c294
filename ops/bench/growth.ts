/** Measures the cost of the same work on 4 and 16 times the data. An exponent of 0 is constant, 1 is proportional to the data. */
import { randomUUID } from 'node:crypto';
import { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { PgBoss } from 'pg-boss';
import { selectSeries } from '../../db/market/bars.ts';
import { selectInstruments } from '../../db/market/instruments.ts';
import { createPool, readTransaction } from '../../db/pool.ts';
import { dayOf } from '../../engine/market/dates.ts';
import { BACKTEST_QUEUE } from '../../jobs/contracts/backtest.ts';
import type { ExportSpec } from '../../jobs/contracts/export.ts';
import { openExportFile } from '../../jobs/export/open-file.ts';
import { createLogger } from '../../jobs/logger.ts';
import { openBoss } from '../../jobs/queue/boss.ts';
import {
  BENCH_SYMBOLS,
  BENCH_VENUE_BASIS,
  type Bench,
  type BenchMarket,
  ensureLoaded,
  freshBenchDatabase,
  openBenchMarket,
} from './market.ts';
import { inTurns, type Measurement, timed, timedEach } from './measure.ts';
import { openOurs, roundTrip } from './queue.ts';
import { type Figure, figure } from './report.ts';
import { columnsOf, makeSnapshot, screen } from './screener.ts';

const ROUNDS = 5;
const SCALES = [1, 4, 16] as const;
const LARGEST = 16;
const READS = 300;
const YEAR: ExportSpec = {
  start: '2025-01-01',
  end: '2025-12-31',
  venue_mode: BENCH_VENUE_BASIS,
  adjust: 'none',
  format: 'csv',
};
/** Number of ended jobs in the queue at the smallest scale. */
const ENDED_JOBS = 10_000;

/** Milliseconds at each scale. */
type Costs = readonly Measurement[];

function growthFigure(key: string, costs: Costs, data: string): Figure {
  const [least, , most] = costs;
  const exponent = Math.log(most.median / least.median) / Math.log(LARGEST);
  const times = costs.map(({ median }, i) => `${Number(median.toPrecision(3))} ms at ${SCALES[i]}×`);
  return figure(`growth.${key}_exponent`, exponent, `${times.join(', ')} (1× is ${data})`);
}

/** Measures `cost` at each scale in turns. */
async function costsOf(cost: (scale: 0 | 1 | 2) => Promise<number>): Promise<Costs> {
  const { small, medium, large } = await inTurns(ROUNDS, {
    small: () => cost(0),
    medium: () => cost(1),
    large: () => cost(2),
  });
  return [small, medium, large];
}

/** Measures on markets of each size. */
async function onMarkets(
  { directory, serverUrl }: BenchMarket,
  cost: (market: BenchMarket, ids: readonly number[]) => Promise<number>,
): Promise<Costs> {
  const markets: BenchMarket[] = [];
  for (const scale of SCALES) {
    const market = await openBenchMarket(directory, serverUrl, (BENCH_SYMBOLS * scale) / LARGEST);
    await ensureLoaded(market);
    await market.pool.query('vacuum analyze bar_blocks');
    markets.push(market);
  }
  const ids = await Promise.all(markets.map(async ({ pool }) => (await selectInstruments(pool)).map(({ id }) => id)));
  const costs = await costsOf((i) => cost(markets[i], ids[i]));
  for (const { pool } of markets) await pool.end();
  return costs;
}

/** Reads the whole history of one instrument. */
const benchRead: Bench = async (market) => {
  const costs = await onMarkets(market, ({ pool }, ids) =>
    timedEach(READS, (i) => selectSeries(pool, [ids[(i * 31) % ids.length]], BENCH_VENUE_BASIS)),
  );
  return [growthFigure('read', costs, `a history out of ${BENCH_SYMBOLS / LARGEST} instruments`)];
};

/** Formats a year of the market as CSV and discards it. */
const benchExport: Bench = async (market) => {
  const costs = await onMarkets(market, ({ pool }) =>
    timed(() =>
      readTransaction(pool, (connection) => {
        const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
        return pipeline(openExportFile(connection, YEAR, dayOf(2025, 12, 31), async () => {}).content, nowhere);
      }),
    ),
  );
  return [growthFigure('export', costs, `a year of ${BENCH_SYMBOLS / LARGEST} instruments`)];
};

const benchScreen: Bench = async () => {
  const snapshots = SCALES.map((scale) => makeSnapshot((BENCH_SYMBOLS * scale) / LARGEST));
  const cost = (i: number) => timed(() => screen(columnsOf(snapshots[i])));
  // The first runs are not measured: they compile the code.
  await cost(2);
  return [growthFigure('screen', await costsOf(cost), `${BENCH_SYMBOLS / LARGEST} instruments`)];
};

/** Adds jobs that have ended: they start too late to be taken before. */
async function addEndedJobs(boss: PgBoss, count: number): Promise<void> {
  for (let left = count; left > 0; left -= ENDED_JOBS) {
    const ids = Array.from({ length: ENDED_JOBS }, () => randomUUID());
    const jobs = ids.map((id) => ({ id, startAfter: 3_600 }));
    await boss.insert(BACKTEST_QUEUE.name, jobs);
    await boss.complete(BACKTEST_QUEUE.name, ids, null, { includeQueued: true });
  }
}

/** A job from queueing to knowing; the scales one after the other, because ended jobs accumulate in one table. */
const benchQueue: Bench = async ({ serverUrl }) => {
  const url = await freshBenchDatabase(serverUrl, 'bench_queue_growth');
  const pool = createPool({ url, max: 4, applicationName: 'bench' });
  const boss = await openBoss({ url, log: createLogger('bench', 'warn') });
  const queue = await openOurs(url);
  await roundTrip(queue);
  const costs: Measurement[] = [];
  let ended = 0;
  for (const scale of SCALES) {
    await addEndedJobs(boss, ENDED_JOBS * scale - ended);
    ended = ENDED_JOBS * scale;
    await pool.query('vacuum analyze pgboss.job');
    costs.push((await inTurns(ROUNDS, { trip: () => roundTrip(queue) })).trip);
  }
  await queue.close();
  await boss.stop({ graceful: false });
  await pool.end();
  return [growthFigure('queue', costs, `a job beside ${ENDED_JOBS} ended ones`)];
};

export const GROWTH = {
  'growth.read_exponent': benchRead,
  'growth.export_exponent': benchExport,
  'growth.screen_exponent': benchScreen,
  'growth.queue_exponent': benchQueue,
};
