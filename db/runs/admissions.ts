/** Runs that are recorded unless their owner has too many under way. */
import { namedStatement, type Queryable } from '../pool.ts';
import type { Rows } from '../schema/tables.ts';

/** A run that asks to be admitted. */
export type RequestedRun = Pick<
  Rows['runs'],
  | 'id'
  | 'kind'
  | 'owner'
  | 'user_id'
  | 'is_saved'
  | 'history_max'
  | 'spec'
  | 'request_id'
  | 'created_at'
  | 'seconds_max'
> & {
  /** Runs that the owner may have under way at once, this one included. */
  readonly max: number;
};

/**
 * Records runs, and returns the turns of those that were admitted by their ids. Until the transaction ends, no other run of their owners
 * is admitted. `lane`: the kinds of runs with which these take turns.
 */
export async function admitRuns(
  db: Queryable,
  requested: readonly RequestedRun[],
  lane: readonly string[],
): Promise<Map<string, number>> {
  const { rows } = await db.query<{ id: string; turn: number }>(
    namedStatement('select id, turn from admit($1, $2)', [JSON.stringify(requested), lane]),
  );
  return new Map(rows.map(({ id, turn }) => [id, turn]));
}
