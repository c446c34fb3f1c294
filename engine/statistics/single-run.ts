/** Statistics of one run that account for chance and length. */
import { YEAR_DAYS } from '../backtest/metrics.ts';
import { percentile, TRADING_DAYS_PER_YEAR } from '../indicators/indicators.ts';
import { drawResample, meanBlockLength, UniformDraws } from './draws.ts';
import { type Moments, momentsOf, sharpeOfSums } from './moments.ts';
import { normalCdf, normalQuantile } from './normal.ts';

/** Resamples of every bootstrap. */
export const RESAMPLES = 1_000;
/** Fewer returns than this are not resampled. */
export const MIN_RESAMPLED = 60;
const CONFIDENCE = 0.95;
/** The percentiles of an interval. */
const [LOW, HIGH] = [0.05, 0.95];

/** 5th and 95th percentile. */
export type Interval = readonly [low: number, high: number];

export interface RunStatistics {
  /** The probability that the true Sharpe ratio is above 0, 0 to 1. */
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
}

/** 1 - γ3·SR + (γ4 - 1)/4·SR²: by how much skewness and tails widen the error of a Sharpe ratio. */
function errorSpread({ sharpe, skewness, kurtosis }: Pick<Moments, 'sharpe' | 'skewness' | 'kurtosis'>): number {
  return 1 - skewness * sharpe + ((kurtosis - 1) / 4) * sharpe * sharpe;
}

/** Inputs of the standard error of a Sharpe ratio. */
export type SharpeMoments = Pick<Moments, 'count' | 'sharpe' | 'skewness' | 'kurtosis'>;

/**
 * Probabilistic Sharpe ratio (Bailey & López de Prado 2012): the probability that the true ratio is above `benchmark`, per
 * bar. Null where its error is not defined.
 */
export function probabilisticSharpe(moments: SharpeMoments, benchmark: number): number | null {
  const root = Math.sqrt(errorSpread(moments));
  if (!(root > 0)) return null;
  return normalCdf(((moments.sharpe - benchmark) * Math.sqrt(moments.count - 1)) / root);
}

/** Minimum track record length, bars (the same source); null where the ratio is not above `benchmark`. */
export function minTrackRecord(moments: Omit<SharpeMoments, 'count'>, benchmark: number): number | null {
  if (moments.sharpe <= benchmark) return null;
  return 1 + errorSpread(moments) * (normalQuantile(CONFIDENCE) / (moments.sharpe - benchmark)) ** 2;
}

function intervalOf(figures: Float64Array): Interval {
  figures.sort();
  return [percentile(figures, LOW), percentile(figures, HIGH)];
}

/** Intervals of the annualized Sharpe ratio and return over the same resamples. `days`: calendar days of the run. */
function intervalsOf(returns: Float64Array, days: number, seed: string, blockLength: number) {
  const count = returns.length;
  const draws = UniformDraws.fromSeed(seed);
  const logs = returns.map((r) => Math.log1p(r));
  const indices = new Int32Array(count);
  const sharpes = new Float64Array(RESAMPLES);
  const annualized = new Float64Array(RESAMPLES);
  const annualize = Math.sqrt(TRADING_DAYS_PER_YEAR);
  for (let b = 0; b < RESAMPLES; b++) {
    drawResample(draws, blockLength, indices);
    let [sum, squares, growth] = [0, 0, 0];
    for (let t = 0; t < count; t++) {
      const r = returns[indices[t]];
      sum += r;
      squares += r * r;
      growth += logs[indices[t]];
    }
    sharpes[b] = sharpeOfSums(count, sum, squares) * annualize;
    annualized[b] = 100 * Math.expm1((growth * YEAR_DAYS) / days);
  }
  return { sharpeInterval: intervalOf(sharpes), annualizedInterval: intervalOf(annualized) };
}

const UNDEFINED = {
  psr: null,
  minTrackRecordBars: null,
  sharpeInterval: null,
  annualizedInterval: null,
  blockLength: null,
} as const;

/**
 * `returns`: simple returns per bar; `days`: calendar days from the first bar to the last; `seed`: 16 hex digits.
 */
export function statisticsOfRun(returns: Float64Array, days: number, seed: string): RunStatistics {
  const count = returns.length;
  const moments = momentsOf(returns);
  if (moments === null) return { ...UNDEFINED, returns: count };
  const ratios = {
    psr: probabilisticSharpe(moments, 0),
    minTrackRecordBars: minTrackRecord(moments, 0),
    returns: count,
  };
  if (count < MIN_RESAMPLED) return { ...UNDEFINED, ...ratios };
  const blockLength = meanBlockLength(returns);
  return { ...ratios, ...intervalsOf(returns, days, seed, blockLength), blockLength };
}
