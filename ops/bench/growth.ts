/** Measures the cost of the same work on 4 and 16 times the data. An exponent of 0 is constant, 1 is proportional to the data. */
import { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { selectSeries } from '../../db/market/bars.ts';
import { selectInstruments } from '../../db/market/instruments.ts';
import { createPool, type Pool, readTransaction } from '../../db/pool.ts';
import { dayOf } from '../../engine/market/dates.ts';
import type { ExportSpec } from '../../jobs/export/contract.ts';
import { openExportFile } from '../../jobs/export/open-file.ts';
import {
  BENCH_SYMBOLS,
  BENCH_VENUE_BASIS,
  type Bench,
  type BenchMarket,
  ensureBenchDatabase,
  ensureLoaded,
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

async function keepEndedJobs(pool: Pool, count: number): Promise<void> {
  await pool.query(
    `insert into pgboss.job (name, data, state, policy, started_on, completed_on, keep_until)
     select 'backtest', '{}', 'completed', 'standard', now(), now(), now() + interval '1 day'
     from generate_series(1, $1::int - (select count(*)::int from pgboss.job))`,
    [count],
  );
  await pool.query('vacuum analyze pgboss.job');
}

/** A job from queueing to knowing; the scales one after the other, because ended jobs accumulate in one table. */
const benchQueue: Bench = async ({ serverUrl }) => {
  const url = await ensureBenchDatabase(serverUrl, 'bench_queue_growth');
  const pool = createPool({ url, max: 4, applicationName: 'bench' });
  await pool.query('delete from pgboss.job');
  const queue = await openOurs(url);
  await roundTrip(queue);
  const costs: Measurement[] = [];
  for (const scale of SCALES) {
    await keepEndedJobs(pool, ENDED_JOBS * scale);
    costs.push((await inTurns(ROUNDS, { trip: () => roundTrip(queue) })).trip);
  }
  await queue.close();
  await pool.end();
  return [growthFigure('queue', costs, `a job beside ${ENDED_JOBS} ended ones`)];
};

export const GROWTH = {
  'growth.read_exponent': benchRead,
  'growth.export_exponent': benchExport,
  'growth.screen_exponent': benchScreen,
  'growth.queue_exponent': benchQueue,
};
