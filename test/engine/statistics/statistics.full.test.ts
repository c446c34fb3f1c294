/** Compares statistics of runs and searches with published known answers, simple loops, and general properties. */
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { compareFigures, meanBlockLength, splitMix64, UniformDraws } from '../../../engine/statistics/draws.ts';
import {
  type Moments,
  minTrackRecord,
  momentsOf,
  normalCdf,
  normalQuantile,
  probabilisticSharpe,
  returnsOf,
} from '../../../engine/statistics/moments.ts';
import { overfittingOf } from '../../../engine/statistics/overfitting.ts';
import { realityCheckOf } from '../../../engine/statistics/reality-check.ts';
import { SearchReturns, statisticsOfSearch } from '../../../engine/statistics/search.ts';
import { deflationOf, expectedMaximum, selectionOf, spreadOf } from '../../../engine/statistics/selection.ts';
import { statisticsOfRun as statisticsBeside } from '../../../engine/statistics/single-run.ts';
import { required } from '../../../engine/util/values.ts';
import { standardNormal } from '../../support/numpy-random.ts';
import { drawResample } from '../../support/resample.ts';
import { lehmer } from '../../support/series.ts';

const KNOWN_ANSWERS = fileURLToPath(new URL('../../../../shared/data/known-answers/statistics.json', import.meta.url));
const SEED = '0123456789abcdef';

function closeTo(actual: number | null | undefined, expected: number | null, tolerance = 1e-9): void {
  if (expected === null || actual === null || actual === undefined) expect(actual).toBe(expected);
  else expect(Math.abs(actual - expected)).toBeLessThanOrEqual(tolerance * Math.max(1, Math.abs(expected)));
}

/** Statistics of a run beside cash. */
const statisticsOfRun = (returns: Float64Array, days: number, seed: string) =>
  statisticsBeside(returns, new Float64Array(returns.length), days, seed);

function randomReturns(count: number, seed: number, drift = 0.0005): Float64Array {
  const random = lehmer(seed);
  return Float64Array.from({ length: count }, () => drift + 0.03 * (random() - 0.5));
}

const momentsWith = (count: number, sharpe: number, skewness: number, kurtosis: number): Moments => ({
  count,
  sharpe,
  skewness,
  kurtosis,
  mean: sharpe,
  stdev: 1,
});

describe('the normal distribution', () => {
  it('has the values of tables, and its inverse undoes it', () => {
    closeTo(normalCdf(1), 0.8413447460685429, 1e-15);
    closeTo(normalCdf(3.5), 0.9997673709209645, 1e-15);
    expect(normalCdf(-10) / 7.61985302416053e-24).toBeCloseTo(1, 11);
    closeTo(normalQuantile(0.975), 1.959963984540054, 1e-14);
    closeTo(normalQuantile(1e-10), -6.361340902404056, 1e-13);
    expect([normalQuantile(0), normalQuantile(0.5), normalQuantile(1), normalQuantile(-0.1)]).toEqual([
      Number.NEGATIVE_INFINITY,
      0,
      Number.POSITIVE_INFINITY,
      Number.NaN,
    ]);
    for (let x = -6; x <= 6; x += 0.037) {
      const p = normalCdf(x);
      if (p < 0.5) closeTo(normalQuantile(p), x, 1e-13);
      closeTo(normalCdf(-x), 1 - p, 1e-15);
    }
  });
});

describe('the order of two figures', () => {
  it('is that of their first twelve digits', () => {
    const digits = (figure: number) => (Math.abs(figure) <= 1e-12 ? 0 : Number(figure.toPrecision(12)));
    const near = fc.double({ min: -1e-10, max: 1e-10, noNaN: true });
    fc.assert(
      fc.property(fc.double({ min: -1e6, max: 1e6, noNaN: true }), near, near, (a, share, more) => {
        const b = a * (1 + share) + more;
        expect(Math.sign(compareFigures(a, b)) - Math.sign(digits(a) - digits(b))).toBeCloseTo(0);
      }),
      { numRuns: 2_000 },
    );
    expect(compareFigures(0.1 + 0.2, 0.3)).toBe(0);
  });
});

describe('draws', () => {
  it('are those of xoshiro256** and SplitMix64', () => {
    expect(splitMix64(1234567n, 2)).toEqual([6457827717110365317n, 3203168211198807973n]);
    const draws = new UniformDraws([1n, 2n, 3n, 4n]);
    const outputs = [11520n, 0n, 1509978240n, 1215971899390074240n];
    expect(outputs.map(() => BigInt(draws.next() * 2 ** 53))).toEqual(outputs.map((word) => word >> 11n));
  });

  it('are those of the generator in 64-bit whole numbers, over many batches', () => {
    const mask = 0xffff_ffff_ffff_ffffn;
    const rotate = (x: bigint, k: bigint) => ((x << k) | (x >> (64n - k))) & mask;
    const s = splitMix64(BigInt(`0x${SEED}`), 4);
    const draws = UniformDraws.fromSeed(SEED);
    for (let i = 0; i < 5_000; i++) {
      const output = (rotate((s[1] * 5n) & mask, 7n) * 9n) & mask;
      const t = (s[1] << 17n) & mask;
      s[2] ^= s[0];
      s[3] ^= s[1];
      s[1] ^= s[2];
      s[0] ^= s[3];
      s[2] ^= t;
      s[3] = rotate(s[3], 45n);
      expect(draws.next()).toBe(Number(output >> 11n) * 2 ** -53);
    }
  });

  it('make blocks of the wanted mean length that wrap around the end', () => {
    const draws = UniformDraws.fromSeed(SEED);
    const indices = new Int32Array(100_000);
    drawResample(draws, 8, indices);
    let starts = 1;
    for (let i = 1; i < indices.length; i++) if (indices[i] !== (indices[i - 1] + 1) % indices.length) starts++;
    expect(indices.length / starts).toBeGreaterThan(7.6);
    expect(indices.length / starts).toBeLessThan(8.4);
    const short = new Int32Array(7);
    drawResample(draws, 1_000, short);
    for (let i = 1; i < 7; i++) expect(short[i]).toBe((short[i - 1] + 1) % 7);
  });
});

describe('a resample', () => {
  it.each([1, 1 + 1e-9, 1.3, 2, 3.7, 21.5, 150])('has the blocks of the definition for a mean length of %d', (mean) => {
    const [draws, again] = [UniformDraws.fromSeed(SEED), UniformDraws.fromSeed(SEED)];
    const indices = new Int32Array(997);
    for (let b = 0; b < 200; b++) {
      // An odd number of other draws, so that a block also has its draws in two batches.
      if (b % 3 === 0) expect(again.next()).toBe(draws.next());
      drawResample(draws, mean, indices);
      const expected: number[] = [];
      while (expected.length < 997) {
        const start = Math.floor(again.next() * 997);
        const rest = 1 - again.next();
        const length = mean === 1 ? 1 : 1 + Math.floor(Math.log(rest) / Math.log(1 - 1 / mean));
        for (let i = 0; i < length && expected.length < 997; i++) expected.push((start + i) % 997);
      }
      expect(Array.from(indices)).toEqual(expected);
    }
  });
});

/** The mean block length, computed directly from its definition, and what decided it. */
function blockLengthByHand(series: Float64Array): { length: number; kind: string } {
  const T = series.length;
  const mean = series.reduce((sum, r) => sum + r, 0) / T;
  const e = Array.from(series, (r) => r - mean);
  const R = (k: number) => e.slice(0, Math.max(0, T - k)).reduce((sum, value, t) => sum + value * e[t + k], 0) / T;
  const K = Math.max(5, Math.floor(Math.log10(T)));
  const most = Math.ceil(Math.sqrt(T)) + K;
  const c = 2 * Math.sqrt(Math.log10(T) / T);
  const isQuiet = (m: number) => Array.from({ length: K }, (_, i) => Math.abs(R(m + i) / R(0))).every((r) => r < c);
  const m = Array.from({ length: most - K }, (_, i) => i + 1).find(isQuiet);
  const M = m === undefined ? most : Math.min(2 * m, most);
  let [G, S] = [0, R(0)];
  for (let k = 1; k <= M; k++) {
    const weight = k / M <= 0.5 ? 1 : 2 * (1 - k / M);
    G += 2 * weight * k * R(k);
    S += 2 * weight * R(k);
  }
  const length = ((G ** 2 * T) / S ** 2) ** (1 / 3);
  const limit = Math.ceil(Math.min(3 * Math.sqrt(T), T / 3));
  if (length <= 1) return { length: 1, kind: 'at least 1' };
  if (length >= limit) return { length: limit, kind: 'at most' };
  return { length, kind: m === undefined ? 'never quiet' : 'quiet' };
}

describe('one run', () => {
  it('has the probability that the literature publishes', () => {
    closeTo(probabilisticSharpe(momentsWith(24, 1.585 / Math.sqrt(12), -2.448, 10.164), 0), 0.9132343069);
    closeTo(
      minTrackRecord({ sharpe: 2 / Math.sqrt(250), skewness: 0, kurtosis: 3 }, 1 / Math.sqrt(250)),
      682.7969504,
      1e-9,
    );
  });

  it('has a block length as the package arch computes it', () => {
    const next = standardNormal(0);
    const y = Float64Array.from({ length: 10_100 }, next);
    for (let i = 1; i < y.length; i++) y[i] = 0.3 * y[i - 1] + y[i];
    const length = meanBlockLength(y.subarray(100));
    closeTo(length, 13.635665, 1e-7);
    closeTo(length * 1.5 ** (1 / 3), 15.60894, 1e-6);
  });

  it('has the block length of the definition, for series of any length with no, short, or endless memory', () => {
    const kinds = new Set<string>();
    fc.assert(
      fc.property(
        fc.integer({ min: 60, max: 400 }),
        fc.integer({ min: 1, max: 1e6 }),
        fc.constantFrom(-0.9, -0.3, 0, 0.3, 0.9, 1),
        fc.boolean(),
        (count, seed, memory, isSparse) => {
          const series = randomReturns(count, seed, 0).map((r, t) => (isSparse && t % 7 !== 0 ? 0 : r));
          for (let t = 1; t < count; t++) series[t] += memory * series[t - 1];
          const { length, kind } = blockLengthByHand(series);
          kinds.add(kind);
          closeTo(meanBlockLength(series), length, 1e-6);
        },
      ),
      { numRuns: 300 },
    );
    expect([...kinds].sort()).toEqual(['at least 1', 'at most', 'never quiet', 'quiet']);
    expect(meanBlockLength(new Float64Array(100))).toBe(1);
  });

  it('equals plain loops over the definitions', () => {
    const returns = randomReturns(200, 7);
    const { sharpeInterval, annualizedInterval, blockLength, psr } = statisticsOfRun(returns, 290, SEED);
    const draws = UniformDraws.fromSeed(SEED);
    const indices = new Int32Array(200);
    const [sharpes, growths]: number[][] = [[], []];
    for (let b = 0; b < 1000; b++) {
      drawResample(draws, required(blockLength), indices);
      const sample = Array.from(indices, (i) => returns[i]);
      const mean = sample.reduce((sum, r) => sum + r, 0) / 200;
      const stdev = Math.sqrt(sample.reduce((sum, r) => sum + (r - mean) ** 2, 0) / 199);
      sharpes.push((mean / stdev) * Math.sqrt(252));
      growths.push(100 * (sample.reduce((product, r) => product * (1 + r), 1) ** (365.25 / 290) - 1));
    }
    const percentile = (values: number[], q: number) => {
      values.sort((a, b) => a - b);
      const h = 999 * q;
      return values[Math.floor(h)] + (h % 1) * (values[Math.floor(h) + 1] - values[Math.floor(h)]);
    };
    closeTo(sharpeInterval?.[0], percentile(sharpes, 0.05));
    closeTo(sharpeInterval?.[1], percentile(sharpes, 0.95));
    closeTo(annualizedInterval?.[0], percentile(growths, 0.05));
    closeTo(annualizedInterval?.[1], percentile(growths, 0.95));
    expect(psr).toBeGreaterThan(0);
  });

  it('has no figures for runs without spread, and no intervals for short ones', () => {
    const nothing = { psr: null, minTrackRecordBars: null, sharpeInterval: null, annualizedInterval: null };
    expect(statisticsOfRun(new Float64Array(300), 420, SEED)).toMatchObject({
      ...nothing,
      blockLength: null,
      returns: 300,
    });
    expect(statisticsOfRun(new Float64Array(300).fill(0.001), 420, SEED)).toMatchObject(nothing);
    expect(statisticsOfRun(Float64Array.of(0.1), 0, SEED)).toMatchObject({ ...nothing, returns: 1 });
    const short = statisticsOfRun(randomReturns(59, 3), 85, SEED);
    expect(short).toMatchObject({ sharpeInterval: null, annualizedInterval: null, blockLength: null });
    expect(short.psr).not.toBeNull();
    expect(statisticsOfRun(randomReturns(60, 3), 86, SEED).sharpeInterval).not.toBeNull();
  });

  it('survives a run that loses everything', () => {
    const returns = randomReturns(100, 5);
    returns[50] = -1;
    returns.fill(0, 51);
    expect(statisticsOfRun(returns, 140, SEED).annualizedInterval?.[0]).toBe(-100);
    expect(Array.from(returnsOf(Float64Array.of(110, 0, 0), 100))).toEqual([expect.closeTo(0.1, 12), -1, 0]);
  });
});

describe('the best of many trials', () => {
  it('has the hurdle that the literature publishes', () => {
    closeTo(expectedMaximum(1), 0);
    closeTo(expectedMaximum(2), 0.5197553442805939);
    closeTo(expectedMaximum(100), 2.5306028932);
    const best = momentsWith(1250, 2.5 / Math.sqrt(250), -3, 10);
    const spread = Math.sqrt(0.5 / 250);
    const trials = spreadOf(Float64Array.of(-spread / Math.SQRT2, spread / Math.SQRT2));
    closeTo(deflationOf(100, trials, best).dsr, 0.9003968344);
    closeTo(deflationOf(46, trials, best).dsr, 0.9505017069);
    const { minBacktestYears } = selectionOf(45, { sharpe: 1 / Math.sqrt(252) });
    closeTo(minBacktestYears, 4.998087);
  });

  it('has null for figures that cannot be computed', () => {
    const best = required(momentsOf(randomReturns(100, 1)));
    expect(selectionOf(7, null)).toEqual({ trials: 7, emax: expectedMaximum(7), minBacktestYears: null });
    expect(selectionOf(7, { sharpe: -0.1 }).minBacktestYears).toBeNull();
    expect(deflationOf(1, spreadOf(Float64Array.of(0.1)), best)).toEqual({
      hurdle: 0,
      dsr: probabilisticSharpe(best, 0),
    });
    expect(deflationOf(5, spreadOf(Float64Array.of(0.1)), best)).toEqual({ hurdle: null, dsr: null });
    expect(deflationOf(5, 0.1, null)).toEqual({ hurdle: null, dsr: null });
    expect(deflationOf(5, spreadOf(Float64Array.of(0.1, 0.1)), best).hurdle).toBe(0);
    // The error of the ratio is 1 - 2·1 + (5 - 1)/4·1² = 0.
    expect(probabilisticSharpe(momentsWith(24, 1, 2, 5), 0)).toBeNull();
    expect(minTrackRecord(momentsWith(24, 0, 0, 3), 0)).toBeNull();
  });
});

/** Computes the logit of every choice of half of 16 blocks, directly from the definition. */
function overfittingByHand(columns: readonly Float64Array[]): number[] {
  const count = columns.length;
  const size = Math.floor(columns[0].length / 16);
  const blocks = columns.map((column) =>
    Array.from({ length: 16 }, (_, i) => {
      const block = Array.from(column.subarray((column.length % 16) + i * size).subarray(0, size));
      const squares = block.reduce((total, r) => total + r * r, 0);
      return { sum: block.reduce((total, r) => total + r, 0), squares };
    }),
  );
  const sharpe = (k: number, bits: number) => {
    let [sum, squares] = [0, 0];
    for (let i = 0; i < 16; i++) {
      if (!(bits & (1 << i))) continue;
      sum += blocks[k][i].sum;
      squares += blocks[k][i].squares;
    }
    const n = 8 * size;
    const variance = (squares - n * (sum / n) ** 2) / (n - 1);
    return variance <= 0 ? 0 : Math.round((sum / n / Math.sqrt(variance)) * 1e12);
  };
  const logits: number[] = [];
  for (let bits = 0; bits < 1 << 16; bits++) {
    if (bits.toString(2).replaceAll('0', '').length !== 8) continue;
    const inside = columns.map((_, k) => sharpe(k, bits));
    const outside = columns.map((_, k) => sharpe(k, 0xffff ^ bits));
    const chosen = outside[inside.indexOf(Math.max(...inside))];
    const rank = outside.filter((s) => s < chosen).length + (outside.filter((s) => s === chosen).length + 1) / 2;
    const w = rank / (count + 1);
    logits.push(Math.log(w / (1 - w)));
  }
  return logits;
}

describe('the probability of overfitting', () => {
  // With 32 columns the ranks 11 and 22 lie exactly on the edges of bins, which belong to the bins below.
  it.each([11, 32])('equals a loop over all choices, ties included, with %i columns', (count) => {
    const columns = Array.from({ length: count }, (_, k) => randomReturns(325, k + 1));
    columns[7] = columns[2];
    columns[9] = new Float64Array(325);
    const logits = overfittingByHand(columns);
    const found = overfittingOf(columns);
    expect(logits).toHaveLength(12_870);
    closeTo(found?.pbo, logits.filter((logit) => logit <= 1e-12).length / 12_870);
    const width = (2 * Math.log(count)) / 20;
    const counts = new Array(20).fill(0);
    for (const logit of logits) {
      counts[Math.min(19, Math.max(0, Math.ceil((logit + Math.log(count)) / width - 1e-9) - 1))]++;
    }
    expect(found?.counts).toEqual(counts);
    expect(counts.slice(0, 10).reduce((sum, n) => sum + n, 0) / 12_870).toBeCloseTo(required(found?.pbo), 12);
  });

  it('is small where one combination has skill, and needs enough columns and returns', () => {
    const columns = Array.from({ length: 12 }, (_, k) => randomReturns(400, k + 1, k === 5 ? 0.01 : 0));
    expect(overfittingOf(columns)?.pbo).toBe(0);
    expect(overfittingOf(columns.slice(0, 9))).toBeNull();
    expect(overfittingOf(columns.map((column) => column.subarray(0, 319)))).toBeNull();
    const idle = Array.from({ length: 10 }, () => new Float64Array(320));
    expect(overfittingOf(idle)).toMatchObject({ pbo: 1, slope: null });
  });
});

describe('the reality check', () => {
  it('equals plain loops over the definition', () => {
    const T = 120;
    const benchmark = randomReturns(T, 99);
    // Means of -4 to 1.5 standard errors: `consistent` leaves those out that are below -1.77.
    const columns = Array.from({ length: 12 }, (_, k) => {
      const noise = randomReturns(T, k + 1, 0);
      const { mean, stdev } = required(momentsOf(noise));
      return benchmark.map((r, t) => r + noise[t] - mean + ((k - 8) / 2) * (stdev / Math.sqrt(T)));
    });
    columns[3] = benchmark.map((r) => r + 1e-13);
    // It differs on one side only.
    columns[10] = benchmark.map((r, t) => r - 0.001 * (t % 3));
    const found = realityCheckOf(columns, columns[5], benchmark, SEED);
    const { lower, consistent, upper } = required(found);
    expect([lower < consistent, consistent < upper]).toEqual([true, true]);
    const used = columns.filter((_, k) => k !== 3).map((column) => column.map((r, t) => r - benchmark[t]));
    const L = meanBlockLength(columns[5].map((r, t) => r - benchmark[t]));
    const draws = UniformDraws.fromSeed(SEED);
    const indices = new Int32Array(T);
    const mean = (values: ArrayLike<number>) => Array.from(values).reduce((sum, v) => sum + v, 0) / values.length;
    const means: number[][] = [];
    for (let b = 0; b < 1000; b++) {
      drawResample(draws, L, indices);
      means.push(used.map((d) => mean(Array.from(indices, (i) => d[i]))));
    }
    const own = used.map(mean);
    const omega = used.map((_, k) => Math.sqrt(T * mean(means.map((row) => (row[k] - own[k]) ** 2))));
    const V = Math.max(0, ...own.map((d, k) => (Math.sqrt(T) * d) / omega[k]));
    const share = (g: (d: number, k: number) => number) =>
      mean(
        means.map((row) =>
          Math.max(0, ...row.map((d, k) => (Math.sqrt(T) * (d - g(own[k], k))) / omega[k])) > V ? 1 : 0,
        ),
      );
    const bound = Math.sqrt((2 * Math.log(Math.log(T))) / T);
    closeTo(found?.statistic, V);
    closeTo(found?.blockLength, L);
    closeTo(
      found?.lower,
      share((d) => Math.max(d, 0)),
    );
    closeTo(
      found?.consistent,
      share((d, k) => (d >= -omega[k] * bound ? d : 0)),
    );
    closeTo(
      found?.upper,
      share((d) => d),
    );
  });

  it('counts a resample with the sum of the run as equal, in any order of addition', () => {
    const T = 60;
    let equal = 0;
    for (let seed = 1; seed <= 8; seed++) {
      const random = lehmer(seed);
      const thousandths = Array.from({ length: T }, () => Math.floor(7 * random()) - 3);
      const column = Float64Array.from(thousandths, (n) => n / 1_000);
      const own = thousandths.reduce((sum, n) => sum + n, 0);
      const draws = UniformDraws.fromSeed(SEED);
      const indices = new Int32Array(T);
      const reached = { lower: 0, upper: 0 };
      const statistic = Math.max(own, 0);
      for (let b = 0; b < 1_000; b++) {
        drawResample(draws, meanBlockLength(column), indices);
        // One column: the scale is the same on both sides, so that whole numbers decide.
        const sum = indices.reduce((total, i) => total + thousandths[i], 0);
        if (Math.max(sum - statistic, 0) >= statistic) reached.lower++;
        if (Math.max(sum - own, 0) >= statistic) reached.upper++;
        if (sum - own === statistic) equal++;
      }
      const found = required(realityCheckOf([column], column, new Float64Array(T), SEED));
      expect([found.lower, found.upper]).toEqual([reached.lower / 1_000, reached.upper / 1_000]);
    }
    expect(equal).toBeGreaterThan(50);
  });

  it('finds skill, and nothing where nothing differs or the range is short', () => {
    const benchmark = randomReturns(200, 99, 0);
    const skilled = benchmark.map((r, t) => r + 0.005 + (t % 2 === 0 ? 0.001 : -0.001));
    expect(realityCheckOf([skilled], skilled, benchmark, SEED)).toMatchObject({ lower: 0, consistent: 0, upper: 0 });
    expect(realityCheckOf([benchmark], benchmark, benchmark, SEED)).toBeNull();
    const worse = benchmark.map((r, t) => r - 0.005 + (t % 2 === 0 ? 0.001 : -0.001));
    expect(realityCheckOf([worse], worse, benchmark, SEED)).toMatchObject({
      lower: 1,
      consistent: 1,
      upper: 1,
      statistic: 0,
    });
    const cut = (column: Float64Array) => column.subarray(0, 59);
    expect(realityCheckOf([cut(skilled)], cut(skilled), cut(benchmark), SEED)).toBeNull();
    const long = (column: Float64Array) => column.subarray(0, 60);
    expect(realityCheckOf([long(skilled)], long(skilled), long(benchmark), SEED)).not.toBeNull();
  });
});

describe('a search', () => {
  it('takes its columns evenly from a large grid, and the spread from all of it', () => {
    const [combinations, bars, initial] = [1_203, 70, 50];
    const equities = Array.from({ length: combinations }, (_, k) => {
      let equity = initial;
      return randomReturns(bars, k + 1).map((r) => (equity *= 1 + r));
    });
    const returns = equities.map((equity) => returnsOf(equity, initial));
    const close = Float64Array.from(equities[7], (equity) => 2 * equity);
    const held = Float64Array.from(close, (price, t) => (t === 0 ? 0 : (price - close[t - 1]) / close[t - 1]));
    const search = new SearchReturns(combinations, held, initial);
    for (const [k, equity] of equities.entries()) search.add(k, equity);
    const columns = Array.from({ length: 500 }, (_, i) => returns[Math.floor((i * combinations) / 500)]);
    expect(search.sample.every((column, i) => column.every((r, t) => r === columns[i][t]))).toBe(true);
    closeTo(search.spread, spreadOf(Float64Array.from(returns, (own) => required(momentsOf(own)).sharpe)));
    const found = statisticsOfSearch(search, returns[9], 100, SEED);
    const run = statisticsBeside(returns[9], held, 100, SEED);
    expect(found).toMatchObject({ run, columns: 500, overfitting: null });
    const check = realityCheckOf(columns, returns[9], held, SEED);
    for (const name of ['lower', 'consistent', 'upper', 'statistic'] as const) {
      closeTo(found.realityCheck?.[name], required(check)[name]);
    }
    expect(new SearchReturns(4, held, initial).sample).toHaveLength(4);
  });
});

interface KnownRun {
  readonly order: { readonly symbol: string; readonly strategy: string };
  readonly seed: string;
  readonly days: number;
  readonly returns: readonly number[];
  readonly expected: Record<string, never>;
}

interface KnownSearch extends Omit<KnownRun, 'returns'> {
  readonly best: number;
  readonly columns: readonly (readonly number[])[];
  readonly benchmark: readonly number[];
}

const hasKnownAnswers = existsSync(KNOWN_ANSWERS);
if (!hasKnownAnswers) process.stderr.write(`Known answers of statistics are skipped: ${KNOWN_ANSWERS} is not there.\n`);
const describeWithData = hasKnownAnswers ? describe : describe.skip;

describeWithData('known answers on real series', () => {
  const known = hasKnownAnswers ? JSON.parse(readFileSync(KNOWN_ANSWERS, 'utf8')) : { runs: [], searches: [] };
  const named = <T extends KnownRun | KnownSearch>(all: readonly T[]) =>
    all.map((one) => [`${one.order.strategy} on ${one.order.symbol}`, one] as const);

  function checkRun(returns: Float64Array, { days, seed, expected }: Omit<KnownRun, 'returns'>): void {
    const moments = momentsOf(returns);
    const found = statisticsOfRun(returns, days, seed);
    const { emax, minBacktestYears } = selectionOf(expected.trials, moments);
    closeTo(moments?.sharpe, expected.sharpe_per_bar);
    closeTo(found.psr, expected.psr);
    closeTo(found.minTrackRecordBars, expected.min_track_record_bars);
    closeTo(found.blockLength, expected.block_length);
    for (const i of [0, 1]) {
      closeTo(found.sharpeInterval?.[i] ?? null, expected.sharpe_interval?.[i] ?? null);
      closeTo(found.annualizedInterval?.[i] ?? null, expected.annualized_interval?.[i] ?? null);
    }
    closeTo(emax, expected.emax);
    closeTo(minBacktestYears, expected.min_backtest_years);
  }

  it.each(named<KnownRun>(known.runs))('hold for %s', (_, run) => {
    checkRun(Float64Array.from(run.returns), run);
  });

  it.each(named<KnownSearch>(known.searches))('hold for a search of %s', (_, search) => {
    const columns = search.columns.map((column) => Float64Array.from(column));
    const best = columns[search.best];
    const expected: Record<string, never> = search.expected;
    checkRun(best, search);
    const sharpes = Float64Array.from(columns, (column) => momentsOf(column)?.sharpe ?? 0);
    const { hurdle, dsr } = deflationOf(expected.trials, spreadOf(sharpes), momentsOf(best));
    closeTo(hurdle, expected.hurdle);
    closeTo(dsr, expected.dsr);
    const overfitting = overfittingOf(columns);
    closeTo(overfitting?.pbo ?? null, expected.pbo);
    const distribution = expected.pbo_distribution as { to: number; counts: number[]; slope: number } | null;
    expect(overfitting?.counts).toEqual(distribution?.counts);
    closeTo(overfitting?.bound ?? null, distribution?.to ?? null);
    closeTo(overfitting?.slope ?? null, distribution?.slope ?? null);
    const spa = expected.spa as Record<string, number>;
    const check = realityCheckOf(columns, best, Float64Array.from(search.benchmark), search.seed);
    closeTo(check?.statistic, spa.statistic);
    closeTo(check?.blockLength, spa.block_length);
    for (const name of ['lower', 'consistent', 'upper'] as const) closeTo(check?.[name], spa[name], 1e-12);
  });
});
