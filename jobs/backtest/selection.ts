/** What depends on the history of an account: how many trials stand behind a result, and what that leaves of it. */
import type { Queryable } from '../../db/pool.ts';
import type { ParameterValues } from '../../engine/strategies/parameters.ts';
import type { BacktestSpec } from './contract.ts';
import { type ReportedSelection, reportSelection, type SelectionBasis } from './statistics.ts';
import { countTrials } from './trials.ts';

export interface EndedRun {
  readonly id: string;
  /** Null: a guest's. */
  readonly userId: number | null;
}

interface Selected {
  readonly spec: BacktestSpec;
  /** Everything that the run computed. */
  readonly combinations: readonly ParameterValues[];
  /** Absent where no statistics were asked for. */
  readonly basis: SelectionBasis | undefined;
}

/** Counts the combinations of a run, asked for or not, and returns its selection; null where none was asked for. */
export async function selectionOfRun(
  db: Queryable,
  { userId }: EndedRun,
  { spec, combinations, basis }: Selected,
): Promise<ReportedSelection | null> {
  if (userId === null && basis === undefined) return null;
  const trials = await countTrials(db, userId, spec, combinations);
  return basis === undefined ? null : reportSelection(trials, basis);
}
