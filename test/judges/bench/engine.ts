/** Compares the engine with handwritten loops for single strategies, which show the speed of the hardware without generality. */

import type { Execution } from '../../../engine/backtest/execution.ts';
import { type RunInput, runStrategy } from '../../../engine/backtest/simulate.ts';
import { IndicatorSet } from '../../../engine/indicators/indicator-set.ts';
import type { BarSeries } from '../../../engine/market/series.ts';
import { effectiveParameters, requireStrategy } from '../../../engine/strategies/catalogue.ts';
import type { ParameterValues } from '../../../engine/strategies/parameters.ts';
import type { Strategy } from '../../../engine/strategies/strategy.ts';
import { required } from '../../../engine/util/values.ts';
import { type Bench, walk } from './market.ts';
import { assertEqual, compare, timed, timedEach } from './measure.ts';

const BARS = 5_000;
const SWEEP_BARS = 1_260;
/** Each lasts long enough that both sides collect their garbage in every round. */
const LONG_ROUNDS = 21;
const RUNS = 1_000;
const CASH = 100_000;
export const FREE: Execution = {
  executeOn: 'close',
  commissionRate: 0,
  minCommission: 0,
  slippageBps: 0,
  initialCapital: CASH,
};

/** A strategy with values for all of its parameters. */
export function prepare(strategy: Strategy, given: ParameterValues = {}) {
  const effective = effectiveParameters(strategy, given);
  if ('refused' in effective) throw new Error(JSON.stringify(effective.refused));
  return { strategy, values: effective.values };
}

export type PreparedStrategy = ReturnType<typeof prepare>;

export function wholeOf(series: BarSeries): RunInput {
  return { series, from: 0, to: series.length, execution: FREE, finalReason: 'end_of_data' };
}

function meanLoop(close: Float64Array, period: number): Float64Array {
  const out = new Float64Array(close.length).fill(Number.NaN, 0, period - 1);
  let sum = 0;
  for (let t = 0; t < close.length; t++) {
    sum += close[t];
    if (t >= period) sum -= close[t - period];
    if (t >= period - 1) out[t] = sum / period;
  }
  return out;
}

interface LoopTrade {
  readonly entry: number;
  readonly exit: number;
  readonly pnl: number;
}

/** Runs an SMA 20/50 crossover with fills at the close and no costs; returns the final equity. */
function smaCrossLoop({ close, length }: BarSeries, fast: Float64Array, slow: Float64Array): number {
  const equity = new Float64Array(length);
  const trades: LoopTrade[] = [];
  let cash = CASH;
  let shares = 0;
  let before = 0;
  let entry = 0;
  for (let t = 0; t < length; t++) {
    if (shares > 0) {
      if (fast[t] < slow[t] || t === length - 1) {
        cash = shares * close[t];
        shares = 0;
        trades.push({ entry, exit: t, pnl: cash - before });
      }
    } else if (t > 0 && t < length - 1 && fast[t] > slow[t] && fast[t - 1] <= slow[t - 1]) {
      before = cash;
      entry = t;
      shares = cash / close[t];
      cash = 0;
    }
    equity[t] = cash + shares * close[t];
  }
  return equity[length - 1];
}

/** Computes Wilder's average true range over 22 bars. */
function rangeLoop(high: Float64Array, low: Float64Array, close: Float64Array): Float64Array {
  const range = new Float64Array(close.length).fill(Number.NaN, 0, 22);
  let average = 0;
  for (let t = 1; t < close.length; t++) {
    const now = Math.max(high[t] - low[t], Math.abs(high[t] - close[t - 1]), Math.abs(low[t] - close[t - 1]));
    average = t <= 22 ? average + now / 22 : (average * 21 + now) / 22;
    if (t >= 22) range[t] = average;
  }
  return range;
}

/** Runs `chandelier` with default parameters, fills at the close, and no costs; returns the final equity. */
function chandelierLoop({ high, low, close, length }: BarSeries): number {
  const mean = meanLoop(close, 50);
  const range = rangeLoop(high, low, close);
  const equity = new Float64Array(length);
  const trades: LoopTrade[] = [];
  let cash = CASH;
  let shares = 0;
  let before = 0;
  let entry = 0;
  let peak = 0;
  let stop = 0;
  for (let t = 0; t < length; t++) {
    if (shares > 0) {
      if (high[t] > peak) peak = high[t];
      if (peak - 3 * range[t] > stop) stop = peak - 3 * range[t];
      if (close[t] < stop || t === length - 1) {
        cash = shares * close[t];
        shares = 0;
        trades.push({ entry, exit: t, pnl: cash - before });
      }
    } else if (t < length - 1 && close[t] > mean[t] + 0.5 * range[t]) {
      before = cash;
      entry = t;
      shares = cash / close[t];
      cash = 0;
      peak = close[t];
      stop = 0;
    }
    equity[t] = cash + shares * close[t];
  }
  return equity[length - 1];
}

/** A run with default parameters over one series against its loop. */
function benchStrategy(code: string, loopOn: (series: BarSeries) => number): Bench {
  return () => {
    const series = walk(BARS);
    const run = () => {
      const { strategy, values } = prepare(requireStrategy(code));
      return runStrategy(strategy, values, wholeOf(series)).equity[BARS - 1];
    };
    const loop = () => loopOn(series);
    assertEqual(code, run(), loop());
    const sides = { ours: () => timedEach(RUNS, run), floor: () => timedEach(RUNS, loop) };
    return compare(`${BARS} bars`, 'ms', sides, LONG_ROUNDS);
  };
}

/** 1,000 combinations of a crossover on one symbol, against loops that share their averages. */
const benchSweep: Bench = () => {
  const series = walk(SWEEP_BARS);
  const [fastPeriods, slowPeriods] = [periods(5, 30), periods(40, 80)];
  const pairs = fastPeriods.flatMap((fast) => slowPeriods.map((slow) => ({ fast_period: fast, slow_period: slow })));
  const { strategy } = prepare(requireStrategy('sma_cross'));
  const all = pairs.map((given) => prepare(strategy, given).values);
  const run = () => {
    const indicators = new IndicatorSet(series);
    let last = 0;
    for (const values of all) {
      last = runStrategy(strategy, values, wholeOf(series), indicators).equity[SWEEP_BARS - 1];
    }
    return last;
  };
  const loop = () => {
    const means = new Map([...fastPeriods, ...slowPeriods].map((period) => [period, meanLoop(series.close, period)]));
    const mean = (period: number) => required(means.get(period));
    let last = 0;
    for (const pair of pairs) last = smaCrossLoop(series, mean(pair.fast_period), mean(pair.slow_period));
    return last;
  };
  assertEqual('sweep', run(), loop());
  const what = `${all.length} combinations × ${SWEEP_BARS} bars`;
  return compare(what, 'ms', { ours: () => timed(run), floor: () => timed(loop) }, 9);
};

const periods = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => from + i);

export const ENGINE: Readonly<Record<string, Bench>> = {
  'engine.sma_cross_time_vs_loop': benchStrategy('sma_cross', (series) =>
    smaCrossLoop(series, meanLoop(series.close, 20), meanLoop(series.close, 50)),
  ),
  'engine.chandelier_time_vs_loop': benchStrategy('chandelier', chandelierLoop),
  'sweep.time_vs_floor': benchSweep,
};
