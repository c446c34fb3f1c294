/** The weights of the names that a rotation holds, and the returns that they are computed from. */
import type { Matrix } from 'ml-matrix';
import { type BarSeries, firstIndexFrom } from '../../market/series.ts';
import type { Panel } from '../panel.ts';
import { type Bounds, canBeMet, cutToMaximum, minimizeQuadratic, NoSolution, normalized } from './bounded-quadratic.ts';
import { type CovarianceMethod, covarianceOf, deviationOf, isDegenerate, type Returns } from './covariance.ts';
import { hierarchicalRiskParity } from './hierarchical.ts';
import { maxDiversification, varianceOf } from './max-diversification.ts';
import type { WeightMethod } from './methods.ts';
import { riskParity } from './risk-parity.ts';

export interface ReturnWindow {
  /** A column per name, a return per session; 0 where the name has no bar. */
  readonly returns: Returns;
  /** Names with too few returns, or without any movement: nothing can be computed for them. */
  readonly isThin: readonly boolean[];
}

/** Names with returns on fewer of the sessions are thin: 90 of 100. */
const SMALLEST_SHARE = 90;
/** A deviation that is rounding alone. */
const NO_DEVIATION = 1e-12;

/** Simple returns from own bar to own bar over the last `lookback` sessions up to session `t` of the clock. */
export function returnWindow(
  { members, sessions, first }: Panel,
  names: readonly number[],
  t: number,
  lookback: number,
) {
  const end = first + t + 1;
  const window = sessions.subarray(end - lookback, end);
  const columns = names.map((name) => returnsOf(members[name].series, window));
  return {
    returns: columns.map(({ returns }) => returns),
    isThin: columns.map(
      ({ returns, count }) => 100 * count < SMALLEST_SHARE * lookback || deviationOf(returns) <= NO_DEVIATION,
    ),
  } satisfies ReturnWindow;
}

function returnsOf(series: BarSeries, window: Int32Array) {
  const { day, close, length } = series;
  const returns = new Float64Array(window.length);
  let count = 0;
  let index = firstIndexFrom(series, window[window.length - 1] + 1);
  for (let s = window.length - 1; s >= 0; s--) {
    while (index > 0 && (index === length || day[index] > window[s])) index--;
    if (index <= 0) break;
    if (day[index] !== window[s]) continue;
    returns[s] = close[index] / close[index - 1] - 1;
    count++;
  }
  return { returns, count };
}

/** The weights of the smallest variance. */
export function minVariance(covariance: Matrix, bounds: Bounds): Float64Array {
  const gain = new Float64Array(covariance.rows);
  return minimizeQuadratic({ covariance: normalized(covariance), gain, bounds }).weights;
}

export interface WeightRule {
  readonly method: WeightMethod;
  /** Sessions of the window. */
  readonly lookback: number;
  readonly covariance: CovarianceMethod;
  readonly bounds: Bounds;
  /** Annualized, in percent; null: no target. */
  readonly targetVolatilityPct: number | null;
}

/** Names to hold, in the order of their tickers. */
export interface WeightedSet {
  /** One per name, above 0 where they are the weights. */
  readonly scores: readonly number[];
  /** Weights that were given, one per name; for `fixed`. */
  readonly fixed: readonly number[];
  /** The sum of equal weights that are wanted instead of those of the method. */
  readonly total?: number;
  /** The returns up to the session; called only where weights depend on them. */
  readonly window: () => ReturnWindow;
}

/** Shares of the equity, one per name, before the cash buffer; they sum to at most 1. */
export interface Weights {
  readonly weights: Float64Array;
  /** Their sum before the volatility target. */
  readonly total: number;
  /** False: the method has no solution, and the weights are equal ones within the bounds. */
  readonly areDefined: boolean;
}

/** Weights below it are 0. */
const SMALLEST_WEIGHT = 1e-6;
const SESSIONS_PER_YEAR = 252;

/** Methods that read the returns of the past. */
export const OF_RETURNS: ReadonlySet<WeightMethod> = new Set([
  'inverse_volatility',
  'min_variance',
  'risk_parity',
  'hrp',
  'max_diversification',
]);

const SOLVERS = {
  min_variance: minVariance,
  max_diversification: maxDiversification,
  risk_parity: riskParity,
} as const satisfies Partial<Record<WeightMethod, (covariance: Matrix, bounds: Bounds) => Float64Array>>;

/** A rule whose weights are computed from returns. */
type RuleOfReturns = Pick<WeightRule, 'covariance' | 'bounds'> & {
  readonly method: keyof typeof SOLVERS | 'inverse_volatility' | 'hrp';
};

export function weightsOf(rule: WeightRule, set: WeightedSet): Weights {
  const names = set.scores.length;
  if (names === 0) return { weights: new Float64Array(0), total: 0, areDefined: true };
  const found = set.total === undefined ? ofMethod(rule, set) : new Float64Array(names).fill(set.total / names);
  const areDefined = found?.every(Number.isFinite) ?? false;
  const weights = cutToMaximum(found && areDefined ? found : equal(names), rule.bounds.max);
  const scaled = rule.targetVolatilityPct === null ? weights : toTarget(rule, weights, set, rule.targetVolatilityPct);
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  return { areDefined, total, weights: scaled.map((weight) => (weight < SMALLEST_WEIGHT ? 0 : weight)) };
}

/** Null: the method has no solution. */
function ofMethod(rule: WeightRule, set: WeightedSet): Float64Array | null {
  const names = set.scores.length;
  switch (rule.method) {
    case 'equal':
      return equal(names);
    case 'fixed':
      return Float64Array.from(set.fixed);
    case 'score':
      return inProportion(Float64Array.from(set.scores));
    case 'inverse_volatility':
    case 'min_variance':
    case 'risk_parity':
    case 'hrp':
    case 'max_diversification':
      return ofReturns({ ...rule, method: rule.method }, set.window());
  }
}

const equal = (names: number) => new Float64Array(names).fill(1 / names);

function inProportion(values: Float64Array): Float64Array {
  const sum = values.reduce((total, value) => total + value, 0);
  // Nothing is a share of a sum that overflows.
  return values.map((value) => (sum === Number.POSITIVE_INFINITY ? Number.NaN : value / sum));
}

/** A thin name has an equal share; the others divide the rest, within bounds that hold for what they then have of the whole. */
function ofReturns({ bounds, ...rule }: RuleOfReturns, { returns, isThin }: ReturnWindow): Float64Array | null {
  const out = equal(returns.length);
  const others = [...isThin.keys()].filter((i) => !isThin[i]);
  if (others.length === 0) return out;
  const share = others.length / returns.length;
  const proportions = solved(
    { ...rule, bounds: { min: bounds.min / share, max: bounds.max / share } },
    others.map((i) => returns[i]),
  );
  if (proportions === null) return null;
  for (const [k, i] of others.entries()) out[i] = (proportions[k] * others.length) / returns.length;
  return out;
}

/** Null: there is no solution. */
function solved({ method, covariance, bounds }: RuleOfReturns, returns: Returns): Float64Array | null {
  const names = returns.length;
  if (method === 'inverse_volatility') return inProportion(Float64Array.from(returns, (one) => 1 / deviationOf(one)));
  if (names === 1) return equal(1);
  const matrix = covarianceOf(covariance, returns);
  // Its tree needs no inverse, so that it has weights where the solvers have none.
  if (method === 'hrp') return hierarchicalRiskParity(matrix);
  if (isDegenerate(matrix)) return null;
  // A set that is too small or too large for its bounds is divided equally.
  if (method !== 'risk_parity' && !canBeMet(bounds, names)) return equal(names);
  const solve = SOLVERS[method];
  try {
    return solve(matrix, bounds);
  } catch (error) {
    if (error instanceof NoSolution) return null;
    throw error;
  }
}

/** All weights are reduced until the volatility that is expected of them is not above the target; the rest is cash. */
function toTarget(
  { covariance }: WeightRule,
  weights: Float64Array,
  { window }: WeightedSet,
  targetPct: number,
): Float64Array {
  const matrix: Matrix = covarianceOf(covariance, window().returns);
  const expectedPct = 100 * Math.sqrt(SESSIONS_PER_YEAR * varianceOf(matrix, weights));
  return expectedPct > targetPct ? weights.map((weight) => (weight * targetPct) / expectedPct) : weights;
}
