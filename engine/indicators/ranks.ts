/** Ranks within a cross-section, doubled so that the mean of tied ones is a whole number. 0: not in it. */
import { sumOfProducts } from '../util/values.ts';
import { roundedForOrder } from './ties.ts';

/** The wide kind where doubled ranks do not fit into 16 bits. */
export type Ranks = Uint16Array | Uint32Array;

/** The largest cross-section whose doubled ranks fit. */
const MOST_NARROW = 32_767;

/** Ranks of the defined values, from 2 for the smallest. */
export function ranksOf(values: Float64Array): Ranks {
  return ranksOfSteps(roundedForOrder(values));
}

const DIGIT_BITS = 11;
const DIGITS = 1 << DIGIT_BITS;
/** Bits of the lower half of a key: two digits. */
const HALF = 1 << (2 * DIGIT_BITS);

/** Ranks of whole numbers below 2^53 in size, NaN where undefined. Sorted by digits: a fifth of the time of comparisons for a market. */
export function ranksOfSteps(steps: Float64Array): Ranks {
  let count = 0;
  let least = Number.POSITIVE_INFINITY;
  let most = Number.NEGATIVE_INFINITY;
  for (let i = 0; i < steps.length; i++) {
    const step = steps[i];
    if (Number.isNaN(step)) continue;
    count++;
    if (step < least) least = step;
    if (step > most) most = step;
  }
  const Indices = steps.length > MOST_NARROW ? Uint32Array : Uint16Array;
  let order: Ranks = new Indices(count);
  let next: Ranks = new Indices(count);
  const high = new Int32Array(steps.length);
  const low = new Int32Array(steps.length);
  for (let i = 0, k = 0; i < steps.length; i++) {
    if (Number.isNaN(steps[i])) continue;
    const key = steps[i] - least;
    // Exact, because it divides by a power of two.
    high[i] = Math.floor(key * (1 / HALF));
    low[i] = key - high[i] * HALF;
    order[k++] = i;
  }
  const starts = new Int32Array(DIGITS);
  for (let bits = 0; 2 ** bits <= most - least; bits += DIGIT_BITS) {
    const [half, shift] = bits < 2 * DIGIT_BITS ? [low, bits] : [high, bits - 2 * DIGIT_BITS];
    starts.fill(0);
    for (let k = 0; k < count; k++) starts[(half[order[k]] >> shift) & (DIGITS - 1)]++;
    for (let digit = 0, start = 0; digit < DIGITS; digit++) {
      const size = starts[digit];
      starts[digit] = start;
      start += size;
    }
    for (let k = 0; k < count; k++) {
      const i = order[k];
      next[starts[(half[i] >> shift) & (DIGITS - 1)]++] = i;
    }
    [order, next] = [next, order];
  }
  return tiedRanks(steps, order);
}

function tiedRanks(steps: Float64Array, order: Ranks): Ranks {
  const ranks = new (steps.length > MOST_NARROW ? Uint32Array : Uint16Array)(steps.length);
  for (let from = 0, to = 1; from < order.length; from = to++) {
    while (to < order.length && steps[order[to]] === steps[order[from]]) to++;
    for (let k = from; k < to; k++) ranks[order[k]] = from + 1 + to;
  }
  return ranks;
}

/** How many are in the cross-section. */
export function countRanked(ranks: Ranks): number {
  let count = 0;
  for (let i = 0; i < ranks.length; i++) if (ranks[i] > 0) count++;
  return count;
}

/** The ranks of some of a cross-section among themselves. `isIn`: 1 for those. */
export function ranksAmong(ranks: Ranks, isIn: Uint8Array): Ranks {
  let most = 0;
  for (let i = 0; i < ranks.length; i++) if (ranks[i] > most) most = ranks[i];
  const counts = new Uint32Array(most + 1);
  for (let i = 0; i < ranks.length; i++) if (isIn[i] === 1) counts[ranks[i]]++;
  counts[0] = 0;
  let before = 0;
  for (let rank = 1; rank <= most; rank++) {
    const count = counts[rank];
    if (count === 0) continue;
    counts[rank] = 2 * before + 1 + count;
    before += count;
  }
  const among = ranks.slice().fill(0);
  for (let i = 0; i < ranks.length; i++) if (isIn[i] === 1) among[i] = counts[ranks[i]];
  return among;
}

/** Pearson's correlation of the ranks of those in both; NaN for fewer than two, and where a side is constant. */
export function rankCorrelation(a: Ranks, b: Ranks): number {
  let count = 0;
  let sumA = 0;
  let sumB = 0;
  let squaresA = 0;
  let squaresB = 0;
  let products = 0;
  for (let i = 0; i < a.length; i++) {
    const x = a[i];
    const y = b[i];
    if (x === 0 || y === 0) continue;
    count++;
    sumA += x;
    sumB += y;
    squaresA += x * x;
    squaresB += y * y;
    products += x * y;
  }
  return correlationOfSums(count, products, { sum: sumA, squares: squaresA }, { sum: sumB, squares: squaresB });
}

const WORD_BITS = 32;

interface Sums {
  readonly sum: number;
  readonly squares: number;
}

function correlationOfSums(count: number, products: number, a: Sums, b: Sums): number {
  const varianceA = a.squares - (a.sum / count) * a.sum;
  const varianceB = b.squares - (b.sum / count) * b.sum;
  // Doubled ranks that differ at all differ by one, which is far above the rounding of whole numbers.
  if (count < 2 || varianceA < 0.25 || varianceB < 0.25) return Number.NaN;
  return (products - (a.sum / count) * b.sum) / Math.sqrt(varianceA * varianceB);
}

/** One of many cross-sections that are correlated with each other: few names are in one and not in another. */
export class RankedNames {
  /** 0 for those that are not in it. */
  private readonly figures: Float64Array;
  /** A bit for each name that is in it. */
  private readonly names: Int32Array;
  private readonly count: number;
  private readonly sums: Sums;

  constructor(ranks: Ranks) {
    this.figures = new Float64Array(ranks);
    this.names = new Int32Array(Math.ceil(ranks.length / WORD_BITS));
    let count = 0;
    let sum = 0;
    for (let i = 0; i < ranks.length; i++) {
      if (ranks[i] === 0) continue;
      this.names[Math.floor(i / WORD_BITS)] |= 1 << (i % WORD_BITS);
      count++;
      sum += ranks[i];
    }
    this.count = count;
    this.sums = { sum, squares: sumOfProducts(this.figures, this.figures) };
  }

  /** As `rankCorrelation`. */
  correlation(other: RankedNames): number {
    if (this.count < 2 || other.count < 2) return Number.NaN;
    const [own, others] = [this.among(other), other.among(this)];
    return correlationOfSums(own.count, sumOfProducts(this.figures, other.figures), own.sums, others.sums);
  }

  /** Less the names that are not in another. */
  private among({ names }: RankedNames): { readonly count: number; readonly sums: Sums } {
    let count = this.count;
    let { sum, squares } = this.sums;
    for (let word = 0; word < names.length; word++) {
      for (let bits = this.names[word] & ~names[word]; bits !== 0; bits &= bits - 1) {
        const rank = this.figures[word * WORD_BITS + (WORD_BITS - 1 - Math.clz32(bits & -bits))];
        count--;
        sum -= rank;
        squares -= rank * rank;
      }
    }
    return { count, sums: { sum, squares } };
  }
}

/** The quantile of a rank among `count`, from 1; `count` is at least the number of quantiles. */
export function quantileOf(rank: number, count: number, quantiles: number): number {
  return Math.max(1, Math.ceil(((rank - 2) * quantiles) / (2 * (count - 1))));
}
