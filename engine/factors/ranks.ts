/** Ranks within a cross-section, doubled so that the mean of tied ones is a whole number. 0: not in it. */
import { roundedForOrder } from '../indicators/ties.ts';

export type Ranks = Uint16Array;

/** The largest cross-section whose doubled ranks fit. */
const MOST_RANKED = 32_767;

/** Of the defined values, from 2 for the smallest. `isRounded`: they are in steps that noise does not cross. */
export function ranksOf(values: Float64Array, isRounded = false): Ranks {
  const rounded = isRounded ? values : roundedForOrder(values);
  const sorted = rounded.filter((value) => !Number.isNaN(value)).sort();
  if (sorted.length > MOST_RANKED) throw new RangeError(`${sorted.length} values in one cross-section`);
  const ranks = new Uint16Array(values.length);
  for (let i = 0; i < values.length; i++) {
    const value = rounded[i];
    if (Number.isNaN(value)) continue;
    // As a number, because -0 is sorted before 0 and equal to it.
    const first = firstAtLeast(sorted, value);
    ranks[i] = first + 1 + lastAtMost(sorted, value, first);
  }
  return ranks;
}

function firstAtLeast(sorted: Float64Array, value: number): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (sorted[middle] < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** How many are at most the value. Ties are rare, so they are counted from the first. */
function lastAtMost(sorted: Float64Array, value: number, first: number): number {
  let end = first + 1;
  if (sorted[end] !== value) return end;
  let high = sorted.length;
  while (end < high) {
    const middle = (end + high) >>> 1;
    if (sorted[middle] <= value) end = middle + 1;
    else high = middle;
  }
  return end;
}

/** The ranks of some of a cross-section among themselves. `isIn`: 1 for those. */
export function ranksAmong(ranks: Ranks, isIn: Uint8Array): Ranks {
  let most = 0;
  for (let i = 0; i < ranks.length; i++) if (ranks[i] > most) most = ranks[i];
  const counts = new Uint16Array(most + 1);
  for (let i = 0; i < ranks.length; i++) if (isIn[i] === 1) counts[ranks[i]]++;
  counts[0] = 0;
  let before = 0;
  for (let rank = 1; rank <= most; rank++) {
    const count = counts[rank];
    if (count === 0) continue;
    counts[rank] = 2 * before + 1 + count;
    before += count;
  }
  const among = new Uint16Array(ranks.length);
  for (let i = 0; i < ranks.length; i++) if (isIn[i] === 1) among[i] = counts[ranks[i]];
  return among;
}

/** Pearson's correlation of the ranks of those in both; NaN for fewer than two, and where a side is constant. */
export function rankCorrelation(a: Ranks, b: Ranks): number {
  let [count, sumA, sumB, squaresA, squaresB, products] = [0, 0, 0, 0, 0, 0];
  for (let i = 0; i < a.length; i++) {
    const [x, y] = [a[i], b[i]];
    if (x === 0 || y === 0) continue;
    count++;
    sumA += x;
    sumB += y;
    squaresA += x * x;
    squaresB += y * y;
    products += x * y;
  }
  const variance = (squares: number, sum: number) => squares - (sum / count) * sum;
  const [varianceA, varianceB] = [variance(squaresA, sumA), variance(squaresB, sumB)];
  // Doubled ranks that differ at all differ by one, which is far above the rounding of whole numbers.
  if (count < 2 || varianceA < 0.25 || varianceB < 0.25) return Number.NaN;
  return (products - (sumA / count) * sumB) / Math.sqrt(varianceA * varianceB);
}

/** The quantile of a rank among `count`, from 1; `count` is at least the number of quantiles. */
export function quantileOf(rank: number, count: number, quantiles: number): number {
  return Math.max(1, Math.ceil(((rank - 2) * quantiles) / (2 * (count - 1))));
}
