/**
 * Means and standard deviations of sliding windows, as exact as if each window were summed alone. A sum is a pair of
 * numbers: `high`, and `low` for the rounding errors of `high` (Knuth's two-sum, Dekker's product).
 *
 * Only the errors are rounded: after k steps a sum is off by less than k² × 2^-106 of its largest value. Sums are
 * recomputed after `FRESH_BARS` steps, and as soon as their size changes much, so that prices of 10^8 before a chain of
 * reverse splits leave no trace in prices of 1 after it.
 */

const FRESH_BARS = 1_024;
/**
 * A sum of values that are not negative is also recomputed after this many windows. Until then values that are replaced by
 * close ones, each by one of half to one and a half times its size, shrink it by less than a factor of 512.
 */
const FRESH_WINDOWS = 8;
/** A sum is recomputed when it is this many times smaller or larger than when it was last computed. */
const SUM_CHANGE = 32;
/** A sum of squares is recomputed when it falls below this fraction of its highest value. */
const SQUARES_FALL = 1e-6;
/** Splits a number into halves of 26 bits (Dekker, 1971). */
const SPLITTER = 2 ** 27 + 1;

/** Rounding error of `sum`, which is the rounded a + b. */
function sumError(a: number, b: number, sum: number): number {
  const part = sum - a;
  return a - (sum - part) + (b - part);
}

function upperHalf(value: number): number {
  const scaled = value * SPLITTER;
  return scaled - (scaled - value);
}

/** Rounding error of `product`, which is the rounded factor × value; the factor has fewer than 27 bits. */
function productError(factor: number, value: number, product: number): number {
  const upper = upperHalf(value);
  return factor * upper - product + factor * (value - upper);
}

/** Rounding error of `square`, which is the rounded a². */
function squareError(a: number, square: number): number {
  const upper = upperHalf(a);
  const lower = a - upper;
  return upper * upper - square + 2 * upper * lower + lower * lower;
}

/**
 * (high + low) / count, to within 2^-26 ulp before it is rounded; `inverse` is 1 / count, and `count` is an integer below
 * 2^26. The remainder after the upper half is exact, and so small that its own rounding does not matter.
 */
function quotient(high: number, low: number, count: number, inverse: number): number {
  const upper = upperHalf(high * inverse);
  return upper + (high - upper * count + low) * inverse;
}

/** Mean of `count` values from `from` on, to within 1 ulp. */
export function meanOf(values: Float64Array, from: number, count: number): number {
  const [high, low] = sumOf(values, from, count);
  return quotient(high, low, count, 1 / count);
}

type Sum = [high: number, low: number];

/** The sum of `count` values from `from` on, added to `start`. */
function sumOf(values: Float64Array, from: number, count: number, start: Readonly<Sum> = [0, 0]): Sum {
  let [high, low] = start;
  for (let i = from; i < from + count; i++) {
    const sum = high + values[i];
    low += sumError(high, values[i], sum);
    high = sum;
  }
  return [high, low];
}

/** Sums of `bars` values each, one block after the other; values after the last whole block are in none. */
export interface BlockSums {
  readonly bars: number;
  readonly high: Float64Array;
  readonly low: Float64Array;
}

export function blockSums(values: Float64Array, bars: number): BlockSums {
  const count = Math.floor(values.length / bars);
  const [high, low] = [new Float64Array(count), new Float64Array(count)];
  for (let k = 0; k < count; k++) [high[k], low[k]] = sumOf(values, k * bars, bars);
  return { bars, high, low };
}

/** The mean of a window as `meanOf` has it, from the sums of the blocks of `values`. */
export function meanByBlocks(values: Float64Array, blocks: BlockSums, from: number, count: number): number {
  const first = Math.ceil(from / blocks.bars);
  const end = Math.floor((from + count) / blocks.bars);
  if (first >= end) return meanOf(values, from, count);
  let [high, low] = sumOf(values, from, first * blocks.bars - from);
  for (let k = first; k < end; k++) {
    const sum = high + blocks.high[k];
    low += sumError(high, blocks.high[k], sum) + blocks.low[k];
    high = sum;
  }
  const rest = end * blocks.bars;
  [high, low] = sumOf(values, rest, from + count - rest, [high, low]);
  return quotient(high, low, count, 1 / count);
}

/** Mean of the last `period` values, none of them negative, to within 1 ulp; undefined before index period-1. */
export function slidingMeans(values: Float64Array, period: number): Float64Array {
  const out = new Float64Array(values.length).fill(Number.NaN, 0, period - 1);
  const inverse = 1 / period;
  const fresh = Math.min(FRESH_BARS, FRESH_WINDOWS * period);
  for (let t = period - 1; t < values.length; ) {
    let [high, low] = sumOf(values, t - period + 1, period);
    const [least, most] = [high / SUM_CHANGE, high * SUM_CHANGE];
    out[t] = quotient(high, low, period, inverse);
    const end = Math.min(values.length, t + fresh);
    for (t++; t < end; t++) {
      const leaving = values[t - period];
      const change = values[t] - leaving;
      const sum = high + change;
      // The difference of close values is exact and smaller than the sum, so that the error of the sum takes two steps.
      if (2 * Math.abs(change) < leaving) low += change - (sum - high);
      else if (sum < least || sum > most) break;
      else low += sumError(values[t], -leaving, change) + sumError(high, change, sum);
      high = sum;
      out[t] = quotient(high, low, period, inverse);
    }
  }
  return out;
}

/** A sum is recomputed when its size falls below this fraction of its largest size. */
const SIGNED_FALL = 2 ** -20;

/**
 * Mean of the last `period` values of any sign; undefined before index period-1. Where they nearly cancel out it is within
 * 1 ulp of the sum of their sizes.
 */
export function slidingSignedMeans(values: Float64Array, period: number): Float64Array {
  const out = new Float64Array(values.length).fill(Number.NaN, 0, period - 1);
  const inverse = 1 / period;
  for (let t = period - 1; t < values.length; ) {
    let [high, low] = sumOf(values, t - period + 1, period);
    let largest = Math.abs(high);
    out[t] = quotient(high, low, period, inverse);
    const end = Math.min(values.length, t + FRESH_BARS);
    for (t++; t < end; t++) {
      const change = values[t] - values[t - period];
      const sum = high + change;
      if (Math.abs(sum) < largest * SIGNED_FALL) break;
      low += sumError(values[t], -values[t - period], change) + sumError(high, change, sum);
      high = sum;
      largest = Math.max(largest, Math.abs(sum));
      out[t] = quotient(high, low, period, inverse);
    }
  }
  return out;
}

/**
 * Least-squares slope of the last `period` values; undefined before index period-1. The moment about the middle of the
 * window is within 1 ulp; where it nearly vanishes beside the sum, each window is computed alone.
 */
export function slidingSlopes(values: Float64Array, period: number): Float64Array {
  const out = new Float64Array(values.length).fill(Number.NaN, 0, period - 1);
  const half = (period - 1) / 2;
  const squares = (period * (period ** 2 - 1)) / 12;
  for (let t = period - 1; t < values.length; ) {
    const from = t - period + 1;
    out[t] = momentFromFirst(values, from, period) / squares;
    let [sum, sumLow] = sumOf(values, from, period);
    let [moment, momentLow] = momentOf(values, from, period);
    let largest = Math.abs(sum);
    const end = Math.min(values.length, t + FRESH_BARS);
    for (t++; t < end; t++) {
      const [entering, leaving] = [values[t], values[t - period]];
      const [last, first] = [half * entering, (half + 1) * leaving];
      // All values move one place towards the first.
      const ends = last + first;
      const change = ends - sum;
      const next = moment + change;
      largest = Math.max(largest, Math.abs(ends), Math.abs(sum));
      if (Math.abs(next) < largest * SIGNED_FALL) break;
      momentLow +=
        productError(half, entering, last) +
        productError(half + 1, leaving, first) +
        sumError(last, first, ends) +
        sumError(ends, -sum, change) +
        sumError(moment, change, next) -
        sumLow;
      moment = next;
      const step = entering - leaving;
      const total = sum + step;
      sumLow += sumError(entering, -leaving, step) + sumError(sum, step, total);
      sum = total;
      out[t] = (moment + momentLow) / squares;
    }
  }
  return out;
}

/** Sum of each value's distance from the first one, times its distance from the middle: 0 where all are equal. */
function momentFromFirst(values: Float64Array, from: number, count: number): number {
  const half = (count - 1) / 2;
  const first = values[from];
  let moment = 0;
  for (let i = 0; i < count; i++) moment += (i - half) * (values[from + i] - first);
  return moment;
}

/** Sum of `count` values from `from` on, each times its distance from the middle. */
function momentOf(values: Float64Array, from: number, count: number): Sum {
  const half = (count - 1) / 2;
  let [high, low] = [0, 0];
  for (let i = 0; i < count; i++) {
    const value = values[from + i];
    const product = (i - half) * value;
    const sum = high + product;
    low += productError(i - half, value, product) + sumError(high, product, sum);
    high = sum;
  }
  return [high, low];
}

/** Population standard deviation of the last `period` values, to within 1 ulp; undefined before index period-1. */
export function slidingStdevs(values: Float64Array, period: number): Float64Array {
  const out = new Float64Array(values.length).fill(Number.NaN, 0, period - 1);
  for (let t = period - 1; t < values.length; ) {
    const from = t - period + 1;
    const window = new SquaresWindow(meanOf(values, from, period), period);
    for (let i = from; i <= t; i++) window.shift(values[i], 1);
    out[t] = Math.sqrt(window.variance());
    let highest = window.squares;
    const end = Math.min(values.length, t + FRESH_BARS);
    for (t++; t < end; t++) {
      window.shift(values[t], 1);
      window.shift(values[t - period], -1);
      if (window.squares > highest) highest = window.squares;
      const variance = window.variance();
      if (variance * period < SQUARES_FALL * highest) break;
      out[t] = Math.sqrt(variance);
    }
  }
  return out;
}

/** Sums over a window of the distances from a pivot near its mean, and of their squares. */
class SquaresWindow {
  squares = 0;
  private squaresLow = 0;
  private sum = 0;
  private sumLow = 0;
  private readonly pivot: number;
  private readonly count: number;

  constructor(pivot: number, count: number) {
    this.pivot = pivot;
    this.count = count;
  }

  /** Adds a value (sign 1), or removes it (sign -1). */
  shift(value: number, sign: 1 | -1): void {
    const distance = value - this.pivot;
    const distanceLow = sumError(value, -this.pivot, distance);
    const square = distance * distance;
    const squareLow = squareError(distance, square) + 2 * distance * distanceLow;
    const sum = this.sum + sign * distance;
    this.sumLow += sumError(this.sum, sign * distance, sum) + sign * distanceLow;
    this.sum = sum;
    const squares = this.squares + sign * square;
    this.squaresLow += sumError(this.squares, sign * square, squares) + sign * squareLow;
    this.squares = squares;
  }

  /** Population variance: the mean square about the pivot, corrected for the distance of the pivot from the mean. */
  variance(): number {
    const { count, squares } = this;
    const inverse = 1 / count;
    const sum = this.sum + this.sumLow;
    const sumLow = sumError(this.sum, this.sumLow, sum);
    const product = sum * sum;
    const productLow = squareError(sum, product) + 2 * sum * sumLow;
    const excess = product * inverse;
    const upper = upperHalf(excess);
    const excessLow = (product - upper * count - (excess - upper) * count + productLow) * inverse;
    const high = squares - excess;
    const low = sumError(squares, -excess, high) + this.squaresLow - excessLow;
    return quotient(high, low, count, inverse);
  }
}
