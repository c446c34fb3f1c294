/** A sweep whose chunks are all stored. */
import { expandGrid } from '../../engine/backtest/optimize.ts';
import type { OtherInstruments } from '../../engine/rules/other-instruments.ts';
import { strategyOf } from '../../engine/rules/strategy.ts';
import { withDefaults } from '../../engine/strategies/strategy.ts';
import type { SweepRun } from '../../engine/sweep/cells.ts';
import type { SweepInstrument, SweepSpec } from '../contracts/sweep.ts';
import type { ChunkObject } from './chunk-object.ts';

export interface StoredChunk extends ChunkObject {
  /** In the order of the chunk. */
  readonly members: readonly SweepInstrument[];
}

export interface StoredSweep {
  readonly id: string;
  readonly userId: number;
  readonly cells: number;
  readonly spec: SweepSpec;
  readonly runs: readonly SweepRun[];
  /** In the order of the sweep. */
  readonly chunks: readonly StoredChunk[];
}

export interface NamedCombination {
  readonly strategy: string;
  readonly params: SweepRun['combinations'][number];
}

/** All combinations, in the order of the cells. */
export function combinationsOf({ runs }: Pick<StoredSweep, 'runs'>): NamedCombination[] {
  return runs.flatMap(({ strategy, combinations }) =>
    combinations.map((params) => ({ strategy: strategy.code, params })),
  );
}

/** `others`: by the place of the run; without them the runs can be counted, but not run. */
export function runsOf({ runs }: SweepSpec, others: readonly (OtherInstruments | undefined)[] = []): SweepRun[] {
  return runs.map((run, i) => {
    const strategy = withDefaults(strategyOf(run, others[i]), run.params);
    const expanded = expandGrid(strategy, run.grid);
    if ('refused' in expanded) throw new Error(`the grid has refused values: ${JSON.stringify(expanded.refused)}`);
    return { strategy, combinations: expanded.combinations };
  });
}

export function countCombinations(runs: readonly SweepRun[]): number {
  return runs.reduce((sum, { combinations }) => sum + combinations.length, 0);
}
