/** Trials: the combinations of parameters that accounts have computed. Deleting a run does not lower their number. */
import type { Queryable } from '../pool.ts';

export interface TrialsOf {
  readonly userId: number;
  /** 16 bytes that stand for instrument, strategy, adjustment, and execution. */
  readonly search: Buffer;
  /** 16 bytes for each combination, distinct. */
  readonly combinations: readonly Buffer[];
}

/** Records the combinations that are new, and returns how many the account has computed in this search, these included. */
export async function recordTrials(db: Queryable, { userId, search, combinations }: TrialsOf): Promise<number> {
  const { rows } = await db.query<{ count: number }>({
    name: 'record_trials',
    text: `with added as (
             insert into trials (user_id, search, combination) select $1, $2, unnest($3::bytea[])
             on conflict do nothing returning 1)
           select (select count(*) from trials where user_id = $1 and search = $2)::int
             + (select count(*) from added)::int as count`,
    values: [userId, search, combinations],
  });
  return rows[0].count;
}
