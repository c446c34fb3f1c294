/** Compares a screen over the whole market with a handwritten loop and with DuckDB, and measures the build of its snapshot. */

import { randomUUID } from 'node:crypto';
import { Writable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import pino from 'pino';
import { TimeSlices } from '../../api/screener/time-slices.ts';
import { deleteUnusedPastSnapshots } from '../../db/market/past-snapshots.ts';
import { selectSnapshots } from '../../db/market/snapshots.ts';
import { allocateSeries, VALUE_COLUMNS } from '../../engine/market/series.ts';
import { blocksOf } from '../../engine/screener/blocks.ts';
import { FIELDS } from '../../engine/screener/fields.ts';
import { PERIOD_RANGE, SNAPSHOT_BARS } from '../../engine/screener/periods.ts';
import { allocateMeans } from '../../engine/screener/running-means.ts';
import { type Condition, FigureColumns, freshInstruments, testOf } from '../../engine/screener/screen.ts';
import { type MarketSnapshot, newestView, viewBefore } from '../../engine/screener/snapshot.ts';
import { required } from '../../engine/util/required.ts';
import { ensurePastSnapshot } from '../../jobs/screen/run.ts';
import { decodeBars } from '../../jobs/snapshot/bars-file.ts';
import { decodeMeans } from '../../jobs/snapshot/means-file.ts';
import { buildSnapshot } from '../../jobs/snapshot/run.ts';
import { openStorage } from '../../storage/open-storage.ts';
import type { ObjectStorage } from '../../storage/storage.ts';
import { openDuck, SCREEN_SQL } from './duckdb-screen.ts';
import { BENCH_NOW, BENCH_SYMBOLS, type Bench, type BenchMarket, copyRows, withWholeHistories } from './market.ts';
import { inSeconds, inTurns, type Measurement, ratioOf, summarize, timed, timedRounds } from './measure.ts';
import { figure } from './report.ts';
import { walk } from './walk.ts';

const ROUNDS = 7;
const MAX_AGE_DAYS = 7;
const COLUMNS = ['day', ...VALUE_COLUMNS] as const;
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

/** Returns a snapshot of random walks. */
export function makeSnapshot(symbols: number): MarketSnapshot {
  const bars = allocateSeries(symbols * SNAPSHOT_BARS);
  for (let i = 0; i < symbols; i++) {
    const series = walk(SNAPSHOT_BARS, i + 1, 0.48);
    for (const name of COLUMNS) bars[name].set(series[name], i * SNAPSHOT_BARS);
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
  return [newest, required(viewBefore(newest))].map((view) => new FigureColumns(view, 100));
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

const benchScreen: Bench = async () => {
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
  const ms = (name: keyof typeof measured) => `${measured[name].median.toFixed(1)} ms`;
  const note = `${ms('cold')} cold, ${ms('warm')} warm, ${hits} hits, ${entered} new, ${left} gone`;
  const [loop, sql] = [
    `; the loop ${ms('loop')}, hits only`,
    `DuckDB ${ms('duck')}, in-memory rows, the same question`,
  ];
  return [
    figure('screener.time_vs_loop', ratioOf(measured.cold, measured.loop), `${note}${loop}`),
    figure('screener.rate_vs_duckdb', ratioOf(measured.duck, measured.cold), sql),
    figure('screener.warm_vs_cold', ratioOf(measured.warm, measured.cold), note),
    figure('screener.longest_turn_ms', await longestTurn(snapshot), 'every field over 252 bars, both sessions'),
  ];
};

async function contentOf(storage: ObjectStorage, key: string): Promise<Uint8Array> {
  return new Uint8Array(await buffer(required(await storage.get(key))));
}

/** The context of the jobs that build snapshots. */
const jobOn = ({ pool, objects }: BenchMarket) => ({
  pool,
  storage: openStorage({ folder: objects }),
  now: () => BENCH_NOW,
  log: pino({ level: 'silent' }),
  signal: new AbortController().signal,
});

/** The snapshot of the newest session, against COPY of the same rows to nowhere. */
const benchSnapshot: Bench = (market) =>
  withWholeHistories(market, 2024, async () => {
    const context = jobOn(market);
    const nowhere = () => new Writable({ write: (_chunk, _encoding, done) => done() });
    const { build, copy } = await inTurns(ROUNDS, {
      build: () => timed(() => buildSnapshot(context)),
      copy: () => timed(() => copyRows(market, `select * from daily_bars where day > '2024-12-15'`, nowhere())),
    });
    const [{ objectKey, means, bars, bytes }] = await selectSnapshots(market.pool, 1);
    const load = await timedRounds(ROUNDS, async () => {
      blocksOf(decodeBars(await contentOf(context.storage, objectKey)).bars);
      decodeMeans(await contentOf(context.storage, means?.objectKey ?? ''));
    });
    const seconds = (of: Measurement) => `${(of.median / 1000).toFixed(1)} s`;
    const [note, size] = [`${seconds(build)} against ${seconds(copy)}, ${bars} bars`, bytes + (means?.bytes ?? 0)];
    return [
      figure('screener.snapshot_build_time_vs_copy', ratioOf(build, copy), note),
      figure('screener.snapshot_load_s', inSeconds(load), `${(size / 1e6).toFixed(0)} MB`),
    ];
  });

/** Each is built once: a day that is known is not built again. */
const DAYS = ['2025-06-02', '2025-03-03', '2024-12-02', '2024-09-03', '2023-06-01'];

/** The snapshot of a past day, which the first screen as of that day waits for. */
const benchAsOf: Bench = (market) =>
  withWholeHistories(market, 2024, async () => {
    const context = jobOn(market);
    const samples: number[] = [];
    // A version of the data that no snapshot is of.
    const version = randomUUID();
    for (const day of DAYS) samples.push(await timed(() => ensurePastSnapshot(context, day, version)));
    const unused = await deleteUnusedPastSnapshots(market.pool, new Date(BENCH_NOW + 1), 0);
    for (const key of unused) await context.storage.remove(key);
    const note = `a day of ${BENCH_SYMBOLS} instruments, built and stored`;
    return [figure('asof.snapshot_s', inSeconds(summarize(samples)), note)];
  });

export const SCREENER = { screener: benchScreen, 'screener.snapshot': benchSnapshot, 'asof.snapshot_s': benchAsOf };
