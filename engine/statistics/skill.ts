/**
 * The gain of a run beyond the market that it held, and how sure that is. Returns of the run (`x`) are compared with those of
 * holding (`y`) on the same bars; what is left of `x` without its share of `y` is the residual.
 */
import { TRADING_DAYS_PER_YEAR } from '../indicators/indicators.ts';
import { type Moments, minTrackRecord, momentsOf, normalQuantile, probabilisticSharpe } from './moments.ts';

/** A deviation of at most this is rounding. */
const NOISE = 1e-12;
/** Fewer returns than this tell nothing. */
export const MIN_RETURNS = 60;
/** Returns before the first residual that uses only what was known. */
const KNOWN_FROM = 60;
const MIN_EX_ANTE = 120;
const CONFIDENCE = 0.95;

/** The test once more with the β known before each bar: the mean of the market over the range is known only afterwards. */
export interface ExAnte {
  readonly psr: number | null;
  readonly t: number;
  /** Residuals. */
  readonly bars: number;
}

export interface SkillFigures {
  readonly beta: number;
  /** Annual, percent (Jensen 1968). */
  readonly alphaPct: number;
  /** Student's t of the constant of least squares (Newey & West 1987); null where the market does not vary. */
  readonly alphaT: number | null;
  /** Mean ÷ deviation of the residuals, annualized (Treynor & Black 1973); null, like what follows from it, where they do not vary. */
  readonly appraisal: number | null;
  readonly psr: number | null;
  readonly minTrackRecordBars: number | null;
  readonly exAnte: ExAnte | null;
  /** Whether something beyond the market was shown. */
  readonly shown: boolean;
}

export interface Regressed {
  readonly beta: number;
  readonly residuals: Float64Array;
  /** Null where the residuals do not vary. */
  readonly moments: Moments | null;
}

function meanOf(values: Float64Array): number {
  let sum = 0;
  for (let t = 0; t < values.length; t++) sum += values[t];
  return sum / values.length;
}

/** Whether a sum of squares of deviations from the mean is rounding. */
function isQuiet(squares: number, count: number): boolean {
  return !(squares > NOISE * NOISE * (count - 1));
}

/** `returns` and `market`: of the same bars. */
export function regress(returns: Float64Array, market: Float64Array): Regressed {
  const [meanX, meanY] = [meanOf(returns), meanOf(market)];
  let [xy, yy] = [0, 0];
  for (let t = 0; t < returns.length; t++) {
    const y = market[t] - meanY;
    xy += (returns[t] - meanX) * y;
    yy += y * y;
  }
  const slope = xy / yy;
  const beta = isQuiet(yy, returns.length) || !Number.isFinite(slope) ? 0 : slope;
  const residuals = new Float64Array(returns.length);
  for (let t = 0; t < returns.length; t++) residuals[t] = returns[t] - beta * market[t];
  const moments = momentsOf(residuals);
  return { beta, residuals, moments: moments === null || moments.stdev <= NOISE ? null : moments };
}

/** Moments of what is left beyond the market, per bar; null for a short range, and where nothing is left. */
export function appraisalMoments(returns: Float64Array, market: Float64Array): Moments | null {
  return returns.length < MIN_RETURNS ? null : regress(returns, market).moments;
}

/** Lags that Newey and West count for a number of returns. */
function neweyWestLag(count: number): number {
  return Math.floor(4 * (count / 100) ** (2 / 9));
}

/** Null where the market does not vary: the constant and β cannot be told apart. */
function tOfAlpha(residuals: Float64Array, market: Float64Array): number | null {
  const count = market.length;
  const [meanE, meanY] = [meanOf(residuals), meanOf(market)];
  let yy = 0;
  for (let t = 0; t < count; t++) yy += (market[t] - meanY) ** 2;
  if (isQuiet(yy, count)) return null;
  // The constant is a weighted sum of the returns; each error enters it by the same weight.
  const errors = new Float64Array(count);
  for (let t = 0; t < count; t++) errors[t] = (1 / count - (meanY * (market[t] - meanY)) / yy) * (residuals[t] - meanE);
  const lag = neweyWestLag(count);
  let variance = 0;
  for (let l = 0; l <= lag; l++) {
    let products = 0;
    for (let t = l; t < count; t++) products += errors[t] * errors[t - l];
    variance += l === 0 ? products : 2 * (1 - l / (lag + 1)) * products;
  }
  return variance > 0 ? meanE / Math.sqrt(variance) : null;
}

function exAnteOf(returns: Float64Array, market: Float64Array): ExAnte | null {
  const count = returns.length;
  if (count < MIN_EX_ANTE) return null;
  const residuals = new Float64Array(count - KNOWN_FROM);
  let [meanX, meanY, xy, yy] = [0, 0, 0, 0];
  for (let t = 0; t < count; t++) {
    if (t >= KNOWN_FROM) residuals[t - KNOWN_FROM] = returns[t] - (isQuiet(yy, t) ? 0 : xy / yy) * market[t];
    // Running means and products about them (Welford 1962).
    const [dx, dy] = [returns[t] - meanX, market[t] - meanY];
    meanX += dx / (t + 1);
    meanY += dy / (t + 1);
    xy += dx * (market[t] - meanY);
    yy += dy * (market[t] - meanY);
  }
  const moments = momentsOf(residuals);
  if (moments === null || moments.stdev <= NOISE) return null;
  const bars = residuals.length;
  return { bars, psr: probabilisticSharpe(moments, 0), t: Math.sqrt(bars) * moments.sharpe };
}

function isShown(psr: number | null, alphaT: number | null, exAnte: ExAnte | null): boolean {
  if (psr === null || alphaT === null || exAnte === null || exAnte.psr === null) return false;
  const quantile = normalQuantile(CONFIDENCE);
  return psr >= CONFIDENCE && alphaT >= quantile && exAnte.psr >= CONFIDENCE && exAnte.t >= quantile;
}

/** `regressed`: the result of `regress` for the same returns, of which a year has `perYear`. Null for fewer than `MIN_RETURNS`. */
export function skillOf(
  returns: Float64Array,
  market: Float64Array,
  { beta, residuals, moments }: Regressed,
  perYear = TRADING_DAYS_PER_YEAR,
): SkillFigures | null {
  if (returns.length < MIN_RETURNS) return null;
  if (moments === null) {
    const nothing = { alphaT: null, appraisal: null, psr: null, minTrackRecordBars: null, exAnte: null };
    return { beta, alphaPct: 0, ...nothing, shown: false };
  }
  const psr = probabilisticSharpe(moments, 0);
  const alphaT = tOfAlpha(residuals, market);
  const exAnte = exAnteOf(returns, market);
  return {
    beta,
    alphaT,
    psr,
    exAnte,
    alphaPct: 100 * perYear * moments.mean,
    appraisal: moments.sharpe * Math.sqrt(perYear),
    minTrackRecordBars: minTrackRecord(moments, 0),
    shown: isShown(psr, alphaT, exAnte),
  };
}
