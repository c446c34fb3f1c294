/** The combinations that were tried for a result, from which its selection is computed. */
import { hash } from 'node:crypto';
import type { Queryable } from '../../db/pool.ts';
import { countTrials, insertTrials, type TrialsOf } from '../../db/runs/trials.ts';
import { canonicalJson } from './receipt.ts';
import { type ReportedSelection, reportSelection, type SelectionBasis } from './statistics.ts';

const KEY_BYTES = 16;

function keyOf(form: object): Buffer {
  return hash('sha256', canonicalJson(form), 'buffer').subarray(0, KEY_BYTES);
}

/** The trials that a run adds to those of its account: distinct combinations of parameters. */
export interface Trials {
  /** Identifies the instruments, strategy (all rules count as one), adjustment, and execution, but not the range. */
  readonly search: Buffer;
  readonly combinations: readonly Buffer[];
}

/** `search`: what runs that count together have in common; `combinations`: how they differ. */
export function trialsIn(search: object, combinations: readonly object[]): Trials {
  const keys = new Map(combinations.map(keyOf).map((key) => [key.toString('hex'), key]));
  return { search: keyOf(search), combinations: [...keys.values()] };
}

export interface Selected {
  /** All combinations that the run has computed. */
  readonly trials: Trials;
  /** The complete specification of the run as it is digested. */
  readonly form: object;
  readonly basis: SelectionBasis;
  /** Whether statistics were requested. */
  readonly isWanted: boolean;
  /** Whether it counts among the runs of the account. Default: true. */
  readonly isRun?: boolean;
}

/** Identifies a specification, whatever the engine that computes it. */
function specKey({ engine_version: _version, ...form }: { readonly engine_version?: unknown }): Buffer {
  return keyOf(form);
}

export interface RunSelection {
  /** Null: no statistics were requested. */
  readonly selection: ReportedSelection | null;
  /** Combinations that are recorded later, because the result does not depend on their number. */
  readonly trials: TrialsOf | null;
}

export const NO_SELECTION: RunSelection = { selection: null, trials: null };

/**
 * The selection of a run. Counts the distinct combinations that the account has computed in the same search, this run included; of a
 * guest (`userId` null) only those of this run are known.
 */
export async function selectionOfRun(
  db: Queryable,
  userId: number | null,
  { trials: tried, form, basis, isWanted, isRun = true }: Selected,
): Promise<RunSelection> {
  const account = isRun ? { spec: specKey(form), ...basis.tally } : null;
  const trials = userId === null ? null : { userId, ...tried, account };
  if (!isWanted) return { selection: null, trials };
  if (trials === null) return { selection: reportSelection(tried.combinations.length, basis, null), trials };
  await insertTrials(db, trials);
  const counted = await countTrials(db, trials);
  return { selection: reportSelection(counted.count, basis, counted.account), trials: null };
}
