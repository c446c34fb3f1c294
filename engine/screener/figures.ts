/**
 * Figures at the last bar of a window, by the definitions of the indicators: bars `from` (included) to `to` (excluded) of
 * columns that hold many instruments one after the other. Undefined is NaN. No column is built for one number.
 */
import { emaStep, meanOf, rangeAt, squaresAboutMean, strengthOf, wilderStep, YEAR_SESSIONS } from '../indicators.ts';
import type { BarSeries } from '../series.ts';
import { changeOf } from '../ties.ts';

export interface Window {
  readonly bars: BarSeries;
  readonly from: number;
  readonly to: number;
}

/** Whether the window holds `count` bars. */
export function holds({ from, to }: Window, count: number): boolean {
  return to - from >= count;
}

/** Mean of the last `period` closes, `ago` bars before the last. */
export function smaOf(window: Window, period: number, ago = 0): number {
  if (!holds(window, period + ago)) return Number.NaN;
  return meanOf(window.bars.close, window.to - ago - period, period);
}

export function emaOf(window: Window, period: number): number {
  if (!holds(window, period)) return Number.NaN;
  const { close } = window.bars;
  const alpha = 2 / (period + 1);
  let mean = meanOf(close, window.from, period);
  for (let t = window.from + period; t < window.to; t++) mean = emaStep(mean, close[t], alpha);
  return mean;
}

export function rsiOf(window: Window, period: number): number {
  if (!holds(window, period + 1)) return Number.NaN;
  const { close } = window.bars;
  const first = window.from + 1;
  let gain = 0;
  let loss = 0;
  for (let t = first; t < window.to; t++) {
    const change = changeOf(close[t - 1], close[t]);
    const [up, down] = [Math.max(change, 0), Math.max(-change, 0)];
    if (t < first + period) {
      gain += up / period;
      loss += down / period;
    } else {
      gain = wilderStep(gain, up, period);
      loss = wilderStep(loss, down, period);
    }
  }
  return strengthOf(gain, loss);
}

export function atrOf(window: Window, period: number): number {
  if (!holds(window, period + 1)) return Number.NaN;
  const { bars, from, to } = window;
  let sum = 0;
  for (let t = from + 1; t <= from + period; t++) sum += rangeAt(bars, t);
  let mean = sum / period;
  for (let t = from + period + 1; t < to; t++) mean = wilderStep(mean, rangeAt(bars, t), period);
  return mean;
}

/** Annualized sample deviation of the last `period` log returns, in percent. */
export function volatilityOf(window: Window, period: number): number {
  if (!holds(window, period + 1)) return Number.NaN;
  const { close } = window.bars;
  const returns = new Float64Array(period);
  const first = window.to - period;
  for (let i = 0; i < period; i++) returns[i] = Math.log(close[first + i] / close[first + i - 1]);
  return 100 * Math.sqrt((squaresAboutMean(returns, 0, period) / (period - 1)) * YEAR_SESSIONS);
}

export interface Extreme {
  readonly value: number;
  /** Bars before the last; of equal ones the latest. */
  readonly ago: number;
}

/** Highest high of `period` bars that end `ago` bars before the last. */
export function highestOf({ bars: { high }, to }: Window, period: number, ago = 0): Extreme {
  const last = to - 1 - ago;
  let best = last;
  for (let t = last - 1; t > last - period; t--) if (high[t] > high[best]) best = t;
  return { value: high[best], ago: to - 1 - best };
}

/** Lowest low of `period` bars that end `ago` bars before the last. */
export function lowestOf({ bars: { low }, to }: Window, period: number, ago = 0): number {
  const last = to - 1 - ago;
  let value = low[last];
  for (let t = last - 1; t > last - period; t--) if (low[t] < value) value = low[t];
  return value;
}
