/**
 * Reproducible draws: xoshiro256** (Blackman & Vigna 2021), its state filled by SplitMix64, and the stationary bootstrap
 * (Politis & Romano 1994) on top of it. Equal seeds give equal draws on every machine.
 */
import { endPart } from '../util/parts.ts';

/** 64-bit words of the generator's state. */
const WORDS = 4;
const MASK = 0xffff_ffff_ffff_ffffn;
/** Draws per batch, within which the state stays in registers. */
const BATCH = 1024;

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

/** The upper 32 bits of the product of 32 bits and a small factor. */
function carryOf(low: number, factor: number): number {
  return ((low >>> 16) * factor + (((low & 0xffff) * factor) >>> 16)) >>> 16;
}

/**
 * Fills `out` with the next outputs of xoshiro256** as figures in [0, 1) and leaves `state` behind them. `state` holds s0
 * high, s0 low, s1 high, and so on: a `bigint` per draw would take fifty times as long.
 */
function fillUniform(state: Int32Array, out: Float64Array): void {
  let [h0, l0, h1, l1, h2, l2, h3, l3] = state;
  for (let i = 0; i < out.length; i++) {
    // rotl(s1 × 5, 7) × 9
    const l5 = Math.imul(l1, 5);
    const h5 = (Math.imul(h1, 5) + carryOf(l1, 5)) | 0;
    const hr = (h5 << 7) | (l5 >>> 25);
    const lr = (l5 << 7) | (h5 >>> 25);
    const low = Math.imul(lr, 9);
    const high = (Math.imul(hr, 9) + carryOf(lr, 9)) | 0;
    // The upper 53 bits.
    out[i] = (high >>> 0) * 2 ** -32 + (low >>> 11) * 2 ** -53;
    const ht = (h1 << 17) | (l1 >>> 15);
    const lt = l1 << 17;
    h2 ^= h0;
    l2 ^= l0;
    h3 ^= h1;
    l3 ^= l1;
    h1 ^= h2;
    l1 ^= l2;
    h0 ^= h3;
    l0 ^= l3;
    h2 ^= ht;
    l2 ^= lt;
    // rotl(s3, 45)
    const turned = (l3 << 13) | (h3 >>> 19);
    l3 = (h3 << 13) | (l3 >>> 19);
    h3 = turned;
  }
  state.set([h0, l0, h1, l1, h2, l2, h3, l3]);
}

/** The generator as a stream of figures in [0, 1). */
export class UniformDraws {
  private readonly state: Int32Array;
  private readonly batch = new Float64Array(BATCH);
  private at = BATCH;

  /** `words`: the four words of the state. */
  constructor(words: readonly bigint[]) {
    this.state = Int32Array.from(words.flatMap((word) => [Number(word >> 32n) | 0, Number(word & 0xffff_ffffn) | 0]));
  }

  /** `seed`: 16 hex digits. */
  static fromSeed(seed: string): UniformDraws {
    return new UniformDraws(splitMix64(BigInt(`0x${seed}`), WORDS));
  }

  next(): number {
    if (this.at === BATCH) {
      endPart();
      fillUniform(this.state, this.batch);
      this.at = 0;
    }
    return this.batch[this.at++];
  }
}

/**
 * Writes the indices of the next resample of `indices.length` observations: blocks of geometric length, `blockLength`
 * on average, laid end to end; a block that passes the last observation continues at the first.
 */
export function drawResample(draws: UniformDraws, blockLength: number, indices: Int32Array): void {
  const count = indices.length;
  /** The probability that a block continues. */
  const more = 1 - 1 / blockLength;
  // Above `single` a block has one observation for certain, between the other two it has two: without the cost of a logarithm.
  const single = more * (1 + 1e-9);
  const [fewerThanThree, moreThanOne] = [more * more * (1 + 1e-9), more * (1 - 1e-9)];
  const logMore = Math.log(more);
  let filled = 0;
  while (filled < count) {
    let index = Math.floor(draws.next() * count);
    // Two draws a block, even where its length is known.
    const rest = 1 - draws.next();
    indices[filled++] = index;
    if (rest > single) continue;
    const isDouble = rest > fewerThanThree && rest < moreThanOne;
    const end = Math.min(count, filled + (isDouble ? 1 : Math.floor(Math.log(rest) / logMore)));
    while (filled < end) {
      if (++index === count) index = 0;
      indices[filled++] = index;
    }
  }
}

const DIGITS = 12;
/** Figures that are at most this are 0. */
const NOISE = 1e-12;

/** A figure as it is compared with its resampled ones: equal sums stay equal in whatever order they were added. */
export function comparable(figure: number): number {
  return Math.abs(figure) <= NOISE ? 0 : Number(figure.toPrecision(DIGITS));
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
  if (spectrum === 0) return 1;
  const length = Math.cbrt((weighted * weighted * count) / (spectrum * spectrum));
  return Math.max(1, Math.min(length, Math.ceil(Math.min(3 * Math.sqrt(count), count / 3))));
}
