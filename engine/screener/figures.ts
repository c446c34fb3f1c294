/**
 * Figures at the last bar of a window, by the definitions of the indicators. A window is the bars `from` (included) to `to`
 * (excluded) of columns that hold many instruments one after the other. Undefined figures are NaN. Only the one figure is
 * computed, no column.
 */
import { emaStep, meanOf, rsiFrom, TRADING_DAYS_PER_YEAR } from '../indicators/indicators.ts';
import { isAbove } from '../indicators/ties.ts';
import { meanByBlocks } from '../indicators/window-sums.ts';
import { type BarSeries, roundTo } from '../market/series.ts';
import { type Blocks, extremeBetween, highestIn, lowestIn } from './blocks.ts';
import { AVERAGES, type Averaged, meanIndex, type RunningMeans } from './running-means.ts';

export interface Window {
  readonly bars: BarSeries;
  readonly from: number;
  readonly to: number;
  /** Number of bars of the instrument before the window. */
  readonly barsBefore: number;
  /** Means of all instruments through their first bar in the window, and the instrument's index; null: none are kept. */
  readonly carried: RunningMeans['means'] | null;
  readonly instrument: number;
  /** Blocks of the columns; null: none are kept. */
  readonly blocks: Blocks | null;
}

/** Whether the window holds `count` bars. */
export function holds({ from, to }: Window, count: number): boolean {
  return to - from >= count;
}

const DECIMALS = 6;
/** Larger numbers are rounded to 15 significant digits instead of 6 decimals. */
const FEWER_DECIMALS = 1e9;
const DIGITS = 15;

/** Rounds a figure. Screens compare, sort, and serve the rounded figure. */
export function roundFigure(value: number): number {
  if (Number.isInteger(value)) return value;
  return Math.abs(value) < FEWER_DECIMALS ? roundTo(value, DECIMALS) : Number(value.toPrecision(DIGITS));
}

/** Significant digits of a value of a rule, which may be of any size: some are billionths. */
const VALUE_DIGITS = 12;

/** Rounds a value of a rule. */
export function roundValue(value: number): number {
  return Number(value.toPrecision(VALUE_DIGITS));
}

/** Mean of `period` closes, the newest of them `ago` bars before the last one. */
export function smaOf(window: Window, period: number, ago = 0): number {
  if (!holds(window, period + ago)) return Number.NaN;
  const { bars, blocks, to } = window;
  const from = to - ago - period;
  return blocks === null ? meanOf(bars.close, from, period) : meanByBlocks(bars.close, blocks.closes, from, period);
}

/**
 * An exponential mean through the last bar of a window. It is seeded over the whole history with the plain mean of its
 * first values, as in a column; a carried mean continues from the first bar of the window.
 */
function meanThrough({ bars, from, to, barsBefore, carried, instrument }: Window, averaged: Averaged, period: number) {
  const { valueAt, weightOf, barsBefore: needed } = AVERAGES[averaged];
  const weight = weightOf(period);
  const seedEnd = Math.min(to, from + needed + period - barsBefore);
  let mean = needed === 0 ? valueAt(bars, from) / period : 0;
  if (carried) mean = carried[averaged][meanIndex(instrument, period)];
  let t = from + 1;
  for (; t < seedEnd; t++) mean += valueAt(bars, t) / period;
  for (; t < to; t++) mean = emaStep(mean, valueAt(bars, t), weight);
  return mean;
}

export function emaOf(window: Window, period: number): number {
  return holds(window, period) ? meanThrough(window, 'close', period) : Number.NaN;
}

export function rsiOf(window: Window, period: number): number {
  if (!holds(window, period + 1)) return Number.NaN;
  return rsiFrom(meanThrough(window, 'gain', period), meanThrough(window, 'loss', period));
}

export function atrOf(window: Window, period: number): number {
  return holds(window, period + 1) ? meanThrough(window, 'range', period) : Number.NaN;
}

/** Annualized sample standard deviation of the last `period` log returns, in percent. */
export function volatilityOf(window: Window, period: number): number {
  if (!holds(window, period + 1)) return Number.NaN;
  const { close } = window.bars;
  const returns = new Float64Array(period);
  const first = window.to - period;
  for (let i = 0; i < period; i++) returns[i] = Math.log(close[first + i] / close[first + i - 1]);
  const mean = meanOf(returns, 0, period);
  let squares = 0;
  for (const value of returns) squares += (value - mean) ** 2;
  return 100 * Math.sqrt((squares / (period - 1)) * TRADING_DAYS_PER_YEAR);
}

/** Highest high of the `period` bars that end `ago` bars before the last one. */
export function highestOf({ bars, blocks, to }: Window, period: number, ago = 0): number {
  return extremeBetween(highestIn, bars.high, blocks?.highest, to - ago - period, to - ago);
}

/** Bars since the highest high of the last `period` bars; of equal highs the latest counts. */
export function barsSinceHighest(window: Window, period: number): number {
  const { high } = window.bars;
  const value = highestOf(window, period);
  let t = window.to - 1;
  while (isAbove(value, high[t])) t--;
  return window.to - 1 - t;
}

/** Lowest low of the `period` bars that end `ago` bars before the last one. */
export function lowestOf({ bars, blocks, to }: Window, period: number, ago = 0): number {
  return extremeBetween(lowestIn, bars.low, blocks?.lowest, to - ago - period, to - ago);
}
