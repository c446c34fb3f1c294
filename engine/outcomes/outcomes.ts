/** Everything that is told of the hits of a condition. */
import { betasOf } from './betas.ts';
import { type Extreme, extremesOf } from './extremes.ts';
import type { FoundHits } from './hits.ts';
import { type HorizonOutcome, horizonOutcome } from './horizon.ts';
import type { OutcomePanel } from './panel.ts';
import { type OutcomePath, pathOf } from './path.ts';
import { type Compare, returnsAround } from './returns.ts';

export interface Question {
  readonly compare: Compare;
  readonly horizons: readonly number[];
  /** Whether hits are told apart. */
  readonly hasBy: boolean;
  /** The seed of the resamples of the path. */
  readonly seed: string;
}

export interface Outcomes {
  readonly hits: number;
  /** Sessions with a hit. */
  readonly days: number;
  /** Those on which every member is a hit. */
  readonly left_out: number;
  readonly horizons: readonly HorizonOutcome[];
  /** Null: they are compared with nothing. */
  readonly path: OutcomePath | null;
  /** At the longest horizon. */
  readonly best: readonly Extreme[];
  readonly worst: readonly Extreme[];
}

export function outcomesOf(
  panel: OutcomePanel,
  found: FoundHits,
  { compare, horizons, hasBy, seed }: Question,
): Outcomes {
  const returns = returnsAround(panel, found, compare, horizons);
  const betas = compare === 'none' ? null : betasOf(panel, found);
  return {
    hits: found.rows.length,
    days: new Set(found.rows).size,
    left_out: returns.leftOut,
    horizons: horizons.map((horizon) => horizonOutcome(returns, horizon, betas, hasBy)),
    path: compare === 'none' ? null : pathOf(returns, seed),
    ...extremesOf(returns, Math.max(...horizons)),
  };
}
