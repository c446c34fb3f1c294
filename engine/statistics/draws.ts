/**
 * Reproducible draws: xoshiro256** (Blackman & Vigna 2021), its state filled by SplitMix64, and the stationary bootstrap
 * (Politis & Romano 1994) on top of it. Equal seeds give equal draws on every machine.
 */
import { endPart } from '../util/parts.ts';
import { BATCH, drawFigures, PARTS, type Resampler, WORDS } from './resampler.ts';

const MASK = 0xffff_ffff_ffff_ffffn;

/** The first `count` outputs of SplitMix64 started at `seed`. */
export function splitMix64(seed: bigint, count: number): bigint[] {
  let state = seed & MASK;
  return Array.from({ length: count }, () => {
    state = (state + 0x9e37_79b9_7f4a_7c15n) & MASK;
    let mixed = ((state ^ (state >> 30n)) * 0xbf58_476d_1ce4_e5b9n) & MASK;
    mixed = ((mixed ^ (mixed >> 27n)) * 0x94d0_49bb_1331_11ebn) & MASK;
    return mixed ^ (mixed >> 31n);
  });
}

/** The generator as a stream of figures in [0, 1). */
export class UniformDraws {
  /** The next figure is `batch[at]`; behind the last one there is a new batch. */
  private readonly batch = new Float64Array(BATCH);
  private at = BATCH;
  /** The states behind the batch and before it. */
  private readonly state: BigUint64Array;
  private readonly before = new BigUint64Array(WORDS);
  private lengths: GeometricLengths | null = null;

  /** `words`: the four words of the state. */
  constructor(words: readonly bigint[]) {
    this.state = BigUint64Array.from(words);
  }

  /** `seed`: 16 hex digits. */
  static fromSeed(seed: string): UniformDraws {
    return new UniformDraws(splitMix64(BigInt(`0x${seed}`), WORDS));
  }

  next(): number {
    if (this.at === BATCH) {
      endPart();
      this.before.set(this.state);
      drawFigures(this.state, this.batch);
      this.at = 0;
    }
    return this.batch[this.at++];
  }

  /** Draws the next stationary resample: blocks of geometric length, `meanLength` on average, laid end to end. */
  drawBlocks(meanLength: number, resampler: Resampler): void {
    endPart();
    if (this.at < BATCH) {
      // The rest of the batch is drawn again.
      this.state.set(this.before);
      drawFigures(this.state, this.batch, this.at);
      this.at = BATCH;
    }
    resampler.draw(this.state, this.lengthsOf(meanLength));
  }

  /** Draws stationary blocks of `bars` rows, laid end to end until there are `rows`, the last one cut. A block may go on at row 0. */
  drawRows(meanLength: number, bars: number, rows: number, take: (start: number, length: number) => void): void {
    const lengths = this.lengthsOf(meanLength);
    for (let left = rows; left > 0; ) {
      const start = Math.floor(this.next() * bars);
      const length = Math.min(left, lengths.lengthAt(this.next()));
      take(start, length);
      left -= length;
    }
  }

  private lengthsOf(mean: number): GeometricLengths {
    if (this.lengths?.mean !== mean) this.lengths = new GeometricLengths(mean);
    return this.lengths;
  }
}

/** So near to a draw at which the length changes, relatively, the logarithm decides. */
const NEAR = 1e-12;

/** The lengths of blocks, 1 + floor(ln(1 - u)/ln(1 - 1/mean)) for a draw u. */
class GeometricLengths {
  readonly mean: number;
  readonly ofPart = new Int32Array(PARTS);
  private readonly logMore: number;

  constructor(mean: number) {
    this.mean = mean;
    this.logMore = Math.log(1 - 1 / mean);
    for (let part = 0; part < PARTS; part++) {
      const shortest = this.lengthOf((1 - part / PARTS) * (1 + NEAR));
      const longest = this.lengthOf((1 - (part + 1) / PARTS) * (1 - NEAR));
      if (shortest === longest) this.ofPart[part] = shortest;
    }
  }

  lengthAt(u: number): number {
    return this.lengthOf(1 - u);
  }

  private lengthOf(rest: number): number {
    return Math.max(1, 1 + Math.floor(Math.log(rest) / this.logMore));
  }
}

const DIGITS = 12;
/** Figures that are at most this are 0. */
const NOISE = 1e-12;

const comparable = (figure: number) => (Math.abs(figure) <= NOISE ? 0 : Number(figure.toPrecision(DIGITS)));

/**
 * Below 0, 0, or above 0 as a figure is below, equal to, or above another one, each to 12 digits: sums stay equal in whatever order
 * they were added.
 */
export function compareFigures(a: number, b: number): number {
  const difference = a - b;
  // Only figures that are almost equal are written to their digits, which takes long.
  const isClear = Math.abs(difference) > 100 * NOISE * (1 + Math.max(Math.abs(a), Math.abs(b)));
  return isClear ? difference : comparable(a) - comparable(b);
}

/** `lags` + 1 autocovariances (÷ T) of a series, lag 0 first. */
function autocovariances(series: Float64Array, lags: number): Float64Array {
  const count = series.length;
  let sum = 0;
  for (let t = 0; t < count; t++) sum += series[t];
  const mean = sum / count;
  const errors = series.map((value) => value - mean);
  const covariances = new Float64Array(lags + 1);
  for (let k = 0; k <= lags; k++) {
    let products = 0;
    for (let t = 0; t + k < count; t++) products += errors[t] * errors[t + k];
    covariances[k] = products / count;
  }
  return covariances;
}

/** The first lag from which on `run` autocorrelations lie within `bound`; null: there is none. */
function firstQuietLag(covariances: Float64Array, run: number, last: number, bound: number): number | null {
  let quiet = 0;
  for (let k = 1; k < covariances.length; k++) {
    quiet = Math.abs(covariances[k] / covariances[0]) < bound ? quiet + 1 : 0;
    if (quiet === run) return k - run + 1 <= last ? k - run + 1 : null;
  }
  return null;
}

/** The mean block length of the stationary bootstrap, bars, at least 1 (Politis & White 2004; Patton, Politis & White 2009). */
export function meanBlockLength(series: Float64Array): number {
  const count = series.length;
  const run = Math.max(5, Math.floor(Math.log10(count)));
  const longest = Math.ceil(Math.sqrt(count)) + run;
  const covariances = autocovariances(series, longest);
  if (covariances[0] === 0) return 1;
  const bound = 2 * Math.sqrt(Math.log10(count) / count);
  const quiet = firstQuietLag(covariances, run, longest - run, bound);
  const bandwidth = quiet === null ? longest : Math.min(2 * quiet, longest);
  let weighted = 0;
  let spectrum = covariances[0];
  for (let k = 1; k <= bandwidth; k++) {
    const weight = k / bandwidth <= 0.5 ? 1 : 2 * (1 - k / bandwidth);
    weighted += 2 * weight * k * covariances[k];
    spectrum += 2 * weight * covariances[k];
  }
  const length = Math.cbrt((weighted * weighted * count) / (spectrum * spectrum));
  // Without variance at frequency 0, or where sums of returns overflow, no length is better than another.
  if (spectrum === 0 || Number.isNaN(length)) return 1;
  return Math.max(1, Math.min(length, Math.ceil(Math.min(3 * Math.sqrt(count), count / 3))));
}
