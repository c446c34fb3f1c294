/** Statistics of one run that account for chance, length, and the market that was held. */
import { YEAR_DAYS } from '../backtest/metrics.ts';
import { percentile, TRADING_DAYS_PER_YEAR } from '../indicators/indicators.ts';
import { meanBlockLength, UniformDraws } from './draws.ts';
import { minTrackRecord, momentsOf, probabilisticSharpe } from './moments.ts';
import { Resampler, SUMS } from './resampler.ts';
import { MIN_RETURNS, type Regressed, regress, type SkillFigures, skillOf } from './skill.ts';

/** Resamples of every bootstrap. */
export const RESAMPLES = 1_000;
/** Fewer returns than this are not resampled. */
export const MIN_RESAMPLED = MIN_RETURNS;
/** The percentiles of an interval. */
const [LOW, HIGH] = [0.05, 0.95];
/** Below this share of the squares of the whole range, those of a resample lose digits when they are taken from sums. */
const EXACT_SHARE = 1e-4;
/** Logarithm of the growth to an equity of 0: so low that nothing is left of it in a year of the longest range. */
export const LOG_OF_NOTHING = -1e5;

/** 5th and 95th percentile. */
export type Interval = readonly [low: number, high: number];

export interface Skill extends SkillFigures {
  readonly appraisalInterval: Interval | null;
  readonly alphaInterval: Interval | null;
}

export interface RunStatistics {
  /** The probability that the true Sharpe ratio is above 0, 0 to 1. It answers nothing but whether the mean return is above 0. */
  readonly psr: number | null;
  /** Bars that the Sharpe ratio must last to be above 0 with 95 % confidence; not rounded. */
  readonly minTrackRecordBars: number | null;
  /** Interval of the annualized Sharpe ratio. */
  readonly sharpeInterval: Interval | null;
  /** Interval of the annualized return, percent. */
  readonly annualizedInterval: Interval | null;
  /** Mean block length of the resamples, bars. */
  readonly blockLength: number | null;
  /** Returns, one a bar. */
  readonly returns: number;
  /** Null for a short range. */
  readonly skill: Skill | null;
}

function intervalOf(figures: Float64Array): Interval {
  figures.sort();
  return [percentile(figures, LOW), percentile(figures, HIGH)];
}

/** Writes the sums of r, r², log(1 + r), y, y², e, e², and e·y, and returns those of all bars. */
function writeRows(rows: Float64Array, returns: Float64Array, market: Float64Array, residuals: Float64Array) {
  rows.fill(0, 0, SUMS);
  returns.forEach((r, t) => {
    const [y, e] = [market[t], residuals[t]];
    const row = [r, r * r, Math.max(LOG_OF_NOTHING, Math.log1p(r)), y, y * y, e, e * e, e * y];
    for (let i = 0; i < SUMS; i++) rows[(t + 1) * SUMS + i] = rows[t * SUMS + i] + row[i];
  });
  return rows.slice(-SUMS);
}

interface ResampleFigures {
  /** Per bar. */
  readonly sharpe: number;
  /** Mean of what is left beyond the market, and its sample deviation. */
  readonly mean: number;
  readonly deviation: number;
}

/** Returns of the run, and less the risk-free ones, those of the run and of what was held. */
interface Rows {
  readonly returns: Float64Array;
  readonly excess: Float64Array;
  readonly market: Float64Array;
}

/** The figures of a resample from its rows, one by one. */
function exactFigures({ returns, excess, market }: Rows, resampler: Resampler): ResampleFigures {
  resampler.list();
  const [r, x, y] = [returns, excess, market].map((values) => values.map((_, i) => values[resampler.indices[i]]));
  const { residuals, moments } = regress(x, y);
  const sharpe = momentsOf(r)?.sharpe ?? 0;
  return { sharpe, mean: moments?.mean ?? residuals[0], deviation: moments?.stdev ?? 0 };
}

/** The figures of a resample from its sums; null where they would lose digits. `all`: the sums of the whole range. */
function figuresOf(
  count: number,
  [x, xx, , y, yy, e, ee, ey]: Float64Array,
  [, allXX, , , allYY, , allEE]: Float64Array,
): ResampleFigures | null {
  const own = xx - (x * x) / count;
  const market = yy - (y * y) / count;
  const products = ey - (e * y) / count;
  // β of the resample is that of the range and this.
  const beta = market === 0 ? 0 : products / market;
  const left = ee - (e * e) / count - beta * products;
  const isExact = own >= EXACT_SHARE * allXX && market >= EXACT_SHARE * allYY && left >= EXACT_SHARE * allEE;
  if (!isExact) return null;
  const deviation = Math.sqrt(left / (count - 1));
  return { sharpe: x / count / Math.sqrt(own / (count - 1)), mean: (e - beta * y) / count, deviation };
}

/** Takes part in the pass over the resamples of a run. */
export interface ResampleTaker {
  readonly add: (resampler: Resampler, blockLength: number) => void;
}

interface Drawn {
  /** Calendar days of the run. */
  readonly days: number;
  readonly seed: string;
  readonly blockLength: number;
  readonly perYear: number;
}

/** Intervals over the same resamples of rows. */
function intervalsOf(
  series: Rows,
  { residuals, moments }: Regressed,
  { days, seed, blockLength, perYear }: Drawn,
  taker: ResampleTaker | undefined,
) {
  const { returns, market } = series;
  const count = returns.length;
  const draws = UniformDraws.fromSeed(seed);
  const resampler = new Resampler(count);
  const { sums, rows } = resampler;
  const all = writeRows(rows, returns, market, moments === null ? new Float64Array(count) : residuals);
  const [sharpes, annualized] = [new Float64Array(RESAMPLES), new Float64Array(RESAMPLES)];
  const [appraisals, alphas] = [new Float64Array(RESAMPLES), new Float64Array(RESAMPLES)];
  const annualize = Math.sqrt(perYear);
  for (let b = 0; b < RESAMPLES; b++) {
    draws.drawBlocks(blockLength, resampler);
    resampler.addUp();
    const { sharpe, mean, deviation } = figuresOf(count, sums, all) ?? exactFigures(series, resampler);
    sharpes[b] = sharpe * annualize;
    annualized[b] = 100 * Math.expm1((sums[2] * YEAR_DAYS) / days);
    appraisals[b] = deviation === 0 ? 0 : (mean / deviation) * annualize;
    alphas[b] = 100 * perYear * mean;
    taker?.add(resampler, blockLength);
  }
  return {
    sharpeInterval: intervalOf(sharpes),
    annualizedInterval: intervalOf(annualized),
    appraisalInterval: intervalOf(appraisals),
    alphaInterval: intervalOf(alphas),
  };
}

const UNDEFINED = {
  psr: null,
  minTrackRecordBars: null,
  sharpeInterval: null,
  annualizedInterval: null,
  blockLength: null,
} as const;

/**
 * `returns`: simple returns per bar, `perYear` of them a year; `market`: of what was held, on the same bars, less the risk-free ones,
 * null: it is not known; `days`: calendar days from the first bar to the last; `seed`: 16 hex digits, null: nothing is resampled;
 * `excess`: the returns less the risk-free ones.
 */
export function statisticsOfRun(
  returns: Float64Array,
  market: Float64Array | null,
  days: number,
  seed: string | null,
  taker?: ResampleTaker,
  excess = returns,
  perYear = TRADING_DAYS_PER_YEAR,
): RunStatistics {
  const count = returns.length;
  const moments = momentsOf(returns);
  const held = market ?? new Float64Array(count);
  const regressed = regress(excess, held);
  const skill = market && skillOf(excess, market, regressed, perYear);
  const without = skill && { ...skill, appraisalInterval: null, alphaInterval: null };
  if (moments === null) return { ...UNDEFINED, returns: count, skill: without };
  const ratios = {
    psr: probabilisticSharpe(moments, 0),
    minTrackRecordBars: minTrackRecord(moments, 0),
    returns: count,
  };
  if (count < MIN_RESAMPLED || seed === null) return { ...UNDEFINED, ...ratios, skill: without };
  const blockLength = meanBlockLength(returns);
  const drawn = { days, seed, blockLength, perYear };
  const { appraisalInterval, alphaInterval, ...intervals } = intervalsOf(
    { returns, excess, market: held },
    regressed,
    drawn,
    taker,
  );
  const isMore = skill !== null && skill.appraisal !== null;
  return {
    ...ratios,
    ...intervals,
    blockLength,
    skill: isMore ? { ...skill, appraisalInterval, alphaInterval } : without,
  };
}
