/** Rotations that cannot be run, whatever the market does. */
import type { Panel } from './panel.ts';
import type { NameCount, Selection } from './selection.ts';
import type { WeightMethod } from './weights/methods.ts';
import { OF_RETURNS, type WeightRule } from './weights/weights.ts';

/**
 * `min_weight_not_taken`: the method has no smallest weight. `score_ascending`: the best score would have the smallest weight.
 * `fixed_above_one`: money would be borrowed. `bounds_never_met`: a full set cannot have weights within the bounds.
 * `sample_too_short`: the sample covariance of so many names does not determine a minimum.
 */
export type WeightFault =
  | 'min_weight_not_taken'
  | 'score_ascending'
  | 'fixed_above_one'
  | 'bounds_never_met'
  | 'sample_too_short';

const TAKES_MIN_WEIGHT: ReadonlySet<WeightMethod> = new Set(['min_variance', 'max_diversification']);
const SOLVED: ReadonlySet<WeightMethod> = new Set(['min_variance', 'risk_parity', 'max_diversification']);

/** Whether the sample covariance of so many names determines no minimum. */
export function isSampleTooShort({ method, covariance, lookback }: WeightRule, names: number): boolean {
  return covariance === 'sample' && SOLVED.has(method) && names >= lookback;
}

/** Given weights are sums of decimals. */
const ROUNDING = 1e-9;

/** `fixed`: the given weights. Null: nothing is wrong. */
export function weightFault(
  rule: WeightRule,
  { order, hold }: Pick<Selection, 'order' | 'hold'>,
  fixed: readonly number[] = [],
): WeightFault | null {
  const { method, bounds } = rule;
  const { min, max } = bounds;
  const names = namesOf(hold);
  if (min > 0 && !TAKES_MIN_WEIGHT.has(method)) return 'min_weight_not_taken';
  if (method === 'score' && order === 'asc') return 'score_ascending';
  if (fixed.reduce((sum, weight) => sum + weight, 0) > 1 + ROUNDING) return 'fixed_above_one';
  if (min > max || names * min > 1 + ROUNDING) return 'bounds_never_met';
  return isSampleTooShort(rule, names) ? 'sample_too_short' : null;
}

/** A set of a percentage has at least one name. */
const namesOf = (hold: NameCount) => ('top' in hold ? hold.top : 1);

export interface MissingHistory {
  /** Sessions up to the first rebalance, and those that its weights need. */
  readonly there: number;
  readonly needed: number;
}

/** Whether the weights of the first rebalance, at session `t` of the clock, reach back before the first bar; null: they do not. */
export function missingHistory({ first }: Pick<Panel, 'first'>, t: number, rule: WeightRule): MissingHistory | null {
  if (!OF_RETURNS.has(rule.method) && rule.targetVolatilityPct === null) return null;
  const there = first + t + 1;
  const needed = rule.lookback + 1;
  return there < needed ? { there, needed } : null;
}
