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
const LONE = `admit_run(${Array.from({ length: 12 }, (_, i) => `$${i + 1}`)})`;
const TOGETHER = 'admit_runs($1, $2)';

/**
 * Lets pg-boss insert the jobs of the runs that are admitted, and no others: its statement gets its jobs from `admit_run`, or from
 * `admit_runs` if there are several, which has recorded the runs. `areAwaited`: the callers hear nothing before the runs have ended,
 * so that recording them does not wait for the disk.
 */
export function admissionOn(db: Queryable, requested: readonly RequestedRun[], areAwaited: boolean) {
  const [first, ...others] = requested;
  const isLone = first !== undefined && others.length === 0;
  const values = isLone ? valuesOf(first, areAwaited) : [JSON.stringify(requested), areAwaited];
  return {
    executeSql: (insert: string) => {
      const [before, after, ...rest] = insert.split(JOBS_PARAMETER);
      if (after === undefined || rest.length > 0) throw new Error('pg-boss inserts jobs in an unknown way');
      const admitted = `with admitted as materialized (select * from ${isLone ? LONE : TOGETHER})`;
      return db.query(statementOf(`${admitted}${before}${ADMITTED_JOBS}${after}`, values));
    },
  };
}

/** The parameters of `admit_run`. */
function valuesOf(run: RequestedRun, isAwaited: boolean): unknown[] {
  const { id, kind, owner, user_id, is_saved, history_max, spec, request_id, created_at, max, data } = run;
  const account = [user_id, is_saved, history_max];
  return [id, kind, owner, ...account, JSON.stringify(spec), request_id, created_at, max, data, isAwaited];
}
