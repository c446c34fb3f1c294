/** One run of a strategy with given parameters over a range of bars. */
import { IndicatorSet } from '../indicators/indicator-set.ts';
import type { ParameterValues } from '../strategies/parameters.ts';
import type { Strategy, StrategyPlan } from '../strategies/strategy.ts';
import { type Simulation, type SimulationInput, simulate } from './simulate.ts';

/** Bars, range, and costs: everything that runs with different parameters have in common. */
export type RunInput = Omit<SimulationInput, keyof StrategyPlan>;

/** `indicators` of `input.series`: runs that share them compute each indicator once. */
export function runStrategy(
  strategy: Strategy,
  params: ParameterValues,
  input: RunInput,
  indicators = new IndicatorSet(input.series),
): Simulation {
  const { signals, overlays } = strategy.plan(indicators, params);
  return simulate({ ...input, signals, overlays });
}
