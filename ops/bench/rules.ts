/** Compares rules with the built-in strategies of the same meaning, and measures a rule of maximum size. */
import { metricsOf } from '../../engine/backtest/metrics.ts';
import { runStrategy } from '../../engine/backtest/run-strategy.ts';
import { IndicatorSet } from '../../engine/indicators/indicator-set.ts';
import type { BarSeries } from '../../engine/market/series.ts';
import { readRules, rulesStrategy } from '../../engine/rules/strategy.ts';
import { effectiveParameters, STRATEGIES } from '../../engine/strategies/catalogue.ts';
import type { ParameterValues } from '../../engine/strategies/parameters.ts';
import type { Strategy } from '../../engine/strategies/strategy.ts';
import { wholeOf } from './engine.ts';
import type { Bench } from './market.ts';
import { inTurns, ratioOf, timedEach } from './measure.ts';
import { figure } from './report.ts';
import { walk } from './walk.ts';

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

interface Run {
  readonly strategy: Strategy;
  readonly values: ParameterValues;
}

function valuesOf(strategy: Strategy, given: ParameterValues = {}): Run {
  const effective = effectiveParameters(strategy, given);
  if ('faults' in effective) throw new Error(JSON.stringify(effective.faults));
  return { strategy, values: effective.values };
}

/** Turns rule texts into a strategy, as each run does. */
function asRules({ strategy: { rules }, values }: Run): Run {
  if (rules === null) throw new Error('a built-in strategy has no rules');
  const read = readRules(rules);
  if ('problems' in read) throw new Error(JSON.stringify(read.problems));
  const given = Object.fromEntries(Object.entries(values).filter(([name]) => read.rules.parameters.has(name)));
  return valuesOf(rulesStrategy(read.rules, given), given);
}

/** Runs a backtest with its metrics; returns the final equity. */
function backtest({ strategy, values }: Run, series: BarSeries): number {
  const input = wholeOf(series);
  const run = runStrategy(strategy, values, input);
  return metricsOf(series, run, input.execution.initialCapital).finalEquity;
}

function runAll(runs: readonly Run[], series: BarSeries): void {
  for (const run of runs) backtest(run, series);
}

const benchBuiltIns: Bench = async () => {
  const series = walk(BARS);
  const builtIn = STRATEGIES.map((strategy) => valuesOf(strategy));
  for (const run of builtIn) {
    if (backtest(run, series) !== backtest(asRules(run), series))
      throw new Error(`${run.strategy.code} differs as rules`);
  }
  const { rules, builtIns } = await inTurns(ROUNDS, {
    rules: () => timedEach(RUNS, () => runAll(builtIn.map(asRules), series)),
    builtIns: () => timedEach(RUNS, () => runAll(builtIn, series)),
  });
  const microseconds = (ms: number) => `${(1000 * ms).toFixed(0)} µs`;
  const note = `${microseconds(rules.median)} against ${microseconds(builtIns.median)}, all strategies, ${BARS} bars`;
  return [figure('rules.time_vs_builtin', ratioOf(rules, builtIns), note)];
};

const benchLargest: Bench = async () => {
  const read = readRules({ entry: LARGE });
  if ('problems' in read) throw new Error(JSON.stringify(read.problems));
  const { strategy, values } = valuesOf(rulesStrategy(read.rules));
  const bars = walk(LARGE_BARS);
  const { largest } = await inTurns(ROUNDS, {
    largest: () => timedEach(RUNS, () => strategy.plan(new IndicatorSet(bars), values)),
  });
  return [figure('rules.largest_ms', largest, `64 names, numbers, and operators over ${LARGE_BARS} bars`)];
};

export const RULES = { 'rules.time_vs_builtin': benchBuiltIns, 'rules.largest_ms': benchLargest };
