/** Runs that are recorded and queued in one statement, unless their owner has too many under way. */
import { type Queryable, statementOf } from '../pool.ts';
import type { Rows } from '../tables.ts';

type Recorded = Pick<
  Rows['backtest_runs'],
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
>;

/** A run that asks to be admitted. */
export interface RequestedRun extends Recorded {
  /** Runs that the owner may have under way at once, this one included. */
  readonly max: number;
  /** Within a turn a higher plan comes first; from 0 to 3. */
  readonly plan_rank: number;
  /** The data of its job. */
  readonly data: object;
}

const JOBS_PARAMETER = '$1::text::json';
const ADMITTED_JOBS = `(select coalesce(json_agg(admitted), '[]') from admitted)`;

export interface Admission {
  readonly requested: readonly RequestedRun[];
  /** The kinds of runs with which these take turns. */
  readonly lane: readonly string[];
  /** Whether the callers hear nothing before the runs have ended, so that recording them does not wait for the disk. */
  readonly areAwaited: boolean;
}

/** Lets pg-boss insert the jobs of the runs that are admitted, and no others: its statement gets its jobs from `admit`, which records the runs. */
export function admissionOn(db: Queryable, { requested, lane, areAwaited }: Admission) {
  const values = [JSON.stringify(requested), areAwaited, lane];
  return {
    executeSql: (insert: string) => {
      const [before, after, ...rest] = insert.split(JOBS_PARAMETER);
      if (after === undefined || rest.length > 0) throw new Error('pg-boss inserts jobs in an unknown way');
      const admitted = 'with admitted as materialized (select * from admit($1, $2, $3))';
      return db.query(statementOf(`${admitted}${before}${ADMITTED_JOBS}${after}`, values));
    },
  };
}
