/**
 * Operations on whole columns. A figure at t depends on figures up to t only. NaN means undefined; a figure that is computed
 * from it, or is not finite, is undefined, too. Masks hold 1 where a condition is certainly true.
 */

import { isAbove, isAtMost, isDifferenceAbove, isDifferenceAtMost } from '../indicators/ties.ts';
import type { Column, Comparison } from './functions/function.ts';

type Mask = Uint8Array;

export function constantColumn(length: number, value: number): Column {
  return new Float64Array(length).fill(value);
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

/** True where a column is exactly a number. */
export function equalTo(a: Column, number: number): Mask {
  const out = new Uint8Array(a.length);
  for (let t = 0; t < a.length; t++) out[t] = Number(a[t] === number);
  return out;
}

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

/** The figures at some bars of a column; undefined where an index is below 0. */
export function takenAt(column: Column, at: Int32Array): Column {
  const out = new Float64Array(at.length);
  for (let t = 0; t < out.length; t++) out[t] = at[t] < 0 ? Number.NaN : column[at[t]];
  return out;
}

/** How many of the last n bars are true; undefined before index n-1. */
export function countOf(mask: Mask, n: number): Column {
  const out = new Float64Array(mask.length).fill(Number.NaN, 0, n - 1);
  let count = 0;
  for (let t = 0; t < mask.length; t++) {
    count += mask[t] - (t < n ? 0 : mask[t - n]);
    if (t >= n - 1) out[t] = count;
  }
  return out;
}

/** x where a condition is true, y where it is false. */
export function chosenOf(isTrue: Mask, isFalse: Mask, x: Column, y: Column): Column {
  const out = new Float64Array(x.length);
  for (let t = 0; t < out.length; t++) out[t] = isTrue[t] === 1 ? x[t] : isFalse[t] === 1 ? y[t] : Number.NaN;
  return out;
}

/** True at one of the last n bars, or of all bars where there are fewer. */
export function withinBarsOf(mask: Mask, n: number): Mask {
  const out = new Uint8Array(mask.length);
  let last = Number.NEGATIVE_INFINITY;
  for (let t = 0; t < mask.length; t++) {
    if (mask[t] === 1) last = t;
    out[t] = t - last < n ? 1 : 0;
  }
  return out;
}
