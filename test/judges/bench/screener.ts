/** Compares a screen over the whole market with a handwritten loop and with DuckDB, and measures the build of its snapshot. */

import { randomUUID } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { DuckDBInstance } from '@duckdb/node-api';
import type { Request } from 'autocannon';
import { TimeSlices } from '../../../api/screener/evaluate.ts';
import { deleteUnusedPastSnapshots, selectSnapshots } from '../../../db/market/snapshots.ts';
import { allocateSeries, VALUE_COLUMNS } from '../../../engine/market/series.ts';
import { blocksOf } from '../../../engine/screener/blocks.ts';
import { FIELDS } from '../../../engine/screener/fields.ts';
import { allocateMeans, PERIOD_RANGE, SNAPSHOT_BARS } from '../../../engine/screener/running-means.ts';
import { type Condition, FigureColumns, freshInstruments, testOf } from '../../../engine/screener/screen.ts';
import { type MarketSnapshot, newestView, viewBefore } from '../../../engine/screener/snapshot.ts';
import { required } from '../../../engine/util/values.ts';
import { ensurePastSnapshot } from '../../../jobs/screen/run.ts';
import { decodeBars, decodeMeans } from '../../../jobs/snapshot/files.ts';
import { buildSnapshot } from '../../../jobs/snapshot/run.ts';
import { watchTurns } from '../../support/turns.ts';
import { answersPerSecond, type Call, medianLatency } from './http-load.ts';
import {
  BENCH_NOW,
  BENCH_SYMBOLS,
  type Bench,
  copyRows,
  replaceCallers,
  snapshotContext,
  walk,
  withWholeHistories,
} from './market.ts';
import { alone, assertEqual, figure, inTurns, nowhere, ratioFigure, timed } from './measure.ts';
import { endChild, startProcess } from './processes.ts';

const CALLERS = 16;
const ACCOUNTS_PER_CALLER = 40;
const RATE_SECONDS = 20;
const COLUMNS = ['day', ...VALUE_COLUMNS] as const;
const CONDITIONS: readonly Condition[] = [
  { field: 'above_sma', op: 'is_true', period: 200, value: 0, value2: 0 },
  { field: 'near_high_pct', op: 'gte', period: 252, value: 95, value2: 0 },
  { field: 'volume_ratio', op: 'gt', period: 20, value: 2, value2: 0 },
  { field: 'atr_pct', op: 'lt', period: 14, value: 3, value2: 0 },
];
/** Conditions on every field with its longest period that all instruments pass. */
const EVERYTHING = FIELDS.filter(({ kind }) => kind === 'number').map(({ code, defaultPeriod }): Condition => {
  const period = defaultPeriod === null ? null : PERIOD_RANGE.max;
  return { field: code, op: 'gte', period, value: -1e15, value2: 0 };
});

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

/** The hits at the last session, and how many of them are new and gone since the previous one, as a request for a screen does. */
export async function screen(columns: readonly FigureColumns[], conditions = CONDITIONS) {
  const slices = new TimeSlices();
  const passed: Set<number>[] = [];
  for (const one of columns) {
    let left = freshInstruments(one.view);
    for (const condition of conditions) left = await slices.filter(left, testOf(one, condition));
    passed.push(new Set(left));
  }
  const [now, before] = passed;
  const missingIn = (other: Set<number>, one: Set<number>) => [...one].filter((i) => !other.has(i)).length;
  return { hits: now.size, entered: missingIn(before, now), left: missingIn(now, before) };
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

/** The screen as a query of DuckDB. Uses the average of the last 14 true ranges instead of Wilder's, which SQL cannot express; this is less work. */
const SCREEN_SQL = `
  with ranked as (
    select *, row_number() over (partition by id order by day desc) as r,
      greatest(high - low, abs(high - before), abs(low - before)) as range
    from (select *, lag(close) over (partition by id order by day) as before from bars)),
  figures as (
    select id, ${figuresSql('now', 1)}, ${figuresSql('before', 2)}
    from ranked group by id),
  judged as (select ${hitSql('now')} as is_hit, ${hitSql('before')} as was_hit from figures)
  select count(*) filter (is_hit) as hits, count(*) filter (is_hit and not was_hit) as entered,
    count(*) filter (was_hit and not is_hit) as left
  from judged`;

/** The figures of the session whose bar has rank `r`, 1 for the newest. */
function figuresSql(name: string, r: number): string {
  return `max(close) filter (r = ${r}) as close_${name},
    avg(close) filter (r between ${r} and ${r + 199}) as sma_${name},
    max(high) filter (r between ${r} and ${r + 251}) as top_${name},
    max(volume) filter (r = ${r}) as volume_${name},
    avg(volume) filter (r between ${r + 1} and ${r + 20}) as usual_${name},
    avg(range) filter (r between ${r} and ${r + 13}) as atr_${name}`;
}

function hitSql(name: string): string {
  return `close_${name} > sma_${name} and 100 * close_${name} >= 95 * top_${name}
    and volume_${name} > 2 * usual_${name} and 100 * atr_${name} < 3 * close_${name}`;
}

/** Copies the bars of a snapshot into a table in memory. */
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

/** The longest turn of the event loop while every figure of the market is computed. */
async function longestTurn(snapshot: MarketSnapshot): Promise<number> {
  const longest = watchTurns();
  await screen(columnsOf(snapshot), EVERYTHING);
  return longest();
}

const benchScreen: Bench = async () => {
  const snapshot = makeSnapshot(BENCH_SYMBOLS);
  const duck = await openDuck(snapshot);
  const kept = columnsOf(snapshot);
  const { hits, entered, left } = await screen(kept);
  assertEqual('hits', hits, screenLoop(snapshot));
  const { cold, warm, loop, sql } = await inTurns({
    cold: () => timed(() => screen(columnsOf(snapshot))),
    warm: () => timed(() => screen(kept)),
    loop: () => timed(() => screenLoop(snapshot)),
    sql: () => timed(() => duck.runAndReadAll(SCREEN_SQL)),
  });
  const found = `${hits} hits, ${entered} new, ${left} gone`;
  return new Map([
    ['screener.time_vs_loop', ratioFigure(cold, loop, 'ms', `${found}; a loop for the hits`)],
    ['screener.rate_vs_duckdb', ratioFigure(sql, cold, 'ms', 'DuckDB on rows in memory, the same question')],
    ['screener.warm_vs_cold', ratioFigure(warm, cold, 'ms', 'the columns kept, and computed')],
    ['screener.longest_turn_ms', figure(await longestTurn(snapshot), 'every field over 252 bars, both sessions')],
  ]);
};

/** The snapshot of the newest session, against COPY of the same rows to nowhere. */
const benchSnapshot: Bench = (market) =>
  withWholeHistories(market, 2024, async () => {
    const context = snapshotContext(market);
    const { build, copy } = await inTurns({
      build: () => timed(() => buildSnapshot(context)),
      copy: () => timed(() => copyRows(market, `select * from daily_bars where day > '2024-12-15'`, nowhere())),
    });
    const [{ objectKey, means, bars, bytes }] = await selectSnapshots(market.pool, 1);
    const read = async (key: string) => new Uint8Array(await buffer(required(await context.storage.get(key))));
    const load = async () => {
      blocksOf(decodeBars(await read(objectKey)).bars);
      decodeMeans(await read(required(means).objectKey));
    };
    const megabytes = `${((bytes + required(means).bytes) / 1e6).toFixed(0)} MB`;
    return new Map([
      ['screener.snapshot_build_time_vs_copy', ratioFigure(build, copy, 'ms', `${bars} bars; COPY of them to nowhere`)],
      ['screener.snapshot_load_s', await alone(megabytes, async () => (await timed(load)) / 1000)],
    ]);
  });

/** Screens per second of callers with different rules, the snapshot in memory. */
const benchCallers: Bench = (market) =>
  withWholeHistories(market, 2024, async () => {
    await buildSnapshot(snapshotContext(market));
    const callers = await replaceCallers(market.pool, CALLERS * ACCOUNTS_PER_CALLER);
    const { child, port } = await startProcess('api', market.url, market.data, market.source);
    let screens = 0;
    const callOf = (i: number): Call => {
      const where = `close > sma(${20 + (screens % 180)}) and rsi(${2 + (Math.floor(screens++ / 180) % 60)}) < 40`;
      const headers = { 'x-api-key': callers[i].key, 'content-type': 'application/json' };
      return { method: 'POST', path: '/v1/screener', headers, body: JSON.stringify({ where, limit: 20 }) };
    };
    const requests = callers.map((_, i) => {
      return { ...callOf(i), setupRequest: (request: Request) => ({ ...request, ...callOf(i) }) };
    });
    const rate = () => answersPerSecond({ port, requests, connections: CALLERS }, RATE_SECONDS);
    try {
      // The first one waits until the snapshot is in memory.
      await medianLatency(port, () => callOf(0), 1);
      await rate();
      return await alone(`screens a second of ${CALLERS} callers, each by a rule of its own`, rate);
    } finally {
      await endChild(child);
    }
  });

/** Each is built once, because a snapshot that exists is not built again. */
const DAYS = ['2025-06-02', '2025-03-03', '2024-12-02', '2024-09-03', '2023-06-01'];

/** The snapshot of a past day, which the first screen as of that day waits for. */
const benchAsOf: Bench = (market) =>
  withWholeHistories(market, 2024, async () => {
    const context = snapshotContext(market);
    // A data version without snapshots.
    const version = randomUUID();
    const days = DAYS.values();
    const build = async () => {
      const day = required(days.next().value);
      return (await timed(() => ensurePastSnapshot(context, day, version))) / 1000;
    };
    const built = await alone(`a day of ${BENCH_SYMBOLS} instruments, built and stored`, build, DAYS.length);
    const unused = await deleteUnusedPastSnapshots(market.pool, new Date(BENCH_NOW + 1), 0);
    for (const key of unused) await context.storage.remove(key);
    return built;
  });

export const SCREENER = {
  screener: benchScreen,
  'screener.rate16': benchCallers,
  'screener.snapshot': benchSnapshot,
  'asof.snapshot_s': benchAsOf,
};
