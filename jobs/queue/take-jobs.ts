/** Takes jobs out of a queue for a worker. */
import type { PgBoss } from 'pg-boss';
import { type Pool, type Queryable, transaction } from '../../db/pool.ts';
import { lockQueueFetch } from '../../db/queue/job-claims.ts';
import { fetchesOf, type TakenJob, type TakingWorker, takingOn } from '../../db/queue/job-fetch.ts';
import { QUEUES } from './queues.ts';
import type { Turn } from './turns.ts';

export interface Taking {
  readonly fetching: Pool;
  readonly boss: PgBoss;
  readonly worker: TakingWorker;
}

/** Takes no jobs of the accounts `ignoreGroups`. Only one worker at a time takes jobs from a queue whose policy limits how many jobs run. */
export function takeJobs(
  { fetching, boss, worker }: Taking,
  { queue, batchSize }: Turn,
  ignoreGroups: string[],
): Promise<TakenJob[]> {
  const takeOn = async (on: Queryable) => {
    const taking = takingOn(on, worker);
    await boss.fetch(queue, { batchSize, ignoreGroups, includeMetadata: true, db: fetchesOf(taking) });
    return taking.jobs;
  };
  if (QUEUES[queue].options.policy === 'standard') return takeOn(fetching);
  return transaction(fetching, async (connection) => {
    await lockQueueFetch(connection, queue);
    return takeOn(connection);
  });
}
