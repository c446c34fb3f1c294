/** Means and deviations of doubles in integers of any size, rounded only at the end. */

/** Doubles as multiples of 2^-200; finer ones do not occur in prices. */
const SCALE = 200;
/** Binary digits kept beyond those of a double; the last one represents all that follow. */
const GUARD = 80;

const view = new DataView(new ArrayBuffer(8));

/** value × 2^200 */
function toInteger(value: number): bigint {
  view.setFloat64(0, value);
  const bits = view.getBigUint64(0);
  const exponent = Number((bits >> 52n) & 0x7ffn);
  const mantissa = (bits & 0xfffffffffffffn) | (exponent === 0 ? 0n : 1n << 52n);
  const shift = Math.max(exponent, 1) - 1075 + SCALE;
  const lost = shift < 0 ? mantissa & ((1n << BigInt(-shift)) - 1n) : 0n;
  if (lost !== 0n || exponent === 0x7ff) throw new RangeError(`${value} is out of reach`);
  const magnitude = shift < 0 ? mantissa >> BigInt(-shift) : mantissa << BigInt(shift);
  return bits >> 63n === 1n ? -magnitude : magnitude;
}

/** Returns the double nearest to numerator / denominator × 2^-scale. */
function nearest(numerator: bigint, denominator: bigint, scale: number): number {
  const shifted = numerator << BigInt(GUARD);
  const rest = shifted % denominator === 0n ? 0n : numerator < 0n ? -1n : 1n;
  return Number(2n * (shifted / denominator) + rest) * 2 ** -(scale + GUARD + 1);
}

export function exactMean(values: readonly number[]): number {
  const sum = values.reduce((total, value) => total + toInteger(value), 0n);
  return nearest(sum, BigInt(values.length), SCALE);
}

/** Returns the least-squares slope on 0, 1, 2, … */
export function exactSlope(values: readonly number[]): number {
  const count = BigInt(values.length);
  const doubled = values.reduce((total, value, i) => total + (2n * BigInt(i) + 1n - count) * toInteger(value), 0n);
  return nearest(6n * doubled, count * (count * count - 1n), SCALE);
}

function squareRoot(value: bigint): bigint {
  if (value < 2n) return value;
  let root = 1n << BigInt(Math.ceil(value.toString(2).length / 2));
  for (;;) {
    const next = (root + value / root) >> 1n;
    if (next >= root) return root;
    root = next;
  }
}

/** Returns the population standard deviation. */
export function exactStdev(values: readonly number[]): number {
  const integers = values.map(toInteger);
  const count = BigInt(values.length);
  const sum = integers.reduce((total, value) => total + value, 0n);
  const squares = integers.reduce((total, value) => total + value * value, 0n);
  return nearest(squareRoot((count * squares - sum * sum) << 200n), count << 100n, SCALE);
}

/** Returns the distance between a double and its neighbor of larger magnitude. */
export function ulpOf(value: number): number {
  view.setFloat64(0, Math.abs(value));
  const bits = view.getBigUint64(0);
  view.setBigUint64(0, bits + 1n);
  return view.getFloat64(0) - Math.abs(value);
}
