/** Many runs of one strategy over one range: indicators are computed once for all of them. */
import type { IndicatorSet } from '../indicators/indicator-set.ts';
import type { OverlayValues } from '../strategies/catalogue.ts';
import type { ParameterValues } from '../strategies/parameters.ts';
import type { Strategy } from '../strategies/strategy.ts';
import { type Simulation, type SimulationInput, simulate } from './simulate.ts';

/** What all runs of a sweep have in common. */
export type SweepInput = Omit<SimulationInput, 'signals' | 'overlays'>;

/** What `judge` makes of the run of each combination, in their order. */
export function sweep<T>(
  input: SweepInput,
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
