/** Lists of the jobs in the queue. */
import type { Page, PageRequest } from '../page.ts';
import type { Queryable } from '../pool.ts';
import { raw, rowsOf, selectPage } from '../query-builder.ts';
import { CAUSE, JOB_COLUMNS, type JobState, type QueueJob, withoutNumbers } from './queue-jobs.ts';

export interface JobFilter {
  readonly queue?: string;
  readonly state?: JobState;
  /** Only failed jobs with this cause. The message of such a failure names it too. */
  readonly cause?: string;
}

const GIVEN_CAUSE = withoutNumbers('?');
const IS_OF_CAUSE = `${CAUSE} = ${GIVEN_CAUSE}`;

/** Newest first. */
export function selectJobs(
  db: Queryable,
  { queue, state, cause }: JobFilter,
  page: PageRequest,
): Promise<Page<QueueJob>> {
  const matching = rowsOf('pgboss.job', { name: queue, state: state === 'waiting' ? 'created' : state });
  if (cause !== undefined) matching.where('state', 'failed').whereRaw(IS_OF_CAUSE, [cause]);
  return selectPage(db, matching, page, (jobs) =>
    jobs
      .select<QueueJob[]>(raw(`${JOB_COLUMNS}, null as stack`))
      .orderBy('created_on', 'desc')
      .orderBy('id'),
  );
}
