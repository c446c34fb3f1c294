/** Compares a screen over the whole market with a handwritten loop and with DuckDB, and measures the build of its snapshot. */

import { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { to as copyTo } from 'pg-copy-streams';
import pino from 'pino';
import { TimeSlices } from '../../api/screener/time-slices.ts';
import { selectSnapshots } from '../../db/market/snapshots.ts';
import { dayOf } from '../../engine/market/dates.ts';
import { allocateSeries } from '../../engine/market/series.ts';
import { VENUE_BASIS_CODE } from '../../engine/market/venue-basis.ts';
import { present } from '../../engine/present.ts';
import { blocksOf } from '../../engine/screener/blocks.ts';
import { FIELDS } from '../../engine/screener/fields.ts';
import { PERIOD_RANGE, SNAPSHOT_BARS } from '../../engine/screener/periods.ts';
import { allocateMeans } from '../../engine/screener/running-means.ts';
import { type Condition, FigureColumns, freshInstruments, testOf } from '../../engine/screener/screen.ts';
import { type MarketSnapshot, newestView, viewBefore } from '../../engine/screener/snapshot.ts';
import { decodeBars } from '../../jobs/snapshot/bars-file.ts';
import { decodeMeans } from '../../jobs/snapshot/means-file.ts';
import { buildSnapshot } from '../../jobs/snapshot/run.ts';
import { openStorage } from '../../storage/open-storage.ts';
import type { ObjectStorage } from '../../storage/storage.ts';
import { openDuck, SCREEN_SQL } from './duckdb-screen.ts';
import { type Figure, figure, inSeconds, inTurns, ratioOf, timed, timedRounds } from './harness.ts';
import { BENCH_NOW, BENCH_SYMBOLS, BENCH_VENUE_BASIS, type BenchMarket, ensureLoaded } from './market.ts';

const ROUNDS = 7;
const MAX_AGE_DAYS = 7;
const condition = (field: string, op: string, value: number, period: number): Condition => ({
  field,
  op,
  value,
  period,
  value2: 0,
});
const CONDITIONS: readonly Condition[] = [
  condition('above_sma', 'is_true', 0, 200),
  condition('near_high_pct', 'gte', 95, 252),
  condition('volume_ratio', 'gt', 2, 20),
  condition('atr_pct', 'lt', 3, 14),
];

/** Returns random walks from a linear congruential generator, the same in every run. */
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
    running: allocateMeans(symbols),
    lastSplits: new Float64Array(symbols).fill(1),
    blocks: blocksOf(bars),
  };
}

/** Returns columns of the last session and of the previous one, without computed figures. */
export function columnsOf(snapshot: MarketSnapshot): FigureColumns[] {
  const newest = newestView(snapshot, snapshot.bars.day[SNAPSHOT_BARS - 1]);
  return [newest, present(viewBefore(newest))].map((view) => new FigureColumns(view, 100));
}

interface ScreenCounts {
  readonly hits: number;
  /** Hits that the previous session did not have. */
  readonly entered: number;
  /** Hits of the previous session that are none any more. */
  readonly left: number;
}

/** Counts the hits at the last session and what changed since the previous one, as a request for a screen does. */
export async function screen(columns: readonly FigureColumns[], conditions = CONDITIONS): Promise<ScreenCounts> {
  const slices = new TimeSlices();
  const passed: number[][] = [];
  for (const one of columns) {
    let left = freshInstruments(one.view, MAX_AGE_DAYS);
    for (const condition of conditions) left = await slices.filter(left, testOf(one, condition));
    passed.push(left);
  }
  const [now, before] = passed.map((instruments) => new Set(instruments));
  const [entered, left] = [passed[0].filter((i) => !before.has(i)), passed[1].filter((i) => !now.has(i))];
  return { hits: now.size, entered: entered.length, left: left.length };
}

/** Conditions on every field with its longest period that all instruments pass. */
const EVERYTHING = FIELDS.filter(({ kind }) => kind === 'number').map(({ code, defaultPeriod }) => ({
  ...condition(code, 'gte', -1e15, PERIOD_RANGE.max),
  ...(defaultPeriod === null ? { period: null } : {}),
}));

/**
 * Returns the longest turn of the event loop while every figure of the market is computed, in ms of the thread's processor
 * time. Other work of the machine does not count.
 */
async function longestTurn(snapshot: MarketSnapshot): Promise<number> {
  let longest = 0;
  let last = process.threadCpuUsage();
  let isOver = false;
  const look = () => {
    const { user, system } = process.threadCpuUsage(last);
    longest = Math.max(longest, (user + system) / 1000);
    last = process.threadCpuUsage();
    if (!isOver) setImmediate(look);
  };
  setImmediate(look);
  await screen(columnsOf(snapshot), EVERYTHING);
  isOver = true;
  return longest;
}

/** Computes all four conditions for each instrument; returns the number of hits. */
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

export async function benchScreener(): Promise<Figure[]> {
  const snapshot = makeSnapshot(BENCH_SYMBOLS);
  const duck = await openDuck(snapshot);
  const warm = columnsOf(snapshot);
  const { hits, entered, left } = await screen(warm);
  if (hits !== screenLoop(snapshot)) throw new Error(`${hits} hits; the loop found ${screenLoop(snapshot)}`);
  const measured = await inTurns(ROUNDS, {
    cold: () => timed(() => screen(columnsOf(snapshot))),
    warm: () => timed(() => screen(warm)),
    loop: () => timed(() => screenLoop(snapshot)),
    duck: () => timed(() => duck.runAndReadAll(SCREEN_SQL)),
  });
  const ms = (name: keyof typeof measured) => measured[name].median;
  const note = `${ms('cold').toFixed(1)} ms cold, ${ms('warm').toFixed(2)} ms warm, ${hits} hits, ${entered} new, ${left} gone`;
  return [
    figure(
      'screener.time_vs_loop',
      ratioOf(measured.cold, measured.loop),
      '<= 2',
      `${note}; the loop ${ms('loop').toFixed(1)} ms, hits only`,
    ),
    figure(
      'screener.rate_vs_duckdb',
      ratioOf(measured.duck, measured.cold),
      '>= 20',
      `DuckDB ${ms('duck').toFixed(0)} ms, in-memory rows, the same question`,
    ),
    figure('screener.warm_vs_cold', ratioOf(measured.warm, measured.cold), '<= 0.1', note),
    figure('screener.longest_turn_ms', await longestTurn(snapshot), '< 50', 'every field over 252 bars, both sessions'),
  ];
}

/** Reads the same rows with a plain COPY and discards them. */
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

/** Adds the years of primary-session bars that a real market has. Only packed bars are added, because only they are read. */
export async function addPrimaryYears({ pool }: BenchMarket): Promise<void> {
  const [from, to] = [VENUE_BASIS_CODE[BENCH_VENUE_BASIS], VENUE_BASIS_CODE.primary_session];
  await pool.query(
    `insert into bar_blocks (instrument_id, basis, year, data)
     select instrument_id, $2::int, year, data from bar_blocks where basis = $1::int and year <= 2024
     on conflict do nothing`,
    [from, to],
  );
  await pool.query(`insert into bar_seals values ($1, '2024-12-31') on conflict do nothing`, [to]);
}

export async function removePrimaryYears({ pool }: BenchMarket): Promise<void> {
  await pool.query('delete from bar_blocks where basis = $1', [VENUE_BASIS_CODE.primary_session]);
  await pool.query('delete from bar_seals where basis = $1', [VENUE_BASIS_CODE.primary_session]);
}

async function contentOf(storage: ObjectStorage, key: string): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of (await storage.get(key)) ?? []) chunks.push(chunk);
  return new Uint8Array(Buffer.concat(chunks));
}

export async function benchSnapshot(market: BenchMarket): Promise<Figure[]> {
  await ensureLoaded(market);
  await addPrimaryYears(market);
  const storage = openStorage({ folder: market.objects });
  const context = {
    pool: market.pool,
    storage,
    now: () => BENCH_NOW,
    log: pino({ level: 'silent' }),
    signal: new AbortController().signal,
  };
  const { build, copy } = await inTurns(ROUNDS, {
    build: () => timed(() => buildSnapshot(context)),
    copy: () => timed(() => copyOut(market)),
  });
  const [record] = await selectSnapshots(market.pool, 1);
  const load = await timedRounds(ROUNDS, async () => {
    blocksOf(decodeBars(await contentOf(storage, record.objectKey)).bars);
    decodeMeans(await contentOf(storage, record.means?.objectKey ?? ''));
  });
  await removePrimaryYears(market);
  const note = `${(build.median / 1000).toFixed(1)} s against ${(copy.median / 1000).toFixed(1)} s, ${record.bars} bars`;
  return [
    figure('screener.snapshot_build_time_vs_copy', ratioOf(build, copy), '<= 5', note),
    figure(
      'screener.snapshot_load_s',
      inSeconds(load),
      '< 2',
      `${((record.bytes + (record.means?.bytes ?? 0)) / 1e6).toFixed(0)} MB`,
    ),
  ];
}
