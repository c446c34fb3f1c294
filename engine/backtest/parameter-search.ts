/** Many runs of one strategy over one range: indicators are computed once for all of them. */
import type { IndicatorSet } from '../indicators/indicator-set.ts';
import type { OverlayValues } from '../strategies/catalogue.ts';
import type { ParameterValues } from '../strategies/parameters.ts';
import type { Strategy } from '../strategies/strategy.ts';
import { type Simulation, type SimulationInput, simulate } from './simulate.ts';

/** Everything that the runs of a search have in common. */
export type ParameterSearchInput = Omit<SimulationInput, 'signals' | 'overlays'>;

/** Runs every combination and returns the answers of `judge`, in the order of the combinations. */
export function searchParameters<T>(
  input: ParameterSearchInput,
  strategy: Strategy,
  combinations: readonly ParameterValues[],
  indicators: IndicatorSet,
  judge: (run: Simulation) => T,
): T[] {
  return combinations.map((values) => {
    const signals = strategy.signals(indicators, values as never);
    return judge(simulate({ ...input, signals, overlays: values as unknown as OverlayValues }));
  });
}
