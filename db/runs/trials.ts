/** The work of accounts: the combinations of each search, and every run. Deleting a run does not lower their number. */
import type { RunTally } from '../../engine/statistics/selection.ts';
import type { Queryable } from '../pool.ts';

/** The runs of one specification. */
export interface AccountRun extends RunTally {
  /** 16 bytes that identify the specification, whatever the engine. */
  readonly spec: Uint8Array;
}

export interface TrialsOf {
  readonly userId: number;
  /** 16 bytes that identify instrument, strategy, adjustment, and execution. */
  readonly search: Uint8Array;
  /** 16 bytes for each combination, distinct. */
  readonly combinations: readonly Uint8Array[];
  /** Null: it is no run of the account. */
  readonly account: AccountRun | null;
}

/** Records the combinations that are new, and the run if it is one. */
export async function insertTrials(db: Queryable, { userId, search, combinations, account }: TrialsOf): Promise<void> {
  const { spec = null, runs, measured, sum, squares } = account ?? {};
  await db.query({
    name: 'insert_trials',
    text: `with tried as (
             insert into trials (user_id, search, combination) select $1, $2, unnest($3::bytea[]) on conflict do nothing)
           insert into account_runs as a (user_id, spec, runs, measured, sum, squares)
           select $1, $4::bytea, $5::int, $6::int, $7::float8, $8::float8 where $4 is not null
           on conflict (user_id, spec) do update set runs = excluded.runs, measured = excluded.measured, sum = excluded.sum,
             squares = excluded.squares, at = greatest(a.at, excluded.at)`,
    values: [userId, search, combinations, spec, runs, measured, sum, squares],
  });
}

/** Sums over everything that an account has computed within a year. */
export type AccountTally = Omit<AccountRun, 'spec'>;

/** How many combinations the account has computed in a search, and everything that it has computed in 365 days. */
export async function countTrials(
  db: Queryable,
  { userId, search }: Pick<TrialsOf, 'userId' | 'search'>,
): Promise<{ readonly count: number; readonly account: AccountTally }> {
  const { rows } = await db.query<AccountTally & { count: number }>({
    name: 'count_trials',
    text: `select (select count(*)::int from trials where user_id = $1 and search = $2) as count,
             coalesce(sum(runs), 0)::float8 as runs, coalesce(sum(measured), 0)::float8 as measured,
             coalesce(sum(sum), 0) as sum, coalesce(sum(squares), 0) as squares
           from account_runs where user_id = $1 and at > now() - interval '365 days'`,
    values: [userId, search],
  });
  const { count, ...account } = rows[0];
  return { count, account };
}

/** How many runs the account has computed in 365 days. */
export async function countAccountRuns(db: Queryable, userId: number): Promise<number> {
  const { rows } = await db.query<{ runs: number }>({
    name: 'count_account_runs',
    text: `select coalesce(sum(runs), 0)::int as runs from account_runs
           where user_id = $1 and at > now() - interval '365 days'`,
    values: [userId],
  });
  return rows[0].runs;
}
