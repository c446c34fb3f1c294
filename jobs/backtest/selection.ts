/** The part of a result that depends on the history of an account: its number of trials, and the figures corrected for it. */

import type { Queryable } from '../../db/pool.ts';
import { countTrials, insertTrials, type TrialsOf } from '../../db/runs/trials.ts';
import { type ReportedSelection, reportSelection, type SelectionBasis } from './statistics.ts';
import type { Trials } from './trials.ts';

interface Selected {
  /** Everything that the run computed. */
  readonly trials: Trials;
  /** Absent where no statistics were asked for. */
  readonly basis: SelectionBasis | undefined;
}

export interface RunSelection {
  /** Null: none was asked for. */
  readonly selection: ReportedSelection | null;
  /** Combinations that are still to be recorded, because nothing depends on their number. */
  readonly trials: TrialsOf | null;
}

/**
 * The selection of a run. It counts the distinct combinations that the account has computed in the same search, these included; of
 * a guest (`userId` null) only those of this run are known.
 */
export async function selectionOfRun(
  db: Queryable,
  userId: number | null,
  { trials: tried, basis }: Selected,
): Promise<RunSelection> {
  const trials = userId === null ? null : { userId, ...tried };
  if (basis === undefined) return { selection: null, trials };
  if (trials) await insertTrials(db, trials);
  const count = trials ? await countTrials(db, trials) : tried.combinations.length;
  return { selection: reportSelection(count, basis), trials: null };
}
