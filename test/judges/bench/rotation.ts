/** Rotations over a whole market: against a loop written for one, from request to answer, and the memory of twenty years. */
import { randomInt } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createPool } from '../../../db/pool.ts';
import { volatility } from '../../../engine/indicators/indicators.ts';
import { isBelow, roundedForOrder } from '../../../engine/indicators/ties.ts';
import { sessionsBetween } from '../../../engine/market/calendar.ts';
import { dayOf, formatDay } from '../../../engine/market/dates.ts';
import { type BarSeries, EMPTY_SERIES } from '../../../engine/market/series.ts';
import { type MarketValues, marketValues, type Panel, type PanelMember } from '../../../engine/rotation/panel.ts';
import { type RotationRule, rebalanceSessions } from '../../../engine/rotation/rotation.ts';
import { rotationPrograms, rotationRules } from '../../../engine/rotation/rules.ts';
import { rankedMembers } from '../../../engine/rotation/selection.ts';
import { simulateRotation } from '../../../engine/rotation/simulate.ts';
import { weighBy } from '../../../engine/rotation/weigh.ts';
import { loadColumn } from '../../../jobs/columns/load.ts';
import { lehmer } from '../../support/series.ts';
import { type Call, medianLatency } from './http-load.ts';
import {
  BENCH_NOW,
  BENCH_SYMBOLS,
  type Bench,
  type BenchMarket,
  replaceCallers,
  withWholeHistories,
} from './market.ts';
import { alone, assertEqual, compare, figure, timed } from './measure.ts';
import { endChild, inTask, peakResidentMb, startProcess } from './processes.ts';

const SCORE = 'rank(roc(126)) + rank(-volatility(63))';
/** Sessions before the first on which the score is defined. */
export const WARM_UP = 126;
const TOP = 50;
const CALLS = 5;
const FREE = {
  executeOn: 'close',
  commissionRate: 0,
  minCommission: 0,
  slippageBps: 0,
  initialCapital: 100_000,
} as const;
const RULE: RotationRule = {
  order: 'desc',
  hold: { top: TOP },
  keep: null,
  weigh: weighBy({
    method: 'equal',
    lookback: 252,
    covariance: 'sample',
    bounds: { min: 0, max: 1 },
    targetVolatilityPct: null,
  }),
  exits: null,
  cashBufferPct: 0,
};

/** Trading days of some years until the end of 2024. */
export const benchClock = (years: number) =>
  Int32Array.from(sessionsBetween(dayOf(2025 - years, 1, 1), dayOf(2024, 12, 31)));

/** A walk whose columns share their memory: a market of them fits in it. */
function thinWalk(day: Int32Array, seed: number): BarSeries {
  const random = lehmer(seed);
  let price = 100;
  const close = Float64Array.from(day, () => {
    price *= 1 + 0.03 * (random() - 0.495);
    return price;
  });
  const { length } = day;
  return { length, day, close, open: close, high: close, low: close, volume: close, adjustedFor: [] };
}

export interface BenchUniverse {
  readonly members: number;
  /** Trading days of the range, and those before it. */
  readonly clock: Int32Array;
  /** Sessions before the range. Default: none. */
  readonly first?: number;
  readonly seriesOf: (member: number) => BarSeries;
}

export function universeInMemory(members: number, clock: Int32Array, first = 0): BenchUniverse {
  const series = Array.from({ length: members }, (_, i) => thinWalk(clock, i + 1));
  return { members, clock, first, seriesOf: (member) => series[member] };
}

/** The members that a rebalance can choose. */
function chosenIn({ rebalances }: MarketValues): Set<number> {
  return new Set(rebalances.flatMap(({ score }) => [...rankedMembers(score, 'desc', TOP)]));
}

/** Returns the final equity of the engine. */
export async function rotate({ members, clock: sessions, first = 0, seriesOf }: BenchUniverse): Promise<number> {
  function* visit() {
    for (let member = 0; member < members; member++) {
      yield { member, series: seriesOf(member), isDelisted: false };
    }
  }
  const market = { visit, members: Array.from({ length: members }, () => ({ asset_type: '', venue: '' })) };
  const clock = sessions.subarray(first);
  const place = { sessions, first, clock };
  const programs = rotationPrograms(rotationRules({ score: SCORE }), {});
  const due = rebalanceSessions(clock, { every: 'month', offset: 0 });
  const values = await marketValues(market, place, programs, due, undefined);
  const chosen = chosenIn(values);
  const panel: Panel = {
    ...place,
    members: market.members.map((_, member): PanelMember => {
      const series = chosen.has(member) ? seriesOf(member) : EMPTY_SERIES;
      const ticker = `S${member}`;
      return { ticker, series, symbol: `${ticker}.US`, from: 0, to: series.length, isDelisted: false };
    }),
  };
  const { equity } = simulateRotation({ panel, values, rule: RULE, execution: FREE });
  return equity[equity.length - 1];
}

/** Average ranks from 1, undefined figures left out. */
function ranksOf(values: Float64Array): Float64Array {
  const order = Int32Array.from(values.keys())
    .filter((i) => !Number.isNaN(values[i]))
    .sort((a, b) => values[a] - values[b]);
  const ranks = new Float64Array(values.length).fill(Number.NaN);
  for (let from = 0; from < order.length; ) {
    let to = from + 1;
    while (to < order.length && values[order[to]] === values[order[from]]) to++;
    for (let k = from; k < to; k++) ranks[order[k]] = (from + 1 + to) / 2 / order.length;
    from = to;
  }
  return ranks;
}

/** Scores of all members at a session, by hand. */
function scoresAt(closes: readonly Float64Array[], risks: readonly Float64Array[], t: number): Float64Array {
  const momentum = Float64Array.from(closes, (close) => (t < 126 ? Number.NaN : close[t] / close[t - 126] - 1));
  const calm = Float64Array.from(risks, (risk) => -risk[t]);
  const [first, second] = [momentum, calm].map((values) => ranksOf(roundedForOrder(values)));
  return roundedForOrder(first.map((rank, i) => rank + second[i]));
}

/** Sells what is not among the best, and shares the money equally between those; returns the cash that is left. */
function exchange(
  held: Map<number, number>,
  best: ReadonlySet<number>,
  money: number,
  priceOf: (i: number) => number,
): number {
  const target = money / best.size;
  let cash = [...held].reduce((left, [i, shares]) => left - shares * priceOf(i), money);
  const purchases: [number, number][] = [];
  for (const i of new Set([...held.keys(), ...best])) {
    const shares = held.get(i) ?? 0;
    const amount = (best.has(i) ? target : 0) - shares * priceOf(i);
    if (best.has(i) && isBelow(Math.abs(amount), 0.05 * target)) continue;
    if (amount > 0) purchases.push([i, amount]);
    else {
      cash -= amount;
      if (best.has(i)) held.set(i, shares + amount / priceOf(i));
      else held.delete(i);
    }
  }
  const sum = purchases.reduce((total, [, amount]) => total + amount, 0);
  const share = sum > 0 ? Math.min(1, cash / sum) : 0;
  for (const [i, amount] of purchases) held.set(i, (held.get(i) ?? 0) + (share * amount) / priceOf(i));
  return cash - share * sum;
}

/** The same by hand, over closes in memory; returns the final equity. */
function rotationLoop({ members, clock, seriesOf }: BenchUniverse): number {
  const closes = Array.from({ length: members }, (_, i) => seriesOf(i).close);
  const risks = closes.map((close) => volatility(close, 63));
  const held = new Map<number, number>();
  let cash: number = FREE.initialCapital;
  const valueAt = (t: number) => [...held].reduce((sum, [i, shares]) => sum + shares * closes[i][t], cash);
  for (const t of rebalanceSessions(clock, { every: 'month', offset: 0 })) {
    const score = scoresAt(closes, risks, t);
    const best = Int32Array.from(score.keys())
      .filter((i) => !Number.isNaN(score[i]))
      .sort((a, b) => score[b] - score[a] || a - b)
      .subarray(0, TOP);
    if (best.length === 0) continue;
    cash = exchange(held, new Set(best), valueAt(t), (i) => closes[i][t]);
  }
  return valueAt(clock.length - 1);
}

const benchLoop: Bench = async () => {
  const universe = universeInMemory(BENCH_SYMBOLS, benchClock(5));
  assertEqual('rotation', await rotate(universe), rotationLoop(universe));
  const what = `${BENCH_SYMBOLS} instruments of five years, ${TOP} best of a month by two ranks`;
  return compare(what, 'ms', {
    ours: () => timed(() => rotate(universe)),
    floor: () => timed(() => rotationLoop(universe)),
  });
};

/** Twenty years of a market whose members are made when they are read; returns the peak memory of the process. */
export async function runRotation([members]: readonly string[]): Promise<number> {
  const clock = benchClock(20);
  await rotate({ clock, members: Number(members), seriesOf: (member) => thinWalk(clock, member + 1) });
  return peakResidentMb();
}

const benchMemory: Bench = async () =>
  figure(
    await inTask(runRotation, [String(BENCH_SYMBOLS)]),
    `${BENCH_SYMBOLS} instruments of twenty years in one process`,
  );

/**
 * Rotations of a market from the request to the answer, on all cores of one worker. Each call has a rate of commission of its own, so that
 * no result is reused. `work` gets the seconds of a score.
 */
function onMarket<T>(
  market: BenchMarket,
  work: (secondsOf: (score: string) => () => Promise<number>) => Promise<T>,
): Promise<T> {
  return withWholeHistories(market, 2024, async () => {
    const { url, data, source, pool } = market;
    const [{ key }] = await replaceCallers(pool, 1);
    const { child: worker } = await startProcess('worker', url, data, source);
    const { child: api, port } = await startProcess('api', url, data, source);
    const call = (score: string): Call => ({
      method: 'POST',
      path: '/v1/portfolio',
      headers: { 'x-api-key': key, 'content-type': 'application/json' },
      body: JSON.stringify({
        universe: { all: true },
        rotation: { every: 'month', score, hold: { top: TOP } },
        start: '2021-01-04',
        cost: { commission_rate: randomInt(1_000_000) / 1e12 },
        include_statistics: false,
        save: false,
      }),
    });
    try {
      return await work((score) => async () => (await medianLatency(port, () => call(score), CALLS)) / 1000);
    } finally {
      await Promise.all([endChild(api), endChild(worker)]);
    }
  });
}

const benchMarket: Bench = (market) =>
  onMarket(market, (secondsOf) =>
    alone(`${BENCH_SYMBOLS} instruments, five years, ${TOP} best of a month`, secondsOf(SCORE), 1),
  );

const COLUMN_MONTHS = 60;

/** Everyone's column with a number of each instrument a month. */
async function loadScores({ pool, directory, url }: BenchMarket): Promise<void> {
  const { rows } = await pool.query<{ ticker: string }>('select ticker from instruments');
  const file = join(directory, 'scores.csv');
  const months = Array.from({ length: COLUMN_MONTHS }, (_, i) => formatDay(dayOf(2020, 1 + i, 1)));
  const lines = rows.flatMap(({ ticker }, i) =>
    months.map((month, k) => `${ticker},${month},${(i * 31 + k * 17) % 97}`),
  );
  await writeFile(file, `symbol,date,value\n${lines.join('\n')}\n`);
  const own = createPool({ url, max: 3, applicationName: 'bench' });
  const context = { pool: own, workFolder: directory, now: () => BENCH_NOW, report: async () => {} };
  await loadColumn(context, { accountId: null, name: 'scores', settings: { kind: 'number' }, quota: null }, file);
  await own.end();
}

const benchColumn: Bench = (market) =>
  onMarket(market, async (secondsOf) => {
    await loadScores(market);
    const what = `${BENCH_SYMBOLS} instruments, five years, a column with ${COLUMN_MONTHS} rows of each, and without`;
    return compare(
      what,
      's',
      { ours: secondsOf(`${SCORE} + rank(my('scores'))`), floor: secondsOf(`${SCORE} + rank(roc(20))`) },
      1,
    );
  });

export const ROTATION = {
  'rotation.time_vs_loop': benchLoop,
  'rotation.market_s': benchMarket,
  'rotation.peak_rss_mb': benchMemory,
  'columns.rotation_time_vs_without': benchColumn,
};
