/** Compares rules with the built-in strategies of the same meaning, and measures a rule of maximum size. */

import { metricsOf } from '../../../engine/backtest/metrics.ts';
import { runStrategy } from '../../../engine/backtest/simulate.ts';
import { IndicatorSet } from '../../../engine/indicators/indicator-set.ts';
import type { BarSeries } from '../../../engine/market/series.ts';
import { readRules, rulesStrategy } from '../../../engine/rules/strategy.ts';
import { STRATEGIES } from '../../../engine/strategies/catalogue.ts';
import { required } from '../../../engine/util/values.ts';
import { type PreparedStrategy, prepare, wholeOf } from './engine.ts';
import { type Bench, walk } from './market.ts';
import { alone, compare, timedEach } from './measure.ts';

const BARS = 5_000;
const LARGE_BARS = 8_000;
const ROUNDS = 9;
const RUNS = 100;

/** A rule with 64 names, numbers, and operators that uses every kind of column. */
const LARGE = [
  'crosses_above(sma(20), ema(50)) and rsi(14) < 70 and close > bollinger_lower(20, 2) and for_bars(close > lowest(50), 3)',
  'or within_bars(volume > 2 * sma_of(volume, 50), 5) and roc(126) > volatility(60) and atr(14) < close',
  'and not (macd(12, 26) < macd_signal(12, 26, 9)) and highest_of(close, 55) > lag(close, 5)',
].join(' ');

function rulesOf(texts: Parameters<typeof readRules>[0]) {
  const read = readRules(texts);
  if ('problems' in read) throw new Error(JSON.stringify(read.problems));
  return read.rules;
}

/** Turns the rules of a built-in strategy into a strategy, as each run does. */
function asRules({ strategy, values }: PreparedStrategy): PreparedStrategy {
  const rules = rulesOf(required(strategy.rules));
  const given = Object.fromEntries(Object.entries(values).filter(([name]) => rules.parameters.has(name)));
  return prepare(rulesStrategy(rules, given), given);
}

/** Runs a backtest with its metrics; returns the final equity. */
function backtest({ strategy, values }: PreparedStrategy, series: BarSeries): number {
  const input = wholeOf(series);
  return metricsOf(series, runStrategy(strategy, values, input), input.execution.initialCapital).finalEquity;
}

const benchBuiltIns: Bench = () => {
  const series = walk(BARS);
  const builtIn = STRATEGIES.map((strategy) => prepare(strategy));
  for (const one of builtIn) {
    if (backtest(one, series) !== backtest(asRules(one), series)) throw new Error(`${one.strategy.code} differs`);
  }
  const runAll = (runs: readonly PreparedStrategy[]) => {
    for (const run of runs) backtest(run, series);
  };
  const sides = {
    ours: () => timedEach(RUNS, () => runAll(builtIn.map(asRules))),
    floor: () => timedEach(RUNS, () => runAll(builtIn)),
  };
  return compare(`all strategies as rules and built in, ${BARS} bars`, 'ms', sides, ROUNDS);
};

const benchLargest: Bench = () => {
  const { strategy, values } = prepare(rulesStrategy(rulesOf({ entry: LARGE })));
  const bars = walk(LARGE_BARS);
  const plan = () => timedEach(RUNS, () => strategy.plan(new IndicatorSet(bars), values));
  return alone(`64 names, numbers, and operators over ${LARGE_BARS} bars`, plan, ROUNDS);
};

export const RULES = { 'rules.time_vs_builtin': benchBuiltIns, 'rules.largest_ms': benchLargest };
