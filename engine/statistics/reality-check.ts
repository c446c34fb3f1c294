/**
 * Whether the best of a search beats a benchmark by more than luck: the test of superior predictive ability (Hansen 2005),
 * studentized, over stationary bootstraps.
 */
import { percentile } from '../indicators/indicators.ts';
import { compareFigures, meanBlockLength, UniformDraws } from './draws.ts';
import { Resampler } from './resampler.ts';
import { MIN_RESAMPLED, RESAMPLES } from './single-run.ts';

/** Differences within this are rounding: the column is the benchmark. */
const NOISE = 1e-12;

/** P-values of "no combination is better than the benchmark" (1 where none beats it), and the test statistic. */
export interface RealityCheck {
  readonly lower: number;
  readonly consistent: number;
  readonly upper: number;
  readonly statistic: number;
  /** Mean block length of the resamples, bars. */
  readonly blockLength: number;
  /** Numbers of the columns that beat the benchmark with 95 % confidence in all of them together (Romano & Wolf 2005). */
  readonly superior: readonly number[];
}

const CONFIDENCE = 0.95;

/** How often each bar is in a resample, as a list of the bars that are in it. */
class Multiplicities {
  readonly bars: Int32Array;
  readonly times: Int32Array;
  count = 0;
  /** By how much the number changes at each bar. */
  private readonly changes: Int32Array;

  constructor(length: number) {
    this.bars = new Int32Array(length);
    this.times = new Int32Array(length);
    this.changes = new Int32Array(length + 1);
  }

  set({ bounds, count: bound }: Resampler): void {
    const { bars, times, changes } = this;
    changes.fill(0);
    for (let k = 0; k < bound; k += 2) {
      changes[bounds[k]]++;
      changes[bounds[k + 1]]--;
    }
    let count = 0;
    let often = 0;
    for (let t = 0; t < bars.length; t++) {
      often += changes[t];
      if (often === 0) continue;
      bars[count] = t;
      times[count++] = often;
    }
    this.count = count;
  }
}

/** Differences of all columns side by side: `[bar × columns + column]`, so that those of one bar are contiguous. */
function sideBySide(differences: readonly Float64Array[]): Float64Array {
  const columns = differences.length;
  const rows = new Float64Array(columns * differences[0].length);
  differences.forEach((column, k) => {
    for (let t = 0; t < column.length; t++) rows[t * columns + k] = column[t];
  });
  return rows;
}

/** Adds the rows of a resample into `out`, four at a time: each pass over `out` costs as much as a row. */
function addRows(rows: Float64Array, { bars, times, count }: Multiplicities, out: Float64Array): void {
  const columns = out.length;
  let i = 0;
  for (; i + 4 <= count; i += 4) {
    const [a, b, c, d] = [bars[i] * columns, bars[i + 1] * columns, bars[i + 2] * columns, bars[i + 3] * columns];
    const [u, v, w, x] = [times[i], times[i + 1], times[i + 2], times[i + 3]];
    for (let k = 0; k < columns; k++) {
      out[k] += u * rows[a + k] + v * rows[b + k] + w * rows[c + k] + x * rows[d + k];
    }
  }
  for (; i < count; i++) {
    const [a, u] = [bars[i] * columns, times[i]];
    for (let k = 0; k < columns; k++) out[k] += u * rows[a + k];
  }
}

/** Means of each column over each resample: `[resample × columns + column]`. */
function resampledMeans(differences: readonly Float64Array[], blockLength: number, seed: string): Float64Array {
  const columns = differences.length;
  const bars = differences[0].length;
  const rows = sideBySide(differences);
  const draws = UniformDraws.fromSeed(seed);
  const resampler = new Resampler(bars);
  const resample = new Multiplicities(bars);
  const means = new Float64Array(RESAMPLES * columns);
  for (let b = 0; b < RESAMPLES; b++) {
    draws.drawBlocks(blockLength, resampler);
    resample.set(resampler);
    const own = means.subarray(b * columns, (b + 1) * columns);
    addRows(rows, resample, own);
    for (let k = 0; k < columns; k++) own[k] /= bars;
  }
  return means;
}

function meanOf(values: Float64Array): number {
  let sum = 0;
  for (let t = 0; t < values.length; t++) sum += values[t];
  return sum / values.length;
}

/** Root of T times the mean square of the resampled means about the mean of each column. */
function scalesOf(means: Float64Array, centers: Float64Array, bars: number): Float64Array {
  const columns = centers.length;
  const squares = new Float64Array(columns);
  for (let b = 0; b < RESAMPLES; b++) {
    for (let k = 0; k < columns; k++) squares[k] += (means[b * columns + k] - centers[k]) ** 2;
  }
  return squares.map((square) => Math.sqrt((bars * square) / RESAMPLES));
}

/** The largest of 0 and √T × (figure - shift)/scale over the columns; a column without scale is left out. */
function largest(figures: Float64Array, shifts: Float64Array, scales: Float64Array, bars: number): number {
  let most = 0;
  for (let k = 0; k < figures.length; k++) {
    if (scales[k] > 0) most = Math.max(most, (figures[k] - shifts[k]) / scales[k]);
  }
  return Math.sqrt(bars) * most;
}

/**
 * Steps down: columns above the critical value of all are better than the benchmark; without them the critical value of the rest is
 * lower, until no further one is above it.
 */
function superiorOf(means: Float64Array, centers: Float64Array, shift: Float64Array, scales: Float64Array): number[] {
  const columns = centers.length;
  let rest = [...centers.keys()].filter((k) => scales[k] > 0);
  const superior: number[] = [];
  const maxima = new Float64Array(RESAMPLES);
  while (rest.length > 0) {
    for (let b = 0; b < RESAMPLES; b++) {
      let most = Number.NEGATIVE_INFINITY;
      for (const k of rest) most = Math.max(most, (means[b * columns + k] - shift[k]) / scales[k]);
      maxima[b] = most;
    }
    const critical = percentile(maxima.toSorted(), CONFIDENCE);
    const better = rest.filter((k) => compareFigures(centers[k] / scales[k], critical) > 0);
    if (better.length === 0) break;
    superior.push(...better);
    rest = rest.filter((k) => !better.includes(k));
  }
  return superior.sort((a, b) => a - b);
}

/**
 * `columns`: returns per bar of each combination; `best`: those of the best; `benchmark`: those of buying at the first close
 * and holding. Null where the range is short or every column is the benchmark.
 */
export function realityCheckOf(
  columns: readonly Float64Array[],
  best: Float64Array,
  benchmark: Float64Array,
  seed: string,
): RealityCheck | null {
  const bars = benchmark.length;
  if (bars < MIN_RESAMPLED) return null;
  const against = (returns: Float64Array) => returns.map((r, t) => r - benchmark[t]);
  const compared = columns
    .map((returns, column) => ({ column, difference: against(returns) }))
    .filter(({ difference }) => difference.some((d) => Math.abs(d) > NOISE));
  const differences = compared.map(({ difference }) => difference);
  if (differences.length === 0) return null;
  const blockLength = meanBlockLength(against(best));
  const means = resampledMeans(differences, blockLength, seed);
  const centers = Float64Array.from(differences, meanOf);
  const scales = scalesOf(means, centers, bars);
  const statistic = largest(centers, new Float64Array(centers.length), scales, bars);
  const threshold = Math.sqrt((2 * Math.log(Math.log(bars))) / bars);
  const shifts = {
    lower: centers.map((center) => Math.max(center, 0)),
    consistent: centers.map((center, k) => (center >= -scales[k] * threshold ? center : 0)),
    upper: centers,
  };
  const shareAtLeast = (shift: Float64Array) => {
    let reached = 0;
    for (let b = 0; b < RESAMPLES; b++) {
      const resampled = means.subarray(b * centers.length, (b + 1) * centers.length);
      if (compareFigures(largest(resampled, shift, scales, bars), statistic) >= 0) reached++;
    }
    return reached / RESAMPLES;
  };
  return {
    lower: shareAtLeast(shifts.lower),
    consistent: shareAtLeast(shifts.consistent),
    upper: shareAtLeast(shifts.upper),
    statistic,
    blockLength,
    superior: superiorOf(means, centers, shifts.consistent, scales).map((k) => compared[k].column),
  };
}
