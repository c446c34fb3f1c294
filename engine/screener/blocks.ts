/**
 * Highest highs, lowest lows, and sums of closes of blocks of bars, so that a figure over hundreds of bars reads tens of
 * numbers. The blocks divide the shared columns of a snapshot; a window reads those that lie inside it, and the bars at
 * its ends one by one.
 */
import { type BlockSums, blockSums } from '../indicators/window-sums.ts';
import type { BarSeries } from '../market/series.ts';

/** Bars of a block. */
const BLOCK_BARS = 16;

export interface Blocks {
  readonly highest: Float64Array;
  readonly lowest: Float64Array;
  readonly closes: BlockSums;
}

/** The whole blocks of columns of any length; bars after the last one are in none. */
export function blocksOf({ high, low, close }: BarSeries): Blocks {
  return {
    highest: blockExtremes(high, highestIn),
    lowest: blockExtremes(low, lowestIn),
    closes: blockSums(close, BLOCK_BARS),
  };
}

/** The best of the values `from` (included) to `to` (excluded), and of `best`. */
type Extreme = (values: Float64Array, from: number, to: number, best: number) => number;

export const highestIn: Extreme = (values, from, to, best) => {
  let value = best;
  for (let t = from; t < to; t++) if (values[t] > value) value = values[t];
  return value;
};

export const lowestIn: Extreme = (values, from, to, best) => {
  let value = best;
  for (let t = from; t < to; t++) if (values[t] < value) value = values[t];
  return value;
};

function blockExtremes(values: Float64Array, extremeIn: Extreme): Float64Array {
  const out = new Float64Array(Math.floor(values.length / BLOCK_BARS));
  for (let k = 0; k < out.length; k++) {
    const from = k * BLOCK_BARS;
    out[k] = extremeIn(values, from + 1, from + BLOCK_BARS, values[from]);
  }
  return out;
}

/** The extreme of the values `from` (included) to `to` (excluded), at least one; `blocks`: extremes of blocks, if there are any. */
export function extremeBetween(
  extremeIn: Extreme,
  values: Float64Array,
  blocks: Float64Array | undefined,
  from: number,
  to: number,
): number {
  const first = Math.ceil(from / BLOCK_BARS);
  const end = Math.floor(to / BLOCK_BARS);
  if (blocks === undefined || first >= end) return extremeIn(values, from, to, values[from]);
  const before = extremeIn(values, from, first * BLOCK_BARS, values[from]);
  return extremeIn(values, end * BLOCK_BARS, to, extremeIn(blocks, first, end, before));
}
