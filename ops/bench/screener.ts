/** A screen over the whole market against a loop written by hand and against DuckDB; and the making of its snapshot. */
import { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { DuckDBInstance } from '@duckdb/node-api';
import { to as copyTo } from 'pg-copy-streams';
import pino from 'pino';
import { selectSnapshots } from '../../db/snapshots.ts';
import { dayOf } from '../../engine/dates.ts';
import { SNAPSHOT_BARS } from '../../engine/screener/fields.ts';
import {
  type Condition,
  cheapestFirst,
  FigureColumns,
  type MarketSnapshot,
  narrow,
} from '../../engine/screener/screen.ts';
import { allocateSeries } from '../../engine/series.ts';
import type { JobContext } from '../../jobs/job-context.ts';
import { decodeSnapshot } from '../../jobs/snapshot/arrow-file.ts';
import { buildSnapshot } from '../../jobs/snapshot/build-snapshot.ts';
import { openStorage } from '../../storage/storage.ts';
import { type Figure, figure, inSeconds, inTurns, ratioOf, timed, timedRounds } from './harness.ts';
import { BENCH_NOW, BENCH_SYMBOLS, type BenchMarket, ensureLoaded } from './market.ts';

const ROUNDS = 7;
const condition = (field: string, op: string, value: number, period: number): Condition => ({
  ...{ field, op, value, period, value2: 0 },
});
const CONDITIONS: readonly Condition[] = [
  condition('above_sma', 'is_true', 0, 200),
  condition('near_high_pct', 'gte', 95, 252),
  condition('volume_ratio', 'gt', 2, 20),
  condition('atr_pct', 'lt', 3, 14),
];

/** Random walks by a linear congruential generator: the same in every run. */
export function makeSnapshot(symbols: number): MarketSnapshot {
  const bars = allocateSeries(symbols * SNAPSHOT_BARS);
  let state = 7;
  const random = () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
  for (let i = 0; i < symbols; i++) {
    let price = 5 + 200 * random();
    for (let k = 0; k < SNAPSHOT_BARS; k++) {
      const at = i * SNAPSHOT_BARS + k;
      const open = price;
      price *= 1 + 0.03 * (random() - 0.48);
      bars.day[at] = dayOf(2025, 1, 1) + k;
      bars.open[at] = open;
      bars.close[at] = price;
      bars.high[at] = Math.max(open, price) * (1 + 0.01 * random());
      bars.low[at] = Math.min(open, price) * (1 - 0.01 * random());
      bars.volume[at] = Math.round(1e6 * random() ** 4);
    }
  }
  return {
    bars,
    offsets: Int32Array.from({ length: symbols + 1 }, (_, i) => i * SNAPSHOT_BARS),
    instrumentIds: Int32Array.from({ length: symbols }, (_, i) => i + 1),
  };
}

/** Columns that know no figure yet. */
export function columnsOf(snapshot: MarketSnapshot): FigureColumns {
  return new FigureColumns(snapshot, 100);
}

/** The number of hits; tells how long each condition has held the event loop, in ms. */
export function screen(columns: FigureColumns, watch: (ms: number) => void = () => {}): number {
  let left = Array.from(columns.snapshot.instrumentIds, (_, i) => i);
  for (const one of cheapestFirst(CONDITIONS)) {
    const start = performance.now();
    left = narrow(columns, one, left);
    watch(performance.now() - start);
  }
  return left.length;
}

/** The four conditions for one instrument after the other, all of them computed: the hits. */
function screenLoop({ bars: { high, low, close, volume }, offsets }: MarketSnapshot): number {
  let hits = 0;
  for (let i = 0; i < BENCH_SYMBOLS; i++) {
    const [from, to] = [offsets[i], offsets[i + 1]];
    const last = to - 1;
    let sum = 0;
    for (let t = to - 200; t < to; t++) sum += close[t];
    let top = 0;
    for (let t = to - 252; t < to; t++) if (high[t] > top) top = high[t];
    let usual = 0;
    for (let t = last - 20; t < last; t++) usual += volume[t];
    let range = 0;
    for (let t = from + 1; t < to; t++) {
      const before = close[t - 1];
      const now = Math.max(high[t] - low[t], Math.abs(high[t] - before), Math.abs(low[t] - before));
      range = t <= from + 14 ? range + now / 14 : (range * 13 + now) / 14;
    }
    const isHit =
      close[last] > sum / 200 &&
      100 * close[last] >= 95 * top &&
      volume[last] > (2 * usual) / 20 &&
      100 * range < 3 * close[last];
    if (isHit) hits++;
  }
  return hits;
}

/** The average of the last 14 true ranges stands in for Wilder's, which SQL has no word for; the work is less. */
const SQL = `
  with ranked as (
    select *, row_number() over (partition by id order by day desc) as r,
      greatest(high - low, abs(high - before), abs(low - before)) as range
    from (select *, lag(close) over (partition by id order by day) as before from bars)),
  figures as (
    select id, max(close) filter (r = 1) as close, avg(close) filter (r <= 200) as sma,
      max(high) filter (r <= 252) as top, max(volume) filter (r = 1) as volume,
      avg(volume) filter (r between 2 and 21) as usual, avg(range) filter (r <= 14) as atr
    from ranked group by id)
  select count(*) from figures
  where close > sma and 100 * close >= 95 * top and volume > 2 * usual and 100 * atr < 3 * close`;

async function openDuck({ bars, offsets, instrumentIds }: MarketSnapshot) {
  const connection = await (await DuckDBInstance.create(':memory:')).connect();
  await connection.run(
    'create table bars (id integer, day integer, high double, low double, close double, volume double)',
  );
  const appender = await connection.createAppender('bars');
  for (let i = 0; i < instrumentIds.length; i++) {
    for (let t = offsets[i]; t < offsets[i + 1]; t++) {
      appender.appendInteger(instrumentIds[i]);
      appender.appendInteger(bars.day[t]);
      for (const column of [bars.high, bars.low, bars.close, bars.volume]) appender.appendDouble(column[t]);
      appender.endRow();
    }
  }
  appender.closeSync();
  return connection;
}

export async function benchScreener(): Promise<Figure[]> {
  const snapshot = makeSnapshot(BENCH_SYMBOLS);
  const duck = await openDuck(snapshot);
  const warm = columnsOf(snapshot);
  const hits = screen(warm);
  if (hits !== screenLoop(snapshot)) throw new Error(`${hits} hits; the loop found ${screenLoop(snapshot)}`);
  let longest = 0;
  const watch = (ms: number) => {
    longest = Math.max(longest, ms);
  };
  const measured = await inTurns(ROUNDS, {
    cold: () => timed(() => screen(columnsOf(snapshot), watch)),
    ...{ warm: () => timed(() => screen(warm)), loop: () => timed(() => screenLoop(snapshot)) },
    duck: () => timed(() => duck.runAndReadAll(SQL)),
  });
  const ms = (name: keyof typeof measured) => measured[name].median;
  const note = `${ms('cold').toFixed(1)} ms cold, ${ms('warm').toFixed(2)} ms warm, ${hits} hits`;
  return [
    figure(
      'screener.time_vs_loop',
      ratioOf(measured.cold, measured.loop),
      '<= 2',
      `${note}; the loop ${ms('loop').toFixed(1)} ms`,
    ),
    figure(
      'screener.rate_vs_duckdb',
      ratioOf(measured.duck, measured.cold),
      '>= 20',
      `DuckDB ${ms('duck').toFixed(0)} ms, in-memory rows`,
    ),
    figure('screener.warm_vs_cold', ratioOf(measured.warm, measured.cold), '<= 0.1', note),
    figure('screener.longest_turn_ms', longest, '< 50', 'the longest that the event loop is held'),
  ];
}

/** Reads the same rows by a bare COPY and drops them. */
async function copyOut({ pool }: BenchMarket): Promise<void> {
  const connection = await pool.connect();
  try {
    const sink = new Writable({ write: (_chunk, _encoding, done) => done() });
    await pipeline(
      connection.query(copyTo(`copy (select * from daily_bars where day > '2024-12-15') to stdout`)),
      sink,
    );
  } finally {
    connection.release();
  }
}

export async function benchSnapshot(market: BenchMarket): Promise<Figure[]> {
  await ensureLoaded(market);
  const storage = openStorage({ folder: market.objects });
  const context = {
    ...{ pool: market.pool, storage, now: () => BENCH_NOW, log: pino({ level: 'silent' }) },
    signal: new AbortController().signal,
  } as unknown as JobContext;
  const { build, copy } = await inTurns(ROUNDS, {
    build: () => timed(() => buildSnapshot(context)),
    copy: () => timed(() => copyOut(market)),
  });
  const [record] = await selectSnapshots(market.pool, 1);
  const load = await timedRounds(ROUNDS, async () => {
    const chunks: Buffer[] = [];
    for await (const chunk of (await storage.get(record.objectKey)) ?? []) chunks.push(chunk as Buffer);
    decodeSnapshot(new Uint8Array(Buffer.concat(chunks)));
  });
  const note = `${(build.median / 1000).toFixed(1)} s against ${(copy.median / 1000).toFixed(1)} s, ${record.bars} bars`;
  return [
    figure('screener.snapshot_build_time_vs_copy', ratioOf(build, copy), '<= 5', note),
    figure('screener.snapshot_load_s', inSeconds(load), '< 2', `${(record.bytes / 1e6).toFixed(0)} MB`),
  ];
}
