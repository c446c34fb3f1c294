/**
 * Conditions on columns as scans. A scan finds the next bar at which its condition holds, so that a run reads every bar once
 * and builds no column of signals. A condition at t depends on bars up to t. A comparison with an undefined figure is false,
 * and a tie is neither above nor below.
 */
import { isAbove, isAtLeast, isAtMost, isBelow, isDifferenceAbove, isDifferenceAtMost } from './ties.ts';

/** The first bar from `from` on, below `to`, at which the condition holds; `to` when it does not. */
export type Scan = (from: number, to: number) => number;

/**
 * A scan for a position that was filled at `entryPrice` (before slippage), from its first close at bar `from` on. Every plain
 * scan is one, too.
 */
export type HeldScan = (from: number, to: number, entryPrice: number) => number;

/** The later of two bars. The result of Math.max is a floating-point number for V8, which slows a scan that starts at it. */
function startOf(from: number, first: number): number {
  return from > first ? from : first;
}

/** a > b */
export function above(a: Float64Array, b: Float64Array): Scan {
  return (from, to) => {
    for (let t = from; t < to; t++) if (isAbove(a[t], b[t])) return t;
    return to;
  };
}

/** a ≥ b */
export function atLeast(a: Float64Array, b: Float64Array): Scan {
  return (from, to) => {
    for (let t = from; t < to; t++) if (isAtLeast(a[t], b[t])) return t;
    return to;
  };
}

/** a > level */
export function aboveLevel(a: Float64Array, level: number): Scan {
  return (from, to) => {
    for (let t = from; t < to; t++) if (isAbove(a[t], level)) return t;
    return to;
  };
}

/** a < level */
export function belowLevel(a: Float64Array, level: number): Scan {
  return (from, to) => {
    for (let t = from; t < to; t++) if (isBelow(a[t], level)) return t;
    return to;
  };
}

/** a > b at t, and a ≤ b at t-1 */
export function crossesAbove(a: Float64Array, b: Float64Array): Scan {
  return (from, to) => {
    for (let t = startOf(from, 1); t < to; t++) if (isAbove(a[t], b[t]) && isAtMost(a[t - 1], b[t - 1])) return t;
    return to;
  };
}

/** a > b, where both are differences of averages of a price */
export function differenceAbove(a: Float64Array, b: Float64Array, price: Float64Array): Scan {
  return (from, to) => {
    for (let t = from; t < to; t++) if (isDifferenceAbove(a[t], b[t], price[t])) return t;
    return to;
  };
}

/** a > b at t, and a ≤ b at t-1, where both are differences of averages of a price */
export function differenceCrossesAbove(a: Float64Array, b: Float64Array, price: Float64Array): Scan {
  const next = differenceAbove(a, b, price);
  return (from, to) => {
    for (let t = next(startOf(from, 1), to); t < to; t = next(t + 1, to)) {
      if (isDifferenceAtMost(a[t - 1], b[t - 1], price[t - 1])) return t;
    }
    return to;
  };
}

/** price > factor × its value `period` bars before */
export function aboveEarlier(price: Float64Array, period: number, factor: number): Scan {
  return (from, to) => {
    for (let t = startOf(from, period); t < to; t++) if (isAbove(price[t], price[t - period] * factor)) return t;
    return to;
  };
}

/** price < factor × its value `period` bars before */
export function belowEarlier(price: Float64Array, period: number, factor: number): Scan {
  return (from, to) => {
    for (let t = startOf(from, period); t < to; t++) if (isBelow(price[t], price[t - period] * factor)) return t;
    return to;
  };
}

/** price > middle + multiple × width */
export function aboveBand(price: Float64Array, middle: Float64Array, width: Float64Array, multiple: number): Scan {
  return (from, to) => {
    for (let t = from; t < to; t++) if (isAbove(price[t], middle[t] + multiple * width[t])) return t;
    return to;
  };
}

/** price < middle - multiple × width */
export function belowBand(price: Float64Array, middle: Float64Array, width: Float64Array, multiple: number): Scan {
  return (from, to) => {
    for (let t = from; t < to; t++) if (isBelow(price[t], middle[t] - multiple * width[t])) return t;
    return to;
  };
}

/** price > band at t, and price ≤ band at t-1 */
export function entersAboveBand(
  price: Float64Array,
  middle: Float64Array,
  width: Float64Array,
  multiple: number,
): Scan {
  const next = aboveBand(price, middle, width, multiple);
  return (from, to) => {
    for (let t = next(startOf(from, 1), to); t < to; t = next(t + 1, to)) {
      if (isAtMost(price[t - 1], middle[t - 1] + multiple * width[t - 1])) return t;
    }
    return to;
  };
}

/** A stop `multiple` × `range[t]` below the peak, which is the highest value of `source` since the fill. */
export interface TrailingStop {
  readonly source: Float64Array;
  readonly range: Float64Array;
  readonly multiple: number;
  /** Whether the stop never falls while a position is held. */
  readonly isRatchet: boolean;
}

/** price < a stop that follows the peak */
export function belowTrailingStop(price: Float64Array, stop: TrailingStop): HeldScan {
  const { source, range, multiple, isRatchet } = stop;
  return (from, to, entryPrice) => {
    let peak = entryPrice;
    let level = Number.NaN;
    for (let t = from; t < to; t++) {
      if (source[t] > peak) peak = source[t];
      const next = peak - multiple * range[t];
      // A ratchet only rises; an undefined range does not move it.
      if (!isRatchet || next > level || Number.isNaN(level)) level = next;
      if (isBelow(price[t], level)) return t;
    }
    return to;
  };
}

/** Both conditions: each scan jumps to the next bar of the other. */
export function both(a: Scan, b: Scan): Scan {
  return (from, to) => {
    for (let t = a(from, to); ; ) {
      const other = b(t, to);
      if (other === t) return t;
      t = a(other, to);
      if (t === other) return t;
    }
  };
}

export const always: Scan = (from, to) => Math.min(from, to);
