/** Statistics of one run that account for chance, length, and the market that was held. */
import { YEAR_DAYS } from '../backtest/metrics.ts';
import { percentile, TRADING_DAYS_PER_YEAR } from '../indicators/indicators.ts';
import { drawResample, meanBlockLength, UniformDraws } from './draws.ts';
import { momentsOf, sharpeOfSums } from './moments.ts';
import { minTrackRecord, probabilisticSharpe } from './sharpe.ts';
import { MIN_RETURNS, PERCENT_OF_YEAR, regress, type SkillFigures, skillOf } from './skill.ts';

/** Resamples of every bootstrap. */
export const RESAMPLES = 1_000;
/** Fewer returns than this are not resampled. */
export const MIN_RESAMPLED = MIN_RETURNS;
/** The percentiles of an interval. */
const [LOW, HIGH] = [0.05, 0.95];
/** Below this share of the squares of the returns those of residuals lose digits when they are taken from sums. */
const EXACT_SHARE = 1e-5;

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

interface Residual {
  readonly mean: number;
  readonly deviation: number;
}

/** The residuals of a resample, one by one. */
function exactResidual(returns: Float64Array, market: Float64Array, indices: Int32Array): Residual {
  const [x, y] = [returns, market].map((values) => Float64Array.from(indices, (index) => values[index]));
  const { residuals, moments } = regress(x, y);
  return { mean: moments?.mean ?? residuals[0], deviation: moments?.stdev ?? 0 };
}

/** In a function of its own, whose loop then has the registers to itself. */
function sumsOver(indices: Int32Array, returns: Float64Array, market: Float64Array, logs: Float64Array) {
  let [sum, squares, growth, sumY, xy, yy] = [0, 0, 0, 0, 0, 0];
  for (let i = 0; i < indices.length; i++) {
    const index = indices[i];
    const r = returns[index];
    const y = market[index];
    sum += r;
    squares += r * r;
    growth += logs[index];
    sumY += y;
    xy += r * y;
    yy += y * y;
  }
  return { sum, squares, growth, sumY, xy, yy };
}

/** Intervals over the same resamples of rows of `returns` and `market`. `days`: calendar days of the run. */
function intervalsOf(returns: Float64Array, market: Float64Array, days: number, seed: string, blockLength: number) {
  const count = returns.length;
  const draws = UniformDraws.fromSeed(seed);
  const logs = returns.map((r) => Math.log1p(r));
  const indices = new Int32Array(count);
  const [sharpes, annualized] = [new Float64Array(RESAMPLES), new Float64Array(RESAMPLES)];
  const [appraisals, alphas] = [new Float64Array(RESAMPLES), new Float64Array(RESAMPLES)];
  const annualize = Math.sqrt(TRADING_DAYS_PER_YEAR);
  for (let b = 0; b < RESAMPLES; b++) {
    drawResample(draws, blockLength, indices);
    const { sum, squares, growth, sumY, xy, yy } = sumsOver(indices, returns, market, logs);
    sharpes[b] = sharpeOfSums(count, sum, squares) * annualize;
    annualized[b] = 100 * Math.expm1((growth * YEAR_DAYS) / days);
    const ownSquares = squares - (sum * sum) / count;
    const marketSquares = yy - (sumY * sumY) / count;
    const products = xy - (sum * sumY) / count;
    const beta = products / marketSquares;
    const left = ownSquares - beta * products;
    const isExact = marketSquares > EXACT_SHARE * yy && left > EXACT_SHARE * squares;
    const { mean, deviation } = isExact
      ? { mean: (sum - beta * sumY) / count, deviation: Math.sqrt(left / (count - 1)) }
      : exactResidual(returns, market, indices);
    appraisals[b] = deviation === 0 ? 0 : (mean / deviation) * annualize;
    alphas[b] = PERCENT_OF_YEAR * mean;
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
 * `returns`: simple returns per bar; `market`: of what was held, on the same bars; `days`: calendar days from the first bar to
 * the last; `seed`: 16 hex digits.
 */
export function statisticsOfRun(
  returns: Float64Array,
  market: Float64Array,
  days: number,
  seed: string,
): RunStatistics {
  const count = returns.length;
  const moments = momentsOf(returns);
  const skill = skillOf(returns, market, regress(returns, market));
  const without = skill && { ...skill, appraisalInterval: null, alphaInterval: null };
  if (moments === null) return { ...UNDEFINED, returns: count, skill: without };
  const ratios = {
    psr: probabilisticSharpe(moments, 0),
    minTrackRecordBars: minTrackRecord(moments, 0),
    returns: count,
  };
  if (count < MIN_RESAMPLED) return { ...UNDEFINED, ...ratios, skill: without };
  const blockLength = meanBlockLength(returns);
  const { appraisalInterval, alphaInterval, ...intervals } = intervalsOf(returns, market, days, seed, blockLength);
  const isMore = skill !== null && skill.appraisal !== null;
  return {
    ...ratios,
    ...intervals,
    blockLength,
    skill: isMore ? { ...skill, appraisalInterval, alphaInterval } : without,
  };
}
