/**
 * Indicators by TA-Lib's conventions, for backtest and screener alike. Columns in, columns out: index 0 is the oldest
 * bar, a figure at t depends on bars up to t only, and what is not defined yet is NaN.
 */
import type { BarSeries } from '../market/series.ts';
import { changeOf } from './ties.ts';
import { meanOf, slidingMeans, slidingStdevs } from './window-sums.ts';

export { meanOf };

/** Trading days a year. */
export const TRADING_DAYS_PER_YEAR = 252;

/** A column whose first `count` figures are undefined (all, when not said otherwise). */
function undefinedColumn(length: number, count = length): Float64Array {
  return new Float64Array(length).fill(Number.NaN, 0, count);
}

/** Mean of the last `period` values, to within 1 ulp; defined from index period-1. */
export function sma(values: Float64Array, period: number): Float64Array {
  return slidingMeans(values, period);
}

/** The next exponential mean. */
export function emaStep(mean: number, value: number, alpha: number): number {
  return mean + alpha * (value - mean);
}

/** The next of Wilder's means: an exponential one with alpha = 1/period. */
export function wilderStep(mean: number, value: number, period: number): number {
  return emaStep(mean, value, 1 / period);
}

/** Exponential mean with alpha = 2/(period+1), seeded with the mean of the first `period` values from `from` on. */
export function ema(values: Float64Array, period: number, from = 0): Float64Array {
  const first = from + period - 1;
  const out = undefinedColumn(values.length, first);
  if (first >= values.length) return out;
  const alpha = 2 / (period + 1);
  let mean = meanOf(values, from, period);
  out[first] = mean;
  for (let t = first + 1; t < values.length; t++) {
    mean = emaStep(mean, values[t], alpha);
    out[t] = mean;
  }
  return out;
}

/** Largest of high-low and the distances of both from the close before. */
export function trueRangeAt({ high, low, close }: BarSeries, t: number): number {
  const before = close[t - 1];
  return (high[t] > before ? high[t] : before) - (low[t] < before ? low[t] : before);
}

/** Undefined at index 0. */
export function trueRange(series: BarSeries): Float64Array {
  const out = undefinedColumn(series.length, 1);
  for (let t = 1; t < out.length; t++) out[t] = trueRangeAt(series, t);
  return out;
}

/** Mean of a figure at the bars 1 to `period`, which Wilder's means begin with. */
function seedOf(period: number, figureAt: (t: number) => number): number {
  return meanOf(
    Float64Array.from({ length: period }, (_, i) => figureAt(i + 1)),
    0,
    period,
  );
}

/** Wilder's average true range; defined from index `period`. */
export function atr(series: BarSeries, period: number): Float64Array {
  const out = undefinedColumn(series.length, period);
  if (period >= series.length) return out;
  let mean = seedOf(period, (t) => trueRangeAt(series, t));
  out[period] = mean;
  for (let t = period + 1; t < out.length; t++) {
    mean = wilderStep(mean, trueRangeAt(series, t), period);
    out[t] = mean;
  }
  return out;
}

/**
 * Wilder's relative strength index, 0 to 100; defined from index `period`. 50 where nothing moved; a change that is a
 * tie counts as none.
 */
export function rsi(close: Float64Array, period: number): Float64Array {
  const out = undefinedColumn(close.length, period);
  if (period >= close.length) return out;
  let gain = seedOf(period, (t) => Math.max(changeOf(close[t - 1], close[t]), 0));
  let loss = seedOf(period, (t) => Math.max(-changeOf(close[t - 1], close[t]), 0));
  out[period] = rsiFrom(gain, loss);
  for (let t = period + 1; t < close.length; t++) {
    const change = changeOf(close[t - 1], close[t]);
    gain = wilderStep(gain, Math.max(change, 0), period);
    loss = wilderStep(loss, Math.max(-change, 0), period);
    out[t] = rsiFrom(gain, loss);
  }
  return out;
}

/** Relative strength of mean gain and mean loss. */
export function rsiFrom(gain: number, loss: number): number {
  if (loss === 0) return gain === 0 ? 50 : 100;
  return 100 - 100 / (1 + gain / loss);
}

export interface Macd {
  /** Fast mean minus slow mean; defined from index slow-1. */
  readonly line: Float64Array;
  /** Exponential mean of the line, seeded on its first defined values. */
  readonly signal: Float64Array;
}

export function macd(close: Float64Array, fast: number, slow: number, signalPeriod: number): Macd {
  const line = macdLine(ema(close, fast), ema(close, slow));
  return { line, signal: ema(line, signalPeriod, slow - 1) };
}

/** Fast exponential mean minus the slow one. */
export function macdLine(fastMean: Float64Array, slowMean: Float64Array): Float64Array {
  const line = new Float64Array(fastMean.length);
  for (let t = 0; t < line.length; t++) line[t] = fastMean[t] - slowMean[t];
  return line;
}

/** Population standard deviation of the last `period` values about their mean, to within 1 ulp; defined from index period-1. */
export function stdev(values: Float64Array, period: number): Float64Array {
  return slidingStdevs(values, period);
}

/** Sum of the squared distances of `count` values from their mean. */
export function squaresAboutMean(values: Float64Array, from: number, count: number): number {
  const mean = meanOf(values, from, count);
  let squares = 0;
  for (let i = from; i < from + count; i++) squares += (values[i] - mean) ** 2;
  return squares;
}

/** Highest of the `period` values before t (t not included); defined from index `period`. */
export function highestBefore(values: Float64Array, period: number): Float64Array {
  return extremeBefore(values, period, 1);
}

/** Lowest of the `period` values before t (t not included); defined from index `period`. */
export function lowestBefore(values: Float64Array, period: number): Float64Array {
  return extremeBefore(values, period, -1);
}

/** A queue of the candidates, best first: each value enters once and leaves once. */
function extremeBefore(values: Float64Array, period: number, sign: 1 | -1): Float64Array {
  const out = undefinedColumn(values.length);
  const queue = new Int32Array(values.length);
  let head = 0;
  let tail = 0;
  for (let t = 0; t < values.length; t++) {
    if (head < tail && queue[head] < t - period) head++;
    if (t >= period) out[t] = values[queue[head]];
    const value = sign * values[t];
    while (head < tail && sign * values[queue[tail - 1]] <= value) tail--;
    queue[tail++] = t;
  }
  return out;
}

/** Rate of change over `period` bars, in percent; defined from index `period`. */
export function roc(close: Float64Array, period: number): Float64Array {
  const out = undefinedColumn(close.length);
  for (let t = period; t < close.length; t++) out[t] = 100 * (close[t] / close[t - period] - 1);
  return out;
}

/** Annualized sample standard deviation of the last `period` log returns, in percent; defined from index `period`. */
export function volatility(close: Float64Array, period: number): Float64Array {
  const returns = new Float64Array(Math.max(0, close.length - 1));
  for (let i = 0; i < returns.length; i++) returns[i] = Math.log(close[i + 1] / close[i]);
  const scale = 100 * Math.sqrt((TRADING_DAYS_PER_YEAR * period) / (period - 1));
  const out = undefinedColumn(close.length);
  stdev(returns, period).forEach((deviation, i) => {
    out[i + 1] = scale * deviation;
  });
  return out;
}
