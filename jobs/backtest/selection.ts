/** What depends on the history of an account: how many trials stand behind a result, and what that leaves of it. */
import { countTrials, insertTrials } from '../../db/backtests/trials.ts';
import type { Queryable } from '../../db/pool.ts';
import type { ParameterValues } from '../../engine/strategies/parameters.ts';
import type { BacktestSpec } from './contract.ts';
import { type ReportedSelection, reportSelection, type SelectionBasis } from './statistics.ts';
import { trialsOf } from './trials.ts';

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

/**
 * Records the combinations of a run, whether a selection is asked for or not, and returns its selection; null where none is.
 * Of a guest only this run is known.
 */
export async function selectionOfRun(
  db: Queryable,
  { userId }: EndedRun,
  { spec, combinations, basis }: Selected,
): Promise<ReportedSelection | null> {
  if (userId === null && basis === undefined) return null;
  const trials = trialsOf(spec, combinations);
  if (userId !== null) await insertTrials(db, { userId, ...trials });
  if (basis === undefined) return null;
  const { search } = trials;
  const count = userId === null ? trials.combinations.length : await countTrials(db, { userId, search });
  return reportSelection(count, basis);
}
