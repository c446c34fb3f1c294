/** Runs that are recorded and queued in one statement, unless their owner has too many under way. */
import { type Queryable, statementOf } from '../pool.ts';
import type { Rows } from '../tables.ts';

type Recorded = Pick<
  Rows['backtest_runs'],
  'id' | 'kind' | 'owner' | 'user_id' | 'is_saved' | 'history_max' | 'spec' | 'request_id' | 'created_at'
>;

/** A run that asks to be admitted. */
export interface RequestedRun extends Recorded {
  /** Runs that the owner may have under way at once, this one included. */
  readonly max: number;
  /** The data of its job. */
  readonly data: object;
}

const JOBS_PARAMETER = '$1::text::json';
const ADMITTED_JOBS = `(select coalesce(json_agg(admitted), '[]') from admitted)`;

/**
 * Lets pg-boss insert the jobs of the runs that are admitted, and no others: its statement gets its jobs from `admit_runs`, which
 * has recorded the runs.
 */
export function admissionOn(db: Queryable, requested: readonly RequestedRun[]) {
  return {
    executeSql: (insert: string) => {
      const [before, after, ...rest] = insert.split(JOBS_PARAMETER);
      if (after === undefined || rest.length > 0) throw new Error('pg-boss inserts jobs in an unknown way');
      const text = `with admitted as materialized (select * from admit_runs($1))${before}${ADMITTED_JOBS}${after}`;
      return db.query(statementOf(text, [JSON.stringify(requested)]));
    },
  };
}
