/** The growth that a sealed run promises: where paths of its own returns lie after so many sessions. */
import { compareFigures, meanBlockLength, UniformDraws } from '../statistics/draws.ts';
import { Resampler, SUMS } from '../statistics/resampler.ts';
import { LOG_OF_NOTHING, RESAMPLES } from '../statistics/single-run.ts';
import { MIN_RETURNS } from '../statistics/skill.ts';

/** Sessions of a prediction. */
export const PREDICTED = 250;
const PERCENTS = [5, 25, 50, 75, 95] as const;

/** Daily returns of a run and of the market beside it, of the same rows, as fractions. */
export interface SealedReturns {
  readonly returns: Float64Array;
  readonly market: Float64Array;
  /** 16 hex digits. */
  readonly seed: string;
}

/** Percentiles of the growth of all paths, 1 being none. */
interface Percentiles {
  readonly p5: number;
  readonly p25: number;
  readonly p50: number;
  readonly p75: number;
  readonly p95: number;
}

/** After a number of sessions. */
export interface Band extends Percentiles {
  readonly session: number;
}

export interface Bands {
  /** The growth of the run. */
  readonly growth: readonly Band[];
  /** Its growth ÷ that of the market. */
  readonly excess: readonly Band[];
}

/** Logarithms of growth, path after path: `rows` of each. */
interface Paths {
  readonly rows: number;
  readonly growth: Float64Array;
  readonly excess: Float64Array;
}

const logOf = (r: number) => Math.max(LOG_OF_NOTHING, Math.log1p(r));

/** The sums of the first 0, 1, 2, … values of two series, as rows of a resampler. */
function writeSums(rows: Float64Array, first: Float64Array, second: Float64Array): void {
  rows.fill(0, 0, SUMS);
  for (let t = 0; t < first.length; t++) {
    rows[(t + 1) * SUMS] = rows[t * SUMS] + first[t];
    rows[(t + 1) * SUMS + 1] = rows[t * SUMS + 1] + second[t];
  }
}

/**
 * Each path has the mean of another resample of all rows, drawn before it: without it the paths would know nothing of the error of the mean.
 * `lowered`: taken off the mean logarithm. Null for fewer than 60 returns.
 */
function drawPaths({ returns, market, seed }: SealedReturns, rows: number, lowered: number): Paths | null {
  const bars = returns.length;
  if (bars < MIN_RETURNS) return null;
  const logs = returns.map(logOf);
  const ahead = logs.map((log, t) => log - logOf(market[t]));
  const resampler = new Resampler(bars);
  writeSums(resampler.rows, logs, ahead);
  const [sum, sumAhead] = resampler.rows.slice(bars * SUMS);
  const length = meanBlockLength(returns);
  const draws = UniformDraws.fromSeed(seed);
  const [growth, excess] = [new Float64Array(RESAMPLES * rows), new Float64Array(RESAMPLES * rows)];
  for (let path = 0; path < RESAMPLES; path++) {
    draws.drawBlocks(length, resampler);
    resampler.addUp();
    const added = (resampler.sums[0] - sum) / bars - lowered;
    const addedAhead = (resampler.sums[1] - sumAhead) / bars - lowered;
    let at = path * rows;
    const last = at + rows;
    let [own, beyond] = [0, 0];
    // All rows of a path are drawn, so that fewer of them are the same path.
    draws.drawRows(length, bars, PREDICTED, (start, count) => {
      for (let row = start; row < start + count && at < last; row++) {
        own += logs[row % bars] + added;
        beyond += ahead[row % bars] + addedAhead;
        growth[at] = own;
        excess[at++] = beyond;
      }
    });
  }
  return { rows, growth, excess };
}

/** The logarithms of all paths after `session` sessions. */
function across(logs: Float64Array, rows: number, session: number): Float64Array {
  return Float64Array.from({ length: RESAMPLES }, (_, path) => logs[path * rows + session - 1]);
}

function percentilesOf(logs: Float64Array): Percentiles {
  const growth = logs.map(Math.exp).sort();
  const [p5, p25, p50, p75, p95] = PERCENTS.map((percent) => {
    const h = ((RESAMPLES - 1) * percent) / 100;
    const k = Math.floor(h);
    return growth[k] + (h - k) * (growth[k + 1] - growth[k]);
  });
  return { p5, p25, p50, p75, p95 };
}

/** Null for fewer than 60 returns. `lowered`: taken off the mean logarithm of a return, for what a search chose. */
export function bandsOf(sealed: SealedReturns, lowered = 0): Bands | null {
  const paths = drawPaths(sealed, PREDICTED, lowered);
  if (paths === null) return null;
  const each = (logs: Float64Array) =>
    Array.from({ length: PREDICTED }, (_, i) => ({ session: i + 1, ...percentilesOf(across(logs, PREDICTED, i + 1)) }));
  return { growth: each(paths.growth), excess: each(paths.excess) };
}

/** Where growth lies among the paths after as many sessions. */
export interface Place {
  readonly growth: number;
  /** Paths below it, of 1,000. */
  readonly below: number;
  /** 1 to 100. */
  readonly rank: number;
  /** Whether it lies between the 5th and the 95th percentile. */
  readonly isInside: boolean;
}

function placeIn(logs: Float64Array, growth: number): Place {
  const below = logs.reduce((count, log) => count + Number(compareFigures(Math.exp(log), growth) < 0), 0);
  const { p5, p95 } = percentilesOf(logs);
  const isInside = compareFigures(p5, growth) <= 0 && compareFigures(growth, p95) <= 0;
  // All paths below it are a hundred of a hundred.
  return { growth, below, rank: Math.min(100, 1 + Math.floor((100 * below) / RESAMPLES)), isInside };
}

export interface Standing {
  readonly growth: Place;
  readonly excess: Place;
}

/**
 * Where live growth lies after as many sessions as there are, at most `PREDICTED`; null without a prediction.
 * `live`: returns of the sessions after the seal.
 */
export function standingOf(
  sealed: SealedReturns,
  live: Pick<SealedReturns, 'returns' | 'market'>,
  lowered = 0,
): Standing | null {
  const rows = live.returns.length;
  if (rows === 0 || rows > PREDICTED) return null;
  const paths = drawPaths(sealed, rows, lowered);
  if (paths === null) return null;
  const [growth, market] = [live.returns, live.market].map((one) => one.reduce((product, r) => product * (1 + r), 1));
  return {
    growth: placeIn(across(paths.growth, rows, rows), growth),
    excess: placeIn(across(paths.excess, rows, rows), growth / market),
  };
}
