/** How many jobs of each queue have ended lately, for operators. */
import type { Queryable } from '../pool.ts';

interface EndedJobs {
  readonly queue: string;
  /** Whole steps that have passed since these jobs ended. */
  readonly stepsAgo: number;
  readonly jobs: number;
}

/** Jobs that ended, completed or failed, in each of the last `steps` steps of `stepS` seconds; the oldest step first. */
export async function selectQueueActivity<Name extends string>(
  db: Queryable,
  queues: readonly Name[],
  { steps, stepS }: { readonly steps: number; readonly stepS: number },
): Promise<{ readonly queue: Name; readonly ended: readonly number[] }[]> {
  const { rows } = await db.query<EndedJobs>(
    `select name as queue, floor(extract(epoch from now() - completed_on) / $2)::int as "stepsAgo", count(*)::int as jobs
     from pgboss.job
     where state in ('completed', 'failed') and completed_on <= now() and completed_on > now() - make_interval(secs => $1)
     group by 1, 2`,
    [steps * stepS, stepS],
  );
  return queues.map((queue) => {
    const ended = new Array<number>(steps).fill(0);
    for (const row of rows) if (row.queue === queue) ended[steps - 1 - row.stepsAgo] = row.jobs;
    return { queue, ended };
  });
}
