/** Measures the computation of a tear sheet, and how often its verdicts err where nobody has skill. */
import type { Execution } from '../../../engine/backtest/execution.ts';
import { sessionsBetween } from '../../../engine/market/calendar.ts';
import { requireDay } from '../../../engine/market/dates.ts';
import type { BarSeries } from '../../../engine/market/series.ts';
import { momentsOf, returnsOf } from '../../../engine/statistics/moments.ts';
import { SearchReturns, statisticsOfSearch } from '../../../engine/statistics/search.ts';
import { deflationOf } from '../../../engine/statistics/selection.ts';
import { probabilisticSharpe, statisticsOfRun } from '../../../engine/statistics/single-run.ts';
import { randomEntries } from '../../../engine/tear-sheet/random-entries.ts';
import { rounded } from '../../../engine/tear-sheet/rounding.ts';
import { type TearSheetInput, tearSheetOf } from '../../../engine/tear-sheet/tear-sheet.ts';
import { lehmer } from '../../support/series.ts';
import { sampleSeries } from '../truth/sample-series.ts';
import { type Bench, walk } from './market.ts';
import { alone, type Figure, figure, IS_QUICK, timed } from './measure.ts';

/** Bars of five years. */
const BARS = 1_260;
const CASH = 100_000;
const SEED = '0123456789abcdef';
const EXECUTION: Execution = {
  executeOn: 'close',
  commissionRate: 0,
  minCommission: 0,
  slippageBps: 0,
  initialCapital: CASH,
};
const DAYS = Int32Array.from(sessionsBetween(requireDay('2019-01-02'), requireDay('2024-03-28')));

/** Sessions from the purchase to the sale. */
interface Held {
  readonly entry: number;
  readonly exit: number;
}

/** Positions that begin and end at random. */
function randomPositions(bars: number, random: () => number): Held[] {
  const positions: Held[] = [];
  let at = Math.floor(40 * random());
  while (at < bars - 2) {
    const exit = Math.min(bars - 1, at + 1 + Math.floor(30 * random()));
    positions.push({ entry: at, exit });
    at = exit + 1 + Math.floor(40 * random());
  }
  return positions;
}

/** The equity of holding everything during the positions. */
function equityOf(close: Float64Array, positions: readonly Held[]): Float64Array {
  const equity = new Float64Array(close.length);
  let [cash, at] = [CASH, 0];
  for (const { entry, exit } of positions) {
    equity.fill(cash, at, entry);
    for (let t = entry; t <= exit; t++) equity[t] = (cash * close[t]) / close[entry];
    cash = equity[exit];
    at = exit + 1;
  }
  return equity.fill(cash, at);
}

function sheetInput(bars: BarSeries, positions: readonly Held[]): TearSheetInput {
  const equity = equityOf(bars.close, positions);
  const sessions = bars.length;
  const column = () => new Float64Array(sessions).fill(1);
  return {
    days: DAYS.subarray(0, sessions),
    equity,
    initialCapital: CASH,
    benchmark: bars.close,
    factors: [{ symbol: 'X', value: bars.close, first: 0 }],
    trades: positions.map(({ entry, exit }) => {
      const pnl = equity[exit] - equity[entry];
      return {
        symbol: 'X',
        entryDay: DAYS[entry],
        entrySession: entry,
        barsHeld: exit - entry,
        entryPrice: bars.close[entry],
        exitPrice: bars.close[exit],
        shares: equity[entry] / bars.close[entry],
        pnl,
        pnlPct: (100 * pnl) / equity[entry],
        commission: 0,
        slippage: 0,
        maePct: 0,
        mfePct: 0,
        exitReason: 'signal',
      };
    }),
    holdings: { positions: new Int32Array(sessions).fill(1), invested: column(), largest: column(), squares: column() },
    seed: SEED,
    single: { bars, execution: EXECUTION },
  };
}

const benchSheet: Bench = () => {
  const bars = walk(BARS, 1, 0.49);
  const input = sheetInput(bars, randomPositions(BARS, lehmer(2)));
  const work = () => JSON.stringify(rounded(tearSheetOf(input)));
  return alone(`${BARS} returns, all sections, 1,000 resamples, as JSON`, () => timed(work));
};

const SEARCHES = IS_QUICK ? 20 : 2_000;
const COMBINATIONS = 20;
const INSTRUMENTS = 40;
const SIGNIFICANT = 0.05;

/** Closes with the same returns but for their mean: nobody can gain by holding them. */
function withoutDrift(close: Float64Array): Float64Array {
  const returns = returnsOf(close, close[0]);
  const mean = returns.reduce((sum, r) => sum + r, 0) / returns.length;
  let value = close[0];
  return returns.map((r, t) => {
    if (t > 0) value *= 1 + r - mean;
    return value;
  });
}

function barsOf(close: Float64Array): BarSeries {
  return {
    length: close.length,
    day: DAYS.subarray(0, close.length),
    open: close,
    high: close,
    low: close,
    close,
    volume: close,
    adjustedFor: [],
  };
}

/** The answer of each test to one search among strategies without skill: true is an error. */
function errorsOf(bars: BarSeries, random: () => number): Record<string, boolean> {
  const positions = Array.from({ length: COMBINATIONS }, () => randomPositions(bars.length, random));
  const search = new SearchReturns(COMBINATIONS, bars.length, CASH);
  const all = positions.map((held, i) => {
    const equity = equityOf(bars.close, held);
    search.add(i, equity);
    return returnsOf(equity, CASH);
  });
  const sharpes = search.allSharpes;
  const best = sharpes.indexOf(Math.max(...sharpes));
  const moments = momentsOf(all[best]);
  const one = momentsOf(all[0]);
  if (moments === null || one === null) return {};
  const seed = Math.floor(2 ** 48 * random())
    .toString(16)
    .padStart(16, '0');
  const days = DAYS[bars.length - 1] - DAYS[0];
  const found = statisticsOfSearch(search, all[best], bars.close, days, seed);
  const { dsr } = deflationOf(COMBINATIONS, search.spread, moments);
  const interval = statisticsOfRun(all[0], days, seed).sharpeInterval;
  const trades = positions[0].map(({ entry, exit }) => ({ barsHeld: exit - entry }));
  const total = equityOf(bars.close, positions[0])[bars.length - 1] / CASH - 1;
  const entries = randomEntries({ bars, execution: EXECUTION, trades, total, capital: CASH, seed });
  return {
    naive_best_sharpe: (probabilisticSharpe(moments, 0) ?? 0) >= 1 - SIGNIFICANT,
    sharpe_shown: (probabilisticSharpe(one, 0) ?? 0) >= 1 - SIGNIFICANT,
    dsr: (dsr ?? 0) >= 1 - SIGNIFICANT,
    spa: (found.realityCheck?.consistent ?? 1) <= SIGNIFICANT,
    step_m: (found.superior?.length ?? 0) > 0,
    haircut_bonferroni: (found.haircut?.bonferroni.p ?? 1) <= SIGNIFICANT,
    haircut_holm: (found.haircut?.holm.p ?? 1) <= SIGNIFICANT,
    haircut_bhy: (found.haircut?.bhy.p ?? 1) <= SIGNIFICANT,
    entries_better: (entries?.rank ?? 0) >= 1 - SIGNIFICANT,
    // Not an error: whether the interval of 90 % holds the true ratio, which is 0.
    interval_coverage: interval !== null && interval[0] <= 0 && interval[1] >= 0,
  };
}

const benchCalibration: Bench = async () => {
  const closes = sampleSeries(INSTRUMENTS).map(({ series }) => withoutDrift(series.close.slice(0, BARS)));
  const random = lehmer(11);
  const counts = new Map<string, number>();
  for (let i = 0; i < SEARCHES; i++) {
    const errors = errorsOf(barsOf(closes[i % closes.length]), random);
    for (const [name, isError] of Object.entries(errors)) counts.set(name, (counts.get(name) ?? 0) + Number(isError));
  }
  const note = `share of ${SEARCHES} searches of ${COMBINATIONS} runs with random entries, without drift`;
  return new Map(
    [...counts].map(([name, count]): [string, Figure] => [`calibration.${name}`, figure(count / SEARCHES, note)]),
  );
};

export const TEAR_SHEET = { 'tear_sheet.ms': benchSheet, calibration: benchCalibration };
