/**
 * Indicators of backtests and the screener, by TA-Lib's conventions. They take and return columns: index 0 is the oldest
 * bar, a figure at t depends on bars up to t only, and undefined figures are NaN.
 */
import type { BarSeries } from '../market/series.ts';
import { changeOf } from './ties.ts';
import { meanOf, slidingMeans, slidingStdevs } from './window-sums.ts';

export { meanOf };

/** Trading days a year. */
export const TRADING_DAYS_PER_YEAR = 252;

/** A column whose first `count` figures are undefined; all of them by default. */
function undefinedColumn(length: number, count = length): Float64Array {
  return new Float64Array(length).fill(Number.NaN, 0, count);
}

/** Mean of the last `period` values, to within 1 ulp; defined from index period-1. */
export function sma(values: Float64Array, period: number): Float64Array {
  return slidingMeans(values, period);
}

/** Weight of the newest value in an exponential mean of `period` values. */
export function emaWeight(period: number): number {
  return 2 / (period + 1);
}

/** Weight of the newest value in Wilder's mean of `period` values (Wilder, 1978). */
export function wilderWeight(period: number): number {
  return 1 / period;
}

/** The next exponential mean. */
export function emaStep(mean: number, value: number, weight: number): number {
  return mean + weight * (value - mean);
}

/** Exponential mean, seeded with the plain mean of the `period` values from index `from` on; defined from its last one. */
function exponentialMean(values: Float64Array, period: number, weight: number, from: number): Float64Array {
  const first = from + period - 1;
  const out = undefinedColumn(values.length, first);
  if (first >= values.length) return out;
  let mean = meanOf(values, from, period);
  out[first] = mean;
  for (let t = first + 1; t < values.length; t++) {
    mean = emaStep(mean, values[t], weight);
    out[t] = mean;
  }
  return out;
}

/** Exponential mean with weight 2/(period+1), seeded with the mean of the first `period` values from `from` on. */
export function ema(values: Float64Array, period: number, from = 0): Float64Array {
  return exponentialMean(values, period, emaWeight(period), from);
}

/** Wilder's mean of values that are defined from index 1. */
function wilderMean(values: Float64Array, period: number): Float64Array {
  return exponentialMean(values, period, wilderWeight(period), 1);
}

/** The true range, in the unit of prices: the largest of high − low, high − close before, and close before − low. */
function rangeFrom(before: number, high: number, low: number): number {
  return (high > before ? high : before) - (low < before ? low : before);
}

/** True range at t. */
export function trueRangeAt({ high, low, close }: BarSeries, t: number): number {
  return rangeFrom(close[t - 1], high[t], low[t]);
}

/** True range of the bars before `end`; undefined at index 0. */
export function trueRange({ high, low, close }: BarSeries, end = close.length): Float64Array {
  const out = undefinedColumn(end, 1);
  for (let t = 1; t < end; t++) out[t] = rangeFrom(close[t - 1], high[t], low[t]);
  return out;
}

/** Wilder's average true range (Wilder, 1978); defined from index `period`. */
export function atr(series: BarSeries, period: number): Float64Array {
  const { high, low, close, length } = series;
  const out = undefinedColumn(length, period);
  if (period >= length) return out;
  let mean = meanOf(trueRange(series, period + 1), 1, period);
  out[period] = mean;
  const weight = wilderWeight(period);
  for (let t = period + 1; t < length; t++) {
    mean = emaStep(mean, rangeFrom(close[t - 1], high[t], low[t]), weight);
    out[t] = mean;
  }
  return out;
}

/** Rise of the close since the bar before t; 0 where it fell or is a tie. */
export function riseAt(close: Float64Array, t: number): number {
  return Math.max(changeOf(close[t - 1], close[t]), 0);
}

/** Fall of the close since the bar before t, as a positive number; 0 where it rose or is a tie. */
export function fallAt(close: Float64Array, t: number): number {
  return Math.max(-changeOf(close[t - 1], close[t]), 0);
}

/** Wilder's relative strength index, 0 to 100 (Wilder, 1978); defined from index `period`. */
export function rsi(close: Float64Array, period: number): Float64Array {
  const rises = undefinedColumn(close.length, 1);
  const falls = undefinedColumn(close.length, 1);
  for (let t = 1; t < close.length; t++) {
    rises[t] = riseAt(close, t);
    falls[t] = fallAt(close, t);
  }
  const gain = wilderMean(rises, period);
  const loss = wilderMean(falls, period);
  for (let t = 0; t < close.length; t++) gain[t] = rsiFrom(gain[t], loss[t]);
  return gain;
}

/** The RSI of a mean rise and a mean fall; 50 where nothing moved. */
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

/** Highest of the `period` values before t (t not included); defined from index `period`. */
export function highestBefore(values: Float64Array, period: number): Float64Array {
  return extremeBefore(values, period, 1);
}

/** Lowest of the `period` values before t (t not included); defined from index `period`. */
export function lowestBefore(values: Float64Array, period: number): Float64Array {
  return extremeBefore(values, period, -1);
}

/** Keeps a queue of candidates, best first: each value enters once and leaves once. */
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
  const out = undefinedColumn(close.length, period);
  for (let t = period; t < close.length; t++) out[t] = 100 * (close[t] / close[t - period] - 1);
  return out;
}

/** Logarithms of the ratios of each close to the one before it: one fewer than closes. */
export function logReturns(close: Float64Array): Float64Array {
  const returns = new Float64Array(Math.max(0, close.length - 1));
  for (let i = 0; i < returns.length; i++) returns[i] = Math.log(close[i + 1] / close[i]);
  return returns;
}

/** Annualized sample standard deviation of the last `period` log returns, in percent; defined from index `period`. */
export function volatility(close: Float64Array, period: number, returns = logReturns(close)): Float64Array {
  const scale = 100 * Math.sqrt((TRADING_DAYS_PER_YEAR * period) / (period - 1));
  const out = undefinedColumn(close.length, 1);
  const deviations = stdev(returns, period);
  for (let i = 0; i < deviations.length; i++) out[i + 1] = scale * deviations[i];
  return out;
}

/** Percentile of figures that are sorted, interpolated linearly. */
export function percentile(sorted: Float64Array, q: number): number {
  const h = (sorted.length - 1) * q;
  const k = Math.floor(h);
  return k + 1 < sorted.length ? sorted[k] + (h - k) * (sorted[k + 1] - sorted[k]) : sorted[k];
}
