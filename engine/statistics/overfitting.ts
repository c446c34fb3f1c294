/**
 * The probability that a search found noise, by combinatorially symmetric cross-validation (Bailey, Borwein, López de Prado
 * & Zhu 2017): how often the best of one half of the time is below the middle in the other half.
 */
import { sharpeOfSums } from './moments.ts';

const BLOCKS = 16;
const HALF = BLOCKS / 2;
/** Ways to choose half of the blocks: 16 choose 8. */
const CHOICES = 12_870;
const MIN_COLUMNS = 10;
const MIN_RETURNS = 320;
const BINS = 20;
/** Sharpe ratios are compared in these steps. */
const STEPS = 1e12;

/** How the best of one half ranked in the other: logits of the relative rank, in equal bins from -ln N to ln N. */
export interface Overfitting {
  /** Share of the choices in which the best of one half was not above the middle of the other. */
  readonly pbo: number;
  /** The largest logit, ln N; the least is its negative. */
  readonly bound: number;
  /** Choices per bin; a bin has its upper end, the first one its lower end too. */
  readonly counts: readonly number[];
  /** Slope of least squares of the out-of-sample Sharpe ratio of the chosen combination on its in-sample one; null without spread. */
  readonly slope: number | null;
}

/** The blocks of each choice that has block 0, as bits; with their complements they are all choices. */
function choicesWithFirstBlock(): number[] {
  const found: number[] = [];
  for (let bits = 1; bits < 1 << BLOCKS; bits += 2) {
    let ones = 0;
    for (let rest = bits; rest > 0; rest &= rest - 1) ones++;
    if (ones === HALF) found.push(bits);
  }
  return found;
}

/** Sums and sums of squares of the returns of each column (`[block × columns + column]`), the oldest T mod 16 left out. */
function blockSums(columns: readonly Float64Array[]) {
  const count = columns.length;
  const size = Math.floor(columns[0].length / BLOCKS);
  const sums = new Float64Array(BLOCKS * count);
  const squares = new Float64Array(BLOCKS * count);
  columns.forEach((returns, k) => {
    for (let i = 0, t = returns.length - size * BLOCKS; t < returns.length; i++, t++) {
      const at = Math.floor(i / size) * count + k;
      sums[at] += returns[t];
      squares[at] += returns[t] * returns[t];
    }
  });
  return { size, sums, squares };
}

type BlockSums = ReturnType<typeof blockSums>;

/** The Sharpe ratio of every column over the blocks of `bits`, into `out`. */
function sharpesOver({ size, sums, squares }: BlockSums, bits: number, out: Float64Array): void {
  const count = out.length;
  const starts: number[] = [];
  for (let block = 0; block < BLOCKS; block++) if ((bits & (1 << block)) !== 0) starts.push(block * count);
  const [a, b, c, d, e, f, g, h] = starts;
  const sample = size * HALF;
  for (let k = 0; k < count; k++) {
    const sum =
      sums[a + k] + sums[b + k] + sums[c + k] + sums[d + k] + sums[e + k] + sums[f + k] + sums[g + k] + sums[h + k];
    const square =
      squares[a + k] +
      squares[b + k] +
      squares[c + k] +
      squares[d + k] +
      squares[e + k] +
      squares[f + k] +
      squares[g + k] +
      squares[h + k];
    out[k] = sharpeOfSums(sample, sum, square);
  }
}

/** The first of the largest figures. */
function bestIndex(figures: Float64Array): number {
  let best = 0;
  let most = Math.round(figures[0] * STEPS);
  for (let k = 1; k < figures.length; k++) {
    const figure = Math.round(figures[k] * STEPS);
    if (figure > most) {
      most = figure;
      best = k;
    }
  }
  return best;
}

/** Twice the rank of a column, 2 for the lowest; ties have their average rank. */
function doubledRank(figures: Float64Array, column: number): number {
  const own = Math.round(figures[column] * STEPS);
  let below = 0;
  let equal = 0;
  for (let k = 0; k < figures.length; k++) {
    const figure = Math.round(figures[k] * STEPS);
    if (figure < own) below++;
    else if (figure === own) equal++;
  }
  return 2 * below + equal + 1;
}

/** The bin of each doubled rank, or of none below 2. */
function binsOfRanks(columns: number): Uint8Array {
  const bins = new Uint8Array(2 * columns + 1);
  const bound = Math.log(columns);
  for (let doubled = 2; doubled <= 2 * columns; doubled++) {
    const logit = Math.log(doubled / (2 * (columns + 1) - doubled));
    // An edge belongs to the bin below it, whatever rounding makes of the quotient.
    const place = Math.ceil(((logit + bound) / (2 * bound)) * BINS - 1e-9);
    bins[doubled] = Math.min(BINS, Math.max(1, place)) - 1;
  }
  return bins;
}

/** Least squares over points that are added one by one. */
class Regression {
  private count = 0;
  private meanX = 0;
  private meanY = 0;
  private spread = 0;
  private product = 0;

  add(x: number, y: number): void {
    this.count++;
    const dx = x - this.meanX;
    this.meanX += dx / this.count;
    this.meanY += (y - this.meanY) / this.count;
    this.spread += dx * (x - this.meanX);
    this.product += dx * (y - this.meanY);
  }

  get slope(): number | null {
    return this.spread > 0 ? this.product / this.spread : null;
  }
}

/** `columns`: returns per bar of each combination, all of one length. Null for too few of either. */
export function overfittingOf(columns: readonly Float64Array[]): Overfitting | null {
  const count = columns.length;
  if (count < MIN_COLUMNS || columns[0].length < MIN_RETURNS) return null;
  const blocks = blockSums(columns);
  const bins = binsOfRanks(count);
  const counts = new Array<number>(BINS).fill(0);
  const regression = new Regression();
  let overfitted = 0;
  const judge = (inside: Float64Array, outside: Float64Array) => {
    const best = bestIndex(inside);
    const doubled = doubledRank(outside, best);
    if (doubled <= count + 1) overfitted++;
    counts[bins[doubled]]++;
    regression.add(inside[best], outside[best]);
  };
  const [one, other] = [new Float64Array(count), new Float64Array(count)];
  const all = (1 << BLOCKS) - 1;
  // A choice and its complement are one pair of halves, each being once in the sample and once out of it.
  for (const bits of choicesWithFirstBlock()) {
    sharpesOver(blocks, bits, one);
    sharpesOver(blocks, all ^ bits, other);
    judge(one, other);
    judge(other, one);
  }
  return { pbo: overfitted / CHOICES, bound: Math.log(count), counts, slope: regression.slope };
}
