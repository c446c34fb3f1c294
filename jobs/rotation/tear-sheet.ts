/** Makes the tear sheet of a rotation. */
import { partOfPortfolio } from '../../engine/tear-sheet/inputs.ts';
import { areTooLong, randomSets, scoredMembers } from '../../engine/tear-sheet/random-sets.ts';
import { seedOf, specDigest } from '../backtest/receipt.ts';
import { type MadeSheet, type ReadComparison, sheetOf } from '../backtest/tear-sheet.ts';
import type { RotationSpec } from '../contracts/rotation.ts';
import { KEPT_LIMITS } from './kept-histories.ts';
import { reportedRotation } from './report.ts';
import type { RotationOutcome } from './run.ts';
import { rotationForm } from './summary.ts';

export async function rotationSheet(
  spec: RotationSpec,
  outcome: RotationOutcome,
  comparison: ReadComparison,
): Promise<MadeSheet> {
  const { run, market, values, rule, benchmark } = outcome;
  const seed = seedOf(specDigest(rotationForm(spec)));
  const part = partOfPortfolio(reportedRotation(outcome), run, market, spec.execution);
  const panel = await panelOfSets(outcome);
  const input = panel && { panel, values, rule, execution: spec.execution };
  const sets = input ? { randomSets: () => randomSets(input, run, seed) } : { areSetsSkipped: true };
  return sheetOf({ ...part, ...sets }, benchmark, spec, comparison, seed);
}

/** Every member that random sets may hold, with its bars; null: they would take too long, or do not fit in memory. */
async function panelOfSets({ universe, values, run }: RotationOutcome) {
  if (areTooLong(universe.clock, run.rebalances)) return null;
  const scored = scoredMembers(values.rebalances);
  const bars = [...scored].reduce((sum, member) => sum + universe.members[member].bars, 0);
  return bars > KEPT_LIMITS.whole ? null : universe.panel(scored);
}
