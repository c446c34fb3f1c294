/**
 * Figures at the last bar of a window, by the definitions of the indicators: bars `from` (included) to `to` (excluded) of
 * columns that hold many instruments one after the other. Undefined is NaN. No column is built for one number.
 */
import {
  emaStep,
  meanOf,
  rsiFrom,
  squaresAboutMean,
  TRADING_DAYS_PER_YEAR,
  trueRangeAt,
  wilderStep,
} from '../indicators/indicators.ts';
import { changeOf, isAbove } from '../indicators/ties.ts';
import { type BarSeries, roundTo } from '../market/series.ts';
import { type Averaged, meanIndex, type RunningMeans } from './running-means.ts';

export interface Window {
  readonly bars: BarSeries;
  readonly from: number;
  readonly to: number;
  /** Bars of the instrument before the window. */
  readonly barsBefore: number;
  /** What is carried over from them, and where the instrument stands in it; null when nothing is. */
  readonly carried: RunningMeans['means'] | null;
  readonly instrument: number;
}

/** Whether the window holds `count` bars. */
export function holds({ from, to }: Window, count: number): boolean {
  return to - from >= count;
}

const DECIMALS = 6;
/** From here on a number has no 6 decimals to round to; what it has is cut to 15 digits. */
const FEWER_DECIMALS = 1e9;
const DIGITS = 15;

/** A figure as it is compared, sorted and served. */
export function roundFigure(value: number): number {
  if (Number.isInteger(value)) return value;
  return Math.abs(value) < FEWER_DECIMALS ? roundTo(value, DECIMALS) : Number(value.toPrecision(DIGITS));
}

/** Mean of the last `period` closes, `ago` bars before the last. */
export function smaOf(window: Window, period: number, ago = 0): number {
  if (!holds(window, period + ago)) return Number.NaN;
  return meanOf(window.bars.close, window.to - ago - period, period);
}

/** A mean through the first bar of the window, given that of a window with nothing before it. */
function meanAtStart({ carried, instrument }: Window, averaged: Averaged, period: number, otherwise: number): number {
  return carried ? carried[averaged][meanIndex(instrument, period)] : otherwise;
}

/** Where the seed of a mean over the whole history ends whose first `count` bars make it; within the window. */
function seedEnd({ from, to, barsBefore }: Window, count: number): number {
  return Math.min(to, from + count - barsBefore);
}

export function emaOf(window: Window, period: number): number {
  if (!holds(window, period)) return Number.NaN;
  const { close } = window.bars;
  const alpha = 2 / (period + 1);
  let mean = meanAtStart(window, 'close', period, close[window.from] / period);
  let t = window.from + 1;
  for (const end = seedEnd(window, period); t < end; t++) mean += close[t] / period;
  for (; t < window.to; t++) mean = emaStep(mean, close[t], alpha);
  return mean;
}

export function rsiOf(window: Window, period: number): number {
  if (!holds(window, period + 1)) return Number.NaN;
  const { close } = window.bars;
  const end = seedEnd(window, period + 1);
  let gain = meanAtStart(window, 'gain', period, 0);
  let loss = meanAtStart(window, 'loss', period, 0);
  for (let t = window.from + 1; t < window.to; t++) {
    const change = changeOf(close[t - 1], close[t]);
    const [up, down] = [Math.max(change, 0), Math.max(-change, 0)];
    if (t < end) {
      gain += up / period;
      loss += down / period;
    } else {
      gain = wilderStep(gain, up, period);
      loss = wilderStep(loss, down, period);
    }
  }
  return rsiFrom(gain, loss);
}

export function atrOf(window: Window, period: number): number {
  if (!holds(window, period + 1)) return Number.NaN;
  const { bars } = window;
  let mean = meanAtStart(window, 'range', period, 0);
  let t = window.from + 1;
  for (const end = seedEnd(window, period + 1); t < end; t++) mean += trueRangeAt(bars, t) / period;
  for (; t < window.to; t++) mean = wilderStep(mean, trueRangeAt(bars, t), period);
  return mean;
}

/** Annualized sample standard deviation of the last `period` log returns, in percent. */
export function volatilityOf(window: Window, period: number): number {
  if (!holds(window, period + 1)) return Number.NaN;
  const { close } = window.bars;
  const returns = new Float64Array(period);
  const first = window.to - period;
  for (let i = 0; i < period; i++) returns[i] = Math.log(close[first + i] / close[first + i - 1]);
  return 100 * Math.sqrt((squaresAboutMean(returns, 0, period) / (period - 1)) * TRADING_DAYS_PER_YEAR);
}

/** Highest high of `period` bars that end `ago` bars before the last. */
export function highestOf({ bars: { high }, to }: Window, period: number, ago = 0): number {
  const last = to - 1 - ago;
  let value = high[last];
  for (let t = last - 1; t > last - period; t--) if (high[t] > value) value = high[t];
  return value;
}

/** Bars from the highest high of the last `period` bars to the last; of equal ones the latest counts. */
export function barsSinceHighest(window: Window, period: number): number {
  const { high } = window.bars;
  const value = highestOf(window, period);
  let t = window.to - 1;
  while (isAbove(value, high[t])) t--;
  return window.to - 1 - t;
}

/** Lowest low of `period` bars that end `ago` bars before the last. */
export function lowestOf({ bars: { low }, to }: Window, period: number, ago = 0): number {
  const last = to - 1 - ago;
  let value = low[last];
  for (let t = last - 1; t > last - period; t--) if (low[t] < value) value = low[t];
  return value;
}
