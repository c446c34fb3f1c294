/**
 * Comparisons with a tolerance. Every comparison that a trade depends on is made here, so that neither a split factor nor
 * the rounding of an indicator decides a trade: two figures that differ by less than a tie are equal. A comparison with an
 * undefined figure (NaN) is false.
 */

// Not exported: V8 inlines a module's private constants as literals, which halves the time of a scan.
/** A difference counts when it exceeds this fraction of the larger figure. */
const TIE = 1e-9;
/** A difference of averages, which can be close to 0, counts when it exceeds this fraction of the price. */
const DIFFERENCE_TIE = 1e-12;

/** a > b, by more than a tie. */
export function isAbove(a: number, b: number): boolean {
  const difference = a - b;
  return difference > TIE * Math.abs(a) && difference > TIE * Math.abs(b);
}

/** a ≤ b: less, or a tie. */
export function isAtMost(a: number, b: number): boolean {
  const difference = a - b;
  return difference <= TIE * Math.abs(a) || difference <= TIE * Math.abs(b);
}

/** a < b, by more than a tie. */
export function isBelow(a: number, b: number): boolean {
  return isAbove(b, a);
}

/** a ≥ b: more, or a tie. */
export function isAtLeast(a: number, b: number): boolean {
  return isAtMost(b, a);
}

/** a > b for differences of averages of a price, such as the MACD line and its signal. */
export function isDifferenceAbove(a: number, b: number, price: number): boolean {
  return a - b > DIFFERENCE_TIE * price;
}

/** a ≤ b for differences of averages of a price. */
export function isDifferenceAtMost(a: number, b: number, price: number): boolean {
  return a - b <= DIFFERENCE_TIE * price;
}

/** The change from one price to the next; 0 where the two are a tie. */
export function changeOf(before: number, price: number): number {
  const change = price - before;
  return Math.abs(change) <= TIE * price ? 0 : change;
}

/** Significant digits that decide an order, counted from the first digit of the largest value. */
const ORDER_DIGITS = 12;

/**
 * The values of one session as they are put in order: as multiples of 10^(e - 11), e being the exponent of the largest of them, so
 * that rounding noise makes no order. NaN stays NaN.
 */
export function roundedForOrder(values: Float64Array): Float64Array {
  let largest = 0;
  for (let i = 0; i < values.length; i++) {
    const size = Math.abs(values[i]);
    if (size > largest) largest = size;
  }
  const out = new Float64Array(values.length);
  if (largest === 0) {
    for (let i = 0; i < out.length; i++) out[i] = values[i] * 0;
    return out;
  }
  // Text, because a logarithm can miss the exponent of a power of ten.
  const exponent = Number(largest.toExponential().split('e')[1]);
  const places = ORDER_DIGITS - 1 - exponent;
  const scale = 10 ** Math.abs(places);
  if (places >= 0) for (let i = 0; i < out.length; i++) out[i] = Math.round(values[i] * scale);
  else for (let i = 0; i < out.length; i++) out[i] = Math.round(values[i] / scale);
  return out;
}

/**
 * Indices of the defined values, the smallest first (`sign` 1) or the largest first (-1); equal ones in their order. `count`: only so
 * many of them, which takes a fifth of the time for a few of a market.
 */
export function orderOf(values: Float64Array, sign: 1 | -1, count = values.length): Int32Array {
  const signed = values.map((value) => sign * value);
  const sorted = signed.filter((value) => !Number.isNaN(value)).sort();
  const last = sorted[Math.min(count, sorted.length) - 1];
  const first: number[] = [];
  for (let index = 0; index < signed.length; index++) if (signed[index] <= last) first.push(index);
  return Int32Array.from(first)
    .sort((a, b) => signed[a] - signed[b] || a - b)
    .subarray(0, count);
}
