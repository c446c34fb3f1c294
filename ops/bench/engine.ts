/** Compares the engine with handwritten loops for single strategies, which show the speed of the hardware without generality. */

import type { Execution } from '../../engine/backtest/execution.ts';
import { type RunInput, runStrategy } from '../../engine/backtest/run-strategy.ts';
import { IndicatorSet } from '../../engine/indicators/indicator-set.ts';
import type { BarSeries } from '../../engine/market/series.ts';
import { effectiveParameters, requireStrategy } from '../../engine/strategies/catalogue.ts';
import type { ParameterValues } from '../../engine/strategies/parameters.ts';
import type { Strategy } from '../../engine/strategies/strategy.ts';
import type { Bench } from './market.ts';
import { inTurns, ratioOf, timed, timedEach } from './measure.ts';
import { figure } from './report.ts';
import { walk } from './walk.ts';

const BARS = 5_000;
const SWEEP_BARS = 1_260;
const ROUNDS = 9;
/** Each lasts long enough that both sides collect their garbage in every round. */
const LONG_ROUNDS = 21;
const RUNS = 1_000;
const CASH = 100_000;
const FREE: Execution = {
  executeOn: 'close',
  commissionRate: 0,
  minCommission: 0,
  slippageBps: 0,
  initialCapital: CASH,
};

function strategyOf(code: string, given: ParameterValues = {}): { strategy: Strategy; values: ParameterValues } {
  const strategy = requireStrategy(code);
  const effective = effectiveParameters(strategy, given);
  if ('faults' in effective) throw new Error(JSON.stringify(effective.faults));
  return { strategy, values: effective.values };
}

export function wholeOf(series: BarSeries): RunInput {
  return {
    series,
    from: 0,
    to: series.length,
    execution: FREE,
    finalReason: 'end_of_data',
  };
}

function runOurs(series: BarSeries, code: string): number {
  const { strategy, values } = strategyOf(code);
  return runStrategy(strategy, values, wholeOf(series)).equity[series.length - 1];
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

function assertEqual(name: string, ours: number, floor: number): void {
  if (Math.abs(ours / floor - 1) > 1e-9) throw new Error(`${name}: ${ours} is not ${floor}`);
}

function benchStrategy(code: string, loopOn: (series: BarSeries) => number): Bench {
  return async () => {
    const series = walk(BARS);
    const [run, loop] = [() => runOurs(series, code), () => loopOn(series)];
    assertEqual(code, run(), loop());
    const { ours, floor } = await inTurns(LONG_ROUNDS, {
      ours: () => timedEach(RUNS, run),
      floor: () => timedEach(RUNS, loop),
    });
    const note = `${(1000 * ours.median).toFixed(0)} µs against ${(1000 * floor.median).toFixed(0)} µs, ${BARS} bars`;
    return [figure(`engine.${code}_time_vs_loop`, ratioOf(ours, floor), note)];
  };
}

/** The least that a sweep of one instrument can cost: loops that share their averages. */
function sweepLoop(series: BarSeries, combinations: readonly ParameterValues[]): number {
  const means = new Map<number, Float64Array>();
  const mean = (period: number) => {
    const known = means.get(period);
    if (known) return known;
    const column = meanLoop(series.close, period);
    means.set(period, column);
    return column;
  };
  let last = 0;
  for (const c of combinations) last = smaCrossLoop(series, mean(Number(c.fast_period)), mean(Number(c.slow_period)));
  return last;
}

/** 1,000 combinations of a crossover on one symbol. */
const benchSweep: Bench = async () => {
  const series = walk(SWEEP_BARS);
  const combinations: ParameterValues[] = [];
  for (let fast = 5; fast < 30; fast++) {
    for (let slow = 40; slow < 80; slow++) combinations.push({ fast_period: fast, slow_period: slow });
  }
  const { strategy } = strategyOf('sma_cross');
  const values = combinations.map((given) => strategyOf('sma_cross', given).values);
  const run = () => {
    const indicators = new IndicatorSet(series);
    let last = 0;
    for (const params of values)
      last = runStrategy(strategy, params, wholeOf(series), indicators).equity[SWEEP_BARS - 1];
    return last;
  };
  const loop = () => sweepLoop(series, combinations);
  assertEqual('sweep', run(), loop());
  const { ours, floor } = await inTurns(ROUNDS, { ours: () => timed(run), floor: () => timed(loop) });
  const note = `${ours.median.toFixed(1)} ms against ${floor.median.toFixed(1)} ms, ${values.length} × ${SWEEP_BARS} bars`;
  return [figure('sweep.time_vs_floor', ratioOf(ours, floor), note)];
};

export const ENGINE = {
  'engine.sma_cross_time_vs_loop': benchStrategy('sma_cross', (series) =>
    smaCrossLoop(series, meanLoop(series.close, 20), meanLoop(series.close, 50)),
  ),
  'engine.chandelier_time_vs_loop': benchStrategy('chandelier', chandelierLoop),
  'sweep.time_vs_floor': benchSweep,
};
