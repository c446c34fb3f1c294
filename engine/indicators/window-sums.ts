/**
 * Means and deviations of windows that slide over a column, each as exact as if its window were all there is: a sum is a
 * pair of numbers, `high` and the rounding errors that `high` leaves out, `low` (Knuth's two-sum, Dekker's product).
 *
 * Only the errors themselves are rounded, which after k steps is off by less than k² × 2^-106 of the largest sum. So a
 * sum is taken afresh after `FRESH_BARS` steps, and as soon as its size changes much: prices of 10^8 before a chain of
 * reverse splits leave no trace in prices of 1 after it.
 */

const FRESH_BARS = 1_024;
/** A sum that is this many times smaller or larger than when it was taken afresh is taken afresh again. */
const SUM_CHANGE = 32;
/** A sum of squares that has fallen below this share of its highest value is taken afresh. */
const SQUARES_FALL = 1e-6;
/** Cuts a number into halves of 26 bits. */
const SPLITTER = 2 ** 27 + 1;

/** What `sum`, the rounded a + b, leaves out. */
function sumError(a: number, b: number, sum: number): number {
  const part = sum - a;
  return a - (sum - part) + (b - part);
}

function upperHalf(value: number): number {
  const scaled = value * SPLITTER;
  return scaled - (scaled - value);
}

/** What `square`, the rounded a², leaves out. */
function squareError(a: number, square: number): number {
  const upper = upperHalf(a);
  const lower = a - upper;
  return upper * upper - square + 2 * upper * lower + lower * lower;
}

/** (high + low) / count, rounded once; `inverse` is 1 / count, and count a whole number below 2^26. */
function quotient(high: number, low: number, count: number, inverse: number): number {
  const estimate = high * inverse;
  const upper = upperHalf(estimate);
  const remainder = high - upper * count - (estimate - upper) * count;
  return estimate + (remainder + low) * inverse;
}

/** Mean of `count` values from `from` on, to within 1 ulp. */
export function meanOf(values: Float64Array, from: number, count: number): number {
  const [high, low] = sumOf(values, from, count);
  return quotient(high, low, count, 1 / count);
}

function sumOf(values: Float64Array, from: number, count: number): [high: number, low: number] {
  let high = 0;
  let low = 0;
  for (let i = from; i < from + count; i++) {
    const sum = high + values[i];
    low += sumError(high, values[i], sum);
    high = sum;
  }
  return [high, low];
}

/** Mean of the last `period` values, none of them negative, to within 1 ulp; undefined before index period-1. */
export function slidingMeans(values: Float64Array, period: number): Float64Array {
  const out = new Float64Array(values.length).fill(Number.NaN, 0, period - 1);
  const inverse = 1 / period;
  for (let t = period - 1; t < values.length; ) {
    let [high, low] = sumOf(values, t - period + 1, period);
    const [least, most] = [high / SUM_CHANGE, high * SUM_CHANGE];
    out[t] = quotient(high, low, period, inverse);
    const end = Math.min(values.length, t + FRESH_BARS);
    for (t++; t < end; t++) {
      const leaving = values[t - period];
      const change = values[t] - leaving;
      const sum = high + change;
      if (sum < least || sum > most || change > high) break;
      // The larger summand comes first, so the error takes two steps; and close values differ without any.
      let error = change - (sum - high);
      if (2 * Math.abs(change) >= leaving) error += sumError(values[t], -leaving, change);
      low += error;
      high = sum;
      out[t] = quotient(high, low, period, inverse);
    }
  }
  return out;
}

/** A sum that has fallen below this share of its largest size is taken afresh. */
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

/** Sums of a window's distances from a pivot near its mean, and of their squares. */
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

  /** Takes a value in (sign 1), or lets it go (sign -1). */
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

  /** Mean of the squares about the mean: what the pivot is off by is taken out of them. */
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
