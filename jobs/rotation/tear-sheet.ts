/** Makes the tear sheet of a rotation. */
import { partOfPortfolio } from '../../engine/tear-sheet/inputs.ts';
import { seedOf, specDigest } from '../backtest/receipt.ts';
import { type MadeSheet, type ReadComparison, sheetOf } from '../backtest/tear-sheet.ts';
import type { RotationSpec } from '../contracts/rotation.ts';
import { reportedRotation } from './report.ts';
import type { RotationOutcome } from './run.ts';
import { rotationForm } from './summary.ts';

export function rotationSheet(spec: RotationSpec, outcome: RotationOutcome, comparison: ReadComparison): MadeSheet {
  const part = partOfPortfolio(reportedRotation(outcome), outcome.run, spec.execution);
  return sheetOf(part, outcome.benchmark, spec, comparison, seedOf(specDigest(rotationForm(spec))));
}
