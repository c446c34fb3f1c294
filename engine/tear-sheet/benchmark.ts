/** Section 2 of a tear sheet: the run against its benchmark. */
import { TRADING_DAYS_PER_YEAR } from '../indicators/indicators.ts';
import { finiteOrNull } from '../market/figures.ts';
import {
  annualReturn,
  compound,
  deviationOf,
  deviationOfSquares,
  type Products,
  percentOf,
  productsOf,
  ratioOf,
  sumOf,
  withoutNoise,
} from './figures.ts';
import { dayPeriodsOf, returnsOfPeriods } from './periods.ts';

export interface BenchmarkFigures {
  readonly total_pct: number;
  readonly annual_return_pct: number | null;
  readonly beta: number | null;
  readonly alpha_pct: number | null;
  readonly correlation: number | null;
  readonly r2: number | null;
  readonly tracking_error_pct: number | null;
  readonly information_ratio: number | null;
  readonly active_return_pct: number;
  readonly up_capture: number | null;
  readonly down_capture: number | null;
  /** Mean return of the run ÷ that of the benchmark over the same sessions. */
  readonly up_capture_mean: number | null;
  readonly down_capture_mean: number | null;
  readonly batting_average_pct: number;
}

/** Returns less the risk-free ones. */
export interface ExcessReturns {
  readonly returns: Float64Array;
  readonly benchmark: Float64Array;
}

/** The mean return that is left when that of the benchmark is taken off `beta` times, compounded over a year. */
function alphaOf(returns: Float64Array, benchmark: Float64Array, beta: number | null, perYear: number): number | null {
  if (beta === null) return null;
  let left = 0;
  for (let t = 0; t < returns.length; t++) left += returns[t] - beta * benchmark[t];
  return finiteOrNull((1 + left / returns.length) ** perYear - 1);
}

/** Whether a sum of squares of deviations from the mean is one of figures that do not vary. */
const isFlat = (squares: number, count: number) => count < 2 || deviationOfSquares(squares, count) === 0;

/** Covariance ÷ variance of the benchmark. */
function betaIn({ ab, bb }: Products, count: number): number | null {
  return isFlat(bb, count) ? null : ab / bb;
}

function correlationIn({ ab, aa, bb }: Products, count: number): number | null {
  return isFlat(aa, count) || isFlat(bb, count) ? null : ab / Math.sqrt(aa * bb);
}

interface Capture {
  /** Annual return of the run ÷ that of the benchmark, over some sessions. */
  readonly annual: number | null;
  /** The same of the means. */
  readonly mean: number | null;
}

/** Over the sessions in which the benchmark rose (`sign` 1), or fell (`sign` -1). */
function captureOf(returns: Float64Array, benchmark: Float64Array, perYear: number, sign: 1 | -1): Capture {
  let [own, other, ownSum, otherSum, sessions] = [1, 1, 0, 0, 0];
  for (let t = 0; t < returns.length; t++) {
    const b = benchmark[t];
    if (!(sign * b > 0)) continue;
    own *= 1 + returns[t];
    other *= 1 + b;
    ownSum += returns[t];
    otherSum += b;
    sessions++;
  }
  if (sessions === 0) return { annual: null, mean: null };
  const annual = (growth: number) => annualReturn(withoutNoise(growth - 1), sessions, perYear);
  return {
    annual: ratioOf(annual(own), annual(other)),
    mean: ratioOf(ownSum / sessions, otherSum / sessions),
  };
}

/** Returns of both, and `excess`: less the risk-free ones; all without noise. `perYear`: how many a year has. */
export function benchmarkFigures(
  days: Int32Array,
  returns: Float64Array,
  benchmark: Float64Array,
  excess: ExcessReturns = { returns, benchmark },
  perYear = TRADING_DAYS_PER_YEAR,
  { months } = dayPeriodsOf(days),
): BenchmarkFigures {
  const total = compound(benchmark);
  const up = captureOf(returns, benchmark, perYear, 1);
  const down = captureOf(returns, benchmark, perYear, -1);
  const products = productsOf(returns, benchmark);
  const ofExcess = excess.returns === returns ? products : productsOf(excess.returns, excess.benchmark);
  const beta = betaIn(ofExcess, returns.length);
  const correlation = correlationIn(products, returns.length);
  const differences = new Float64Array(returns.length);
  for (let t = 0; t < returns.length; t++) differences[t] = withoutNoise(returns[t] - benchmark[t]);
  const active = (perYear * sumOf(differences)) / differences.length;
  const error = deviationOf(differences) * Math.sqrt(perYear);
  const [own, other] = [returnsOfPeriods(months, returns), returnsOfPeriods(months, benchmark)];
  return {
    total_pct: percentOf(total),
    annual_return_pct: percentOf(annualReturn(total, benchmark.length, perYear)),
    beta,
    alpha_pct: percentOf(alphaOf(excess.returns, excess.benchmark, beta, perYear)),
    correlation,
    r2: correlation && correlation ** 2,
    tracking_error_pct: returns.length < 2 ? null : percentOf(error),
    information_ratio: ratioOf(active, error),
    active_return_pct: percentOf(active),
    up_capture: up.annual,
    down_capture: down.annual,
    up_capture_mean: up.mean,
    down_capture_mean: down.mean,
    batting_average_pct: (100 * own.filter((r, i) => withoutNoise(r - other[i]) > 0).length) / months.length,
  };
}
