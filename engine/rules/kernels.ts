/**
 * Operations on whole columns. A figure at t depends on figures up to t only; NaN is undefined and makes what is computed of
 * it undefined, and so is what has no finite result. Masks hold 1 where a condition is certainly true.
 */

import { isAbove, isAtMost, isDifferenceAbove, isDifferenceAtMost } from '../indicators/ties.ts';
import { slidingMeans, slidingSignedMeans, slidingStdevs } from '../indicators/window-sums.ts';
import type { Binary, Comparison, Unary, WindowFunction } from './program.ts';

type Column = Float64Array;
type Mask = Uint8Array;

export function constantColumn(length: number, value: number): Column {
  return new Float64Array(length).fill(value);
}

export const UNARY_KERNELS: Readonly<Record<Unary, (a: Column) => Column>> = {
  neg: (a) => {
    const out = new Float64Array(a.length);
    for (let t = 0; t < a.length; t++) out[t] = -a[t];
    return out;
  },
  abs: (a) => {
    const out = new Float64Array(a.length);
    for (let t = 0; t < a.length; t++) out[t] = Math.abs(a[t]);
    return out;
  },
};

export const BINARY_KERNELS: Readonly<Record<Binary, (a: Column, b: Column) => Column>> = {
  '+': (a, b) => {
    const out = new Float64Array(a.length);
    for (let t = 0; t < a.length; t++) out[t] = a[t] + b[t];
    return out;
  },
  '-': (a, b) => {
    const out = new Float64Array(a.length);
    for (let t = 0; t < a.length; t++) out[t] = a[t] - b[t];
    return out;
  },
  '*': (a, b) => {
    const out = new Float64Array(a.length);
    for (let t = 0; t < a.length; t++) out[t] = bounded(a[t] * b[t]);
    return out;
  },
  '/': (a, b) => {
    const out = new Float64Array(a.length);
    for (let t = 0; t < a.length; t++) out[t] = bounded(a[t] / b[t]);
    return out;
  },
  min: (a, b) => {
    const out = new Float64Array(a.length);
    for (let t = 0; t < a.length; t++) out[t] = Math.min(a[t], b[t]);
    return out;
  },
  max: (a, b) => {
    const out = new Float64Array(a.length);
    for (let t = 0; t < a.length; t++) out[t] = Math.max(a[t], b[t]);
    return out;
  },
};

/** Limit of products, so that no sum of products is infinite. */
const MAX_VALUE = 1e300;

/** Treats infinite values, and values above the limit, as undefined. */
function bounded(value: number): number {
  return value <= MAX_VALUE && value >= -MAX_VALUE ? value : Number.NaN;
}

export const WINDOW_KERNELS: Readonly<Record<WindowFunction, (a: Column, n: number) => Column>> = {
  lag: (a, n) => {
    const out = new Float64Array(a.length).fill(Number.NaN, 0, n);
    if (n < a.length) out.set(a.subarray(0, a.length - n), n);
    return out;
  },
  sma_of: (a, n) =>
    overDefined(a, n, (values) => (values.every(isPositive) ? slidingMeans : slidingSignedMeans)(values, n)),
  stdev_of: (a, n) => overDefined(a, n, (values) => slidingStdevs(values, n)),
  highest_of: (a, n) => overDefined(a, n, (values) => slidingExtremes(values, n, 1)),
  lowest_of: (a, n) => overDefined(a, n, (values) => slidingExtremes(values, n, -1)),
};

const isPositive = (value: number) => value >= 0;

/** A window function over each stretch of defined values: a window with a gap has no figure. */
function overDefined(a: Column, n: number, compute: (values: Column) => Column): Column {
  const out = new Float64Array(a.length).fill(Number.NaN);
  for (let from = 0; from < a.length; ) {
    if (Number.isNaN(a[from])) {
      from++;
      continue;
    }
    let to = from + 1;
    while (to < a.length && !Number.isNaN(a[to])) to++;
    if (to - from >= n) out.set(compute(a.subarray(from, to)), from);
    from = to;
  }
  return out;
}

/** Highest (sign 1) or lowest (sign -1) of the last n values, from index n-1 on. A queue of the candidates, best first. */
function slidingExtremes(values: Column, n: number, sign: 1 | -1): Column {
  const out = new Float64Array(values.length).fill(Number.NaN, 0, n - 1);
  const queue = new Int32Array(values.length);
  let head = 0;
  let tail = 0;
  for (let t = 0; t < values.length; t++) {
    const value = sign * values[t];
    while (head < tail && sign * values[queue[tail - 1]] <= value) tail--;
    queue[tail++] = t;
    if (queue[head] <= t - n) head++;
    if (t >= n - 1) out[t] = values[queue[head]];
  }
  return out;
}

export const COMPARISON_KERNELS: Readonly<Record<Comparison, (a: Column, b: Column) => Mask>> = {
  above: (a, b) => {
    const out = new Uint8Array(a.length);
    for (let t = 0; t < a.length; t++) out[t] = isAbove(a[t], b[t]) ? 1 : 0;
    return out;
  },
  atMost: (a, b) => {
    const out = new Uint8Array(a.length);
    for (let t = 0; t < a.length; t++) out[t] = isAtMost(a[t], b[t]) ? 1 : 0;
    return out;
  },
};

/** For differences of averages of a price. */
export const DIFFERENCE_KERNELS: Readonly<Record<Comparison, (a: Column, b: Column, price: Column) => Mask>> = {
  above: (a, b, price) => {
    const out = new Uint8Array(a.length);
    for (let t = 0; t < a.length; t++) out[t] = isDifferenceAbove(a[t], b[t], price[t]) ? 1 : 0;
    return out;
  },
  atMost: (a, b, price) => {
    const out = new Uint8Array(a.length);
    for (let t = 0; t < a.length; t++) out[t] = isDifferenceAtMost(a[t], b[t], price[t]) ? 1 : 0;
    return out;
  },
};

export function allOf(masks: readonly Mask[]): Mask {
  const out = masks[0].slice();
  for (const mask of masks.slice(1)) for (let t = 0; t < out.length; t++) out[t] &= mask[t];
  return out;
}

export function anyOf(masks: readonly Mask[]): Mask {
  const out = masks[0].slice();
  for (const mask of masks.slice(1)) for (let t = 0; t < out.length; t++) out[t] |= mask[t];
  return out;
}

export function beforeOf(mask: Mask): Mask {
  const out = new Uint8Array(mask.length);
  if (mask.length > 1) out.set(mask.subarray(0, -1), 1);
  return out;
}

/** True at each of the last n bars, from index n-1 on. */
export function forBarsOf(mask: Mask, n: number): Mask {
  const out = new Uint8Array(mask.length);
  let run = 0;
  for (let t = 0; t < mask.length; t++) {
    run = mask[t] === 1 ? run + 1 : 0;
    out[t] = run >= n ? 1 : 0;
  }
  return out;
}

/** True at one of the last n bars, as many of them as there are. */
export function withinBarsOf(mask: Mask, n: number): Mask {
  const out = new Uint8Array(mask.length);
  let last = Number.NEGATIVE_INFINITY;
  for (let t = 0; t < mask.length; t++) {
    if (mask[t] === 1) last = t;
    out[t] = t - last < n ? 1 : 0;
  }
  return out;
}
