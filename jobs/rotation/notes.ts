/** Notes that only rotations have. */
import { endedLines, mixesVolumes } from '../../engine/rotation/notes.ts';
import { rotationRules } from '../../engine/rotation/rules.ts';
import { findFunction } from '../../engine/rules/functions/catalogue.ts';
import { argumentsOf, type Expression, isParameter, isText } from '../../engine/rules/syntax.ts';
import { type NoteCode, survivorNotes } from '../backtest/notes.ts';
import type { RotationSpec } from '../contracts/rotation.ts';
import type { RotationOutcome } from './run.ts';

export function rotationNotes(spec: RotationSpec, outcome: RotationOutcome): readonly NoteCode[] {
  const { universe, panel, values, run } = outcome;
  const { where, score } = rotationRules(spec.texts).expressions;
  const expressions = [where, score].filter((one) => one !== null);
  const isUnpaid =
    spec.adjust !== 'total' && universe.members.some((member) => isPaidWithin(member, universe.clock[0]));
  const notes: NoteCode[] = isUnpaid ? ['price_return'] : [];
  if (spec.universe.instruments !== null) {
    const facts = universe.members.map(({ instrument }) => instrument);
    notes.push(...survivorNotes(facts, { asOf: spec.asOf, isPointInTime: false }));
  }
  if (expressions.some(hasGroup)) notes.push('groups_as_of_today');
  const bars = Math.max(...expressions.map((one) => volumeWindow(one)));
  const sessions = values.rebalances.map(({ session }) => session);
  if (bars > 0 && mixesVolumes(panel, sessions, bars)) notes.push('volume_basis_changes');
  if (endedLines(panel, run).length > 0) notes.push('line_ended');
  if (run.rebalances.some(({ areWeightsDefined }) => !areWeightsDefined)) notes.push('weights_undefined');
  return notes;
}

function isPaidWithin({ lastDividend, days }: RotationOutcome['universe']['members'][number], start: number): boolean {
  return lastDividend !== null && lastDividend > Math.max(start, days[0]);
}

function hasGroup(expression: Expression): boolean {
  if (typeof expression === 'number' || isParameter(expression) || isText(expression)) return false;
  const args = argumentsOf(expression);
  return (findFunction(expression[0])?.kind === 'across' && args.some(isText)) || args.some(hasGroup);
}

/** Bars that a window over volumes reads; 0: there is none. `inside`: of the windows around. */
function volumeWindow(expression: Expression, inside = 0): number {
  if (typeof expression === 'number' || isParameter(expression) || isText(expression)) return 0;
  const [name] = expression;
  if (name === 'volume') return inside;
  const args = argumentsOf(expression);
  const last = args.at(-1);
  const isWindow = findFunction(name)?.kind === 'window' && typeof last === 'number';
  const own = isWindow ? last : 0;
  return Math.max(0, ...args.map((argument) => volumeWindow(argument, inside + own)));
}
