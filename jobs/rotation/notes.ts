/** Notes that only rotations have. */
import { endedLines, spansVolumeBases } from '../../engine/rotation/notes.ts';
import { rotationRules } from '../../engine/rotation/rules.ts';
import { findFunction } from '../../engine/rules/functions/catalogue.ts';
import { argumentsOf, type Expression, isParameter, isText } from '../../engine/rules/syntax.ts';
import type { RotationSpec } from '../contracts/rotation.ts';
import { type DetailsByCode, type NoteCode, survivorNotes } from '../runs/notes.ts';
import type { RotationOutcome } from './run.ts';

export function rotationNotes(spec: RotationSpec, outcome: RotationOutcome): readonly NoteCode[] {
  const { universe, panel, run } = outcome;
  const { where, score } = rotationRules(spec.texts).expressions;
  const expressions = [where, score].filter((one) => one !== null);
  const isUnpaid =
    spec.adjust !== 'total' && universe.members.some((member) => isPaidWithin(member, universe.clock[0]));
  const notes: NoteCode[] = isUnpaid ? ['price_return'] : [];
  if (expressions.some(hasGroup)) notes.push('groups_as_of_today');
  if (expressions.some(usesVolume) && spansVolumeBases(universe)) notes.push('volume_basis_changes');
  if (endedLines(panel, run).length > 0) notes.push('line_ended');
  if (run.rebalances.some(({ areWeightsDefined }) => !areWeightsDefined)) notes.push('weights_undefined');
  return notes;
}

export function survivorsOf({ members, clock }: RotationOutcome['universe']): DetailsByCode {
  const all = members.map(({ instrument, isDelisted }) => ({
    isEtf: instrument.assetType === 'etf',
    hasEnded: isDelisted,
  }));
  return survivorNotes(all, clock[clock.length - 1] - clock[0]);
}

function isPaidWithin({ lastDividend, days }: RotationOutcome['universe']['members'][number], start: number): boolean {
  return lastDividend !== null && lastDividend > Math.max(start, days[0]);
}

function hasGroup(expression: Expression): boolean {
  if (typeof expression === 'number' || isParameter(expression) || isText(expression)) return false;
  const args = argumentsOf(expression);
  return (findFunction(expression[0])?.kind === 'across' && args.some(isText)) || args.some(hasGroup);
}

/** Whether a rule reads volumes. */
function usesVolume(expression: Expression): boolean {
  if (typeof expression === 'number' || isParameter(expression) || isText(expression)) return false;
  const [name] = expression;
  return name === 'volume' || argumentsOf(expression).some(usesVolume);
}
