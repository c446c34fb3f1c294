/** Measures the cost of the same work on 4 and 16 times the data. An exponent of 0 is constant, 1 is proportional to the data. */
import { randomUUID } from 'node:crypto';
import { pipeline } from 'node:stream/promises';
import type { PgBoss } from 'pg-boss';
import { selectSeries } from '../../../db/market/bars.ts';
import { selectInstruments } from '../../../db/market/instruments.ts';
import { createPool, readTransaction } from '../../../db/pool.ts';
import { dayOf } from '../../../engine/market/dates.ts';
import { BACKTEST_QUEUE } from '../../../jobs/contracts/backtest.ts';
import type { ExportSpec } from '../../../jobs/contracts/export.ts';
import { openExportFile } from '../../../jobs/export/open-file.ts';
import { openBoss } from '../../../jobs/queue/boss.ts';
import type { Bench, BenchMarket } from './market.ts';
import { BENCH_LOG, BENCH_SYMBOLS, BENCH_VENUE_BASIS, benchDatabase, ensureLoaded, openBenchMarket } from './market.ts';
import { type Figure, figure, inTurns, median, nowhere, type Samples, timed, timedEach } from './measure.ts';
import { openOurs, roundTrip } from './queue.ts';
import { benchClock, rotate, universeInMemory, WARM_UP } from './rotation.ts';
import { columnsOf, makeSnapshot, screen } from './screener.ts';

const SCALES = [1, 4, 16] as const;
const LARGEST = 16;
const SMALLEST = `${BENCH_SYMBOLS / LARGEST} instruments`;
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

/** The exponent of the costs at each scale in milliseconds. */
function exponentOf(costs: readonly Samples[], data: string): Figure {
  const medians = costs.map(median);
  const exponent = Math.log(medians[2] / medians[0]) / Math.log(LARGEST);
  const times = medians.map((ms, i) => `${Number(ms.toPrecision(3))} ms at ${SCALES[i]}×`);
  return figure(exponent, `${times.join(', ')} (1× is ${data})`);
}

/** Measures `cost` at each scale in turns. */
async function growthOf(cost: (scale: 0 | 1 | 2) => Promise<number>, data: string): Promise<Figure> {
  const measured = await inTurns({ small: () => cost(0), medium: () => cost(1), large: () => cost(2) });
  return exponentOf([measured.small, measured.medium, measured.large], data);
}

/** Measures on markets of each size. */
async function onMarkets(
  { directory, serverUrl }: BenchMarket,
  cost: (market: BenchMarket, ids: readonly number[]) => Promise<number>,
  data: string,
): Promise<Figure> {
  const markets: { readonly market: BenchMarket; readonly ids: readonly number[] }[] = [];
  for (const scale of SCALES) {
    const market = await openBenchMarket(directory, serverUrl, (BENCH_SYMBOLS * scale) / LARGEST);
    await ensureLoaded(market);
    await market.pool.query('vacuum analyze bar_blocks');
    markets.push({ market, ids: (await selectInstruments(market.pool)).map(({ id }) => id) });
  }
  const growth = await growthOf((scale) => cost(markets[scale].market, markets[scale].ids), data);
  for (const { market } of markets) await market.pool.end();
  return growth;
}

/** Reads the whole history of one instrument. */
const readOne = ({ pool }: BenchMarket, ids: readonly number[]) =>
  timedEach(READS, (i) => selectSeries(pool, [ids[(i * 31) % ids.length]], BENCH_VENUE_BASIS));

/** Formats a year of the market as CSV and discards it. */
const exportYear = ({ pool }: BenchMarket) =>
  timed(() =>
    readTransaction(pool, (connection) =>
      pipeline(openExportFile(connection, YEAR, dayOf(2025, 12, 31), async () => {}).content, nowhere()),
    ),
  );

const benchScreen: Bench = async () => {
  const snapshots = SCALES.map((scale) => makeSnapshot((BENCH_SYMBOLS * scale) / LARGEST));
  const cost = (i: number) => timed(() => screen(columnsOf(snapshots[i])));
  // The first run is not measured: it compiles the code.
  await cost(2);
  return growthOf(cost, SMALLEST);
};

/** A rotation on ever more instruments of five years. */
const benchRotationMembers: Bench = async () => {
  const clock = benchClock(5);
  const universes = SCALES.map((scale) => universeInMemory((BENCH_SYMBOLS * scale) / LARGEST, clock));
  await rotate(universes[2]);
  return growthOf((scale) => timed(() => rotate(universes[scale])), SMALLEST);
};

/** A rotation on the instruments of the smallest scale over ever more of twenty years, each after the same sessions before it. */
const benchRotationSessions: Bench = async () => {
  const clock = benchClock(20);
  const shortest = Math.floor((clock.length - WARM_UP) / LARGEST);
  const universes = SCALES.map((scale) =>
    universeInMemory(BENCH_SYMBOLS / LARGEST, clock.subarray(-(WARM_UP + shortest * scale)), WARM_UP),
  );
  await rotate(universes[2]);
  return growthOf((scale) => timed(() => rotate(universes[scale])), `${shortest} sessions of ${SMALLEST}`);
};

/** Adds ended jobs. Their start lies so late that no worker takes them first. */
async function addEndedJobs(boss: PgBoss, count: number): Promise<void> {
  for (let added = 0; added < count; added += ENDED_JOBS) {
    const ids = Array.from({ length: ENDED_JOBS }, () => randomUUID());
    const jobs = ids.map((id) => ({ id, startAfter: 3_600 }));
    await boss.insert(BACKTEST_QUEUE.name, jobs);
    await boss.complete(BACKTEST_QUEUE.name, ids, null, { includeQueued: true });
  }
}

/** A job from queueing to the notification of its end; the scales one after the other, because ended jobs accumulate in one table. */
const benchQueue: Bench = async ({ serverUrl }) => {
  const url = await benchDatabase(serverUrl, 'bench_queue_growth', true);
  const pool = createPool({ url, max: 4, applicationName: 'bench' });
  const boss = await openBoss({ url, log: BENCH_LOG });
  const queue = await openOurs(url);
  await roundTrip(queue);
  const costs: Samples[] = [];
  let ended = 0;
  for (const scale of SCALES) {
    await addEndedJobs(boss, ENDED_JOBS * scale - ended);
    ended = ENDED_JOBS * scale;
    await pool.query('vacuum analyze pgboss.job');
    costs.push((await inTurns({ trip: () => roundTrip(queue) })).trip);
  }
  await queue.close();
  await boss.stop({ graceful: false });
  await pool.end();
  return exponentOf(costs, `a job beside ${ENDED_JOBS} ended ones`);
};

export const GROWTH: Readonly<Record<string, Bench>> = {
  'growth.read_exponent': (market) => onMarkets(market, readOne, `a history out of ${SMALLEST}`),
  'growth.export_exponent': (market) => onMarkets(market, exportYear, `a year of ${SMALLEST}`),
  'growth.screen_exponent': benchScreen,
  'growth.queue_exponent': benchQueue,
  'growth.rotation_members_exponent': benchRotationMembers,
  'growth.rotation_sessions_exponent': benchRotationSessions,
};
