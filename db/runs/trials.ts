/** Trials: the combinations of parameters that accounts have computed. Deleting a run does not lower their number. */
import type { Queryable } from '../pool.ts';

export interface TrialsOf {
  readonly userId: number;
  /** 16 bytes that identify instrument, strategy, adjustment, and execution. */
  readonly search: Uint8Array;
  /** 16 bytes for each combination, distinct. */
  readonly combinations: readonly Uint8Array[];
}

/** Records the combinations that are new. */
export async function insertTrials(db: Queryable, { userId, search, combinations }: TrialsOf): Promise<void> {
  await db.query({
    name: 'insert_trials',
    text: `insert into trials (user_id, search, combination) select $1, $2, unnest($3::bytea[])
           on conflict do nothing`,
    values: [userId, search, combinations],
  });
}

/** How many combinations the account has computed in a search. */
export async function countTrials(db: Queryable, { userId, search }: Omit<TrialsOf, 'combinations'>): Promise<number> {
  const { rows } = await db.query<{ count: number }>({
    name: 'count_trials',
    text: 'select count(*)::int as count from trials where user_id = $1 and search = $2',
    values: [userId, search],
  });
  return rows[0].count;
}
