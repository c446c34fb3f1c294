/** The strategies of a sweep with their combinations, read from its specification. */
import { expandGrid } from '../../engine/backtest/optimize.ts';
import { strategyOf } from '../../engine/rules/strategy.ts';
import { withDefaults } from '../../engine/strategies/strategy.ts';
import type { SweepRun } from '../../engine/sweep/cells.ts';
import type { SweepSpec } from '../contracts/sweep.ts';

export function runsOf({ runs }: SweepSpec): SweepRun[] {
  return runs.map((run) => {
    const strategy = withDefaults(strategyOf(run), run.params);
    const expanded = expandGrid(strategy, run.grid);
    if ('faults' in expanded) throw new Error(`the grid has a fault: ${JSON.stringify(expanded.faults)}`);
    return { strategy, combinations: expanded.combinations };
  });
}

export function countCombinations(runs: readonly SweepRun[]): number {
  return runs.reduce((sum, { combinations }) => sum + combinations.length, 0);
}
