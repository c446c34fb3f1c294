/**
 * The means behind `ema`, `rsi`, and `atr_pct`, carried over from the bars before a snapshot's window. An exponential mean
 * never forgets its past: after 260 bars a 252-bar mean still holds 13 % of it, Wilder's mean 36 %. Each mean is therefore
 * computed over the whole history when the snapshot is made, and figures continue from there.
 */
import { emaStep, emaWeight, fallAt, riseAt, trueRangeAt, wilderWeight } from '../indicators/indicators.ts';
import type { BarSeries } from '../market/series.ts';

export const AVERAGED = ['close', 'gain', 'loss', 'range'] as const;
export type Averaged = (typeof AVERAGED)[number];

interface Average {
  readonly valueAt: (bars: BarSeries, t: number) => number;
  /** Bars before t that `valueAt` reads. */
  readonly barsBefore: 0 | 1;
  readonly weightOf: (period: number) => number;
}

export const AVERAGES: Readonly<Record<Averaged, Average>> = {
  close: { valueAt: ({ close }, t) => close[t], barsBefore: 0, weightOf: emaWeight },
  gain: { valueAt: ({ close }, t) => riseAt(close, t), barsBefore: 1, weightOf: wilderWeight },
  loss: { valueAt: ({ close }, t) => fallAt(close, t), barsBefore: 1, weightOf: wilderWeight },
  range: { valueAt: trueRangeAt, barsBefore: 1, weightOf: wilderWeight },
};

/** Periods that a screen may use, in bars. */
export const PERIOD_RANGE = { min: 2, max: 252 } as const;

/** Number of periods in `PERIOD_RANGE`. */
export const PERIOD_COUNT = PERIOD_RANGE.max - PERIOD_RANGE.min + 1;

/** Bars that a snapshot keeps of each instrument: the longest look-back, also from the session before, and a few more. */
export const SNAPSHOT_BARS = 260;

/** Means of many instruments. The mean of instrument i for a period is at `meanIndex(i, period)`. */
export interface RunningMeans {
  /** Number of bars before the window; 0: the window is the whole history, and no mean is carried over. */
  readonly barsBefore: Int32Array;
  /**
   * Means through the first bar of the window; where there are fewer than `period` values, their sum ÷ period. The relative
   * error of single precision is at most 6e-8, and no larger in a figure: all averaged values are positive, so a figure is
   * never smaller than the part of its mean that it keeps.
   */
  readonly means: Readonly<Record<Averaged, Float32Array>>;
}

export function allocateMeans(instruments: number): RunningMeans {
  const column = () => new Float32Array(instruments * PERIOD_COUNT);
  return {
    barsBefore: new Int32Array(instruments),
    means: { close: column(), gain: column(), loss: column(), range: column() },
  };
}

export function meanIndex(instrument: number, period: number): number {
  return instrument * PERIOD_COUNT + period - PERIOD_RANGE.min;
}

/** Weights of the newest value for every period. */
function weightsOf(averaged: Averaged): Float64Array {
  return Float64Array.from({ length: PERIOD_COUNT }, (_, k) => AVERAGES[averaged].weightOf(PERIOD_RANGE.min + k));
}

const WEIGHTS: Readonly<Record<Averaged, Float64Array>> = {
  close: weightsOf('close'),
  gain: weightsOf('gain'),
  loss: weightsOf('loss'),
  range: weightsOf('range'),
};

/** Stores the means of an instrument whose window begins at bar `first` (not 0) of its whole history. */
export function keepMeans({ barsBefore, means }: RunningMeans, instrument: number, series: BarSeries, first: number) {
  barsBefore[instrument] = first;
  const at = meanIndex(instrument, PERIOD_RANGE.min);
  for (const averaged of AVERAGED) {
    const { valueAt, barsBefore: needed } = AVERAGES[averaged];
    const values = new Float64Array(first + 1 - needed);
    for (let i = 0; i < values.length; i++) values[i] = valueAt(series, i + needed);
    means[averaged].set(meansThrough(values, averaged), at);
  }
}

/** The share that is left of a mean after as many steps as its horizon has. */
const FORGOTTEN = 1e-12;
/** The relative error that forgetting may cause. That of single precision is 6e-8. */
const TOLERANCE = 1e-8;

const HORIZONS: Readonly<Record<Averaged, Int32Array>> = {
  close: horizonsOf('close'),
  gain: horizonsOf('gain'),
  loss: horizonsOf('loss'),
  range: horizonsOf('range'),
};

/** Steps of each period after which at most `FORGOTTEN` is left of a mean; longer periods forget later. */
function horizonsOf(averaged: Averaged): Int32Array {
  return Int32Array.from(WEIGHTS[averaged], (weight) => Math.ceil(Math.log(FORGOTTEN) / Math.log1p(-weight)));
}

/**
 * The mean through the last of `values` (none of them negative) for every period, each seeded with the plain mean of its first values.
 * Short periods have forgotten a long history: their steps begin a horizon before the end, unless what they would forget matters, as
 * after a collapse of the price.
 */
function meansThrough(values: Float64Array, averaged: Averaged): Float64Array {
  const weights = WEIGHTS[averaged];
  const horizons = HORIZONS[averaged];
  const latest = values.length - PERIOD_RANGE.max - BLOCK;
  let late = 0;
  while (late < PERIOD_COUNT && horizons[late] <= latest) late++;
  const means = steppedThrough(values, weights, horizons, late);
  const least = late === 0 ? 0 : (FORGOTTEN / TOLERANCE) * largestOf(values);
  for (let k = 0; k < late; k++) if (means[k] < least) return steppedThrough(values, weights, horizons, 0);
  return means;
}

function largestOf(values: Float64Array): number {
  let largest = 0;
  for (const value of values) if (value > largest) largest = value;
  return largest;
}

/** Values that all periods take at a time. */
const BLOCK = 4;

/** The first `late` periods begin a horizon before the end, with a mean of older values. */
function steppedThrough(values: Float64Array, weights: Float64Array, horizons: Int32Array, late: number): Float64Array {
  const means = new Float64Array(PERIOD_COUNT);
  const { length } = values;
  let sum = 0;
  let t = 0;
  for (; t < Math.min(length, PERIOD_RANGE.max); t++) {
    const seeded = t - PERIOD_RANGE.min + 1;
    for (let k = late; k < seeded; k++) means[k] = emaStep(means[k], values[t], weights[k]);
    sum += values[t];
    if (seeded >= late) means[seeded] = sum / (t + 1);
  }
  for (let period = Math.max(PERIOD_RANGE.min, t + 1); period <= PERIOD_RANGE.max; period++) {
    means[period - PERIOD_RANGE.min] = sum / period;
  }
  means.fill(sum / t, 0, late);
  let first = late;
  for (; t + BLOCK <= length; t += BLOCK) {
    while (first > 0 && length - t - BLOCK < horizons[first - 1]) first--;
    stepFour(means, weights, values, t, first);
  }
  for (; t < length; t++) {
    for (let k = 0; k < PERIOD_COUNT; k++) means[k] = emaStep(means[k], values[t], weights[k]);
  }
  return means;
}

/** Takes four values for the periods from `first` on: steps of one period depend on one another, those of different periods do not. */
function stepFour(means: Float64Array, weights: Float64Array, values: Float64Array, t: number, first: number): void {
  const [a, b, c, d] = [values[t], values[t + 1], values[t + 2], values[t + 3]];
  for (let k = first; k < PERIOD_COUNT; k++) {
    const weight = weights[k];
    const half = emaStep(emaStep(means[k], a, weight), b, weight);
    means[k] = emaStep(emaStep(half, c, weight), d, weight);
  }
}
