/** The queues of pg-boss: which are paused, and how many jobs wait, run, and end in each. Only pg-boss writes its tables. */
import { type Actor, actorName, actorValues } from '../actors.ts';
import type { Queryable } from '../pool.ts';

export const QUEUE_PAUSES_CHANNEL = 'queue_pauses';

/** The time by which jobs are queued: the database's, whatever the clock of the service. */
export async function selectQueueTime(db: Queryable): Promise<Date> {
  const { rows } = await db.query<{ at: Date }>('select clock_timestamp() as at');
  return rows[0].at;
}

export async function isQueuePaused(db: Queryable, queue: string): Promise<boolean> {
  const { rowCount } = await db.query('select from paused_queues where queue = $1', [queue]);
  return rowCount === 1;
}

/** False when the queue was already paused. */
export async function insertPause(db: Queryable, queue: string, by: Actor, at: Date): Promise<boolean> {
  const { rowCount } = await db.query(
    'insert into paused_queues (queue, paused_by_id, paused_by, paused_at) values ($1, $2, $3, $4) on conflict do nothing',
    [queue, ...actorValues(by), at],
  );
  return rowCount === 1;
}

/** False when the queue was not paused. */
export async function deletePause(db: Queryable, queue: string): Promise<boolean> {
  const { rowCount } = await db.query('delete from paused_queues where queue = $1', [queue]);
  return rowCount === 1;
}

export interface QueueState<Name extends string = string> {
  readonly queue: Name;
  readonly waiting: number;
  readonly active: number;
  readonly retry: number;
  readonly failed: number;
  /** In the last hour. */
  readonly completed: number;
  /** Seconds for which the oldest job that could run has waited; null: none waits. */
  readonly oldestWaitingS: number | null;
  readonly pausedBy: string | null;
  readonly pausedAt: Date | null;
}

/** SQL: the condition of the index of jobs that have not ended, or have failed. */
const IS_UNSETTLED = `state in ('created', 'retry', 'active', 'failed')`;

/** The states of the named queues, in their order, including queues without jobs. */
export async function selectQueueStates<Name extends string>(
  db: Queryable,
  queues: readonly Name[],
): Promise<QueueState<Name>[]> {
  const { rows } = await db.query<QueueState<Name>>(
    `select q.name as queue, coalesce(l.waiting, 0) as waiting, coalesce(l.active, 0) as active,
       coalesce(l.retry, 0) as retry, coalesce(l.failed, 0) as failed, l."oldestWaitingS", e.completed,
       ${actorName('p', 'paused_by')} as "pausedBy", p.paused_at as "pausedAt"
     from unnest($1::text[]) with ordinality q (name, n)
     left join (
       select name, count(*) filter (where state = 'created') as waiting, count(*) filter (where state = 'active') as active,
         count(*) filter (where state = 'retry') as retry, count(*) filter (where state = 'failed') as failed,
         extract(epoch from now() - min(greatest(created_on, start_after))
           filter (where state < 'active' and start_after <= now()))::float8 as "oldestWaitingS"
       from pgboss.job where ${IS_UNSETTLED} group by name) l on l.name = q.name
     cross join lateral (
       select count(*) filter (where state = 'completed') as completed from pgboss.job j
       where j.name = q.name and completed_on > now() - interval '1 hour') e
     left join paused_queues p on p.queue = q.name order by q.n`,
    [queues],
  );
  return rows;
}

/** The queues that are paused, and those with jobs that could run. */
export interface WaitingQueues<Name> {
  readonly paused: readonly Name[];
  readonly waiting: readonly Name[];
}

/** Planned at each execution, because the table of jobs fills faster than it is analyzed. */
export async function selectWaitingQueues<Name extends string>(
  db: Queryable,
  queues: readonly Name[],
): Promise<WaitingQueues<Name>> {
  const { rows } = await db.query<WaitingQueues<Name>>(
    `select array(select queue from paused_queues where queue = any($1)) as paused,
       array(
         select queue from unnest($1::text[]) queue
         where exists (select from pgboss.job j where j.name = queue and j.state < 'active' and not j.blocked and j.start_after <= now())
       ) as waiting`,
    [queues],
  );
  return rows[0];
}

export interface JobDurations {
  readonly queue: string;
  readonly median: number;
  readonly p95: number;
}

/** Seconds that jobs took that completed within the last `minutes`. */
export async function selectJobDurations(db: Queryable, minutes: number): Promise<JobDurations[]> {
  const { rows } = await db.query<JobDurations>(
    `select name as queue, percentile_cont(0.5) within group (order by seconds) as median,
       percentile_cont(0.95) within group (order by seconds) as p95
     from (select name, extract(epoch from completed_on - started_on)::float8 as seconds from pgboss.job
           where state = 'completed' and completed_on > now() - make_interval(mins => $1)) done
     group by name`,
    [minutes],
  );
  return rows;
}

export interface QueueTimes {
  readonly queue: string;
  /** Jobs that were looked at: the newest ones. */
  readonly jobs: number;
  /** Seconds at the 50th, 95th, and 99th percentile. */
  readonly waiting: readonly number[];
  readonly running: readonly number[];
}

/** How long the newest completed jobs of queues, at most `jobs` of each, waited for their last attempt and ran. */
export async function selectQueueTimes(
  db: Queryable,
  queues: readonly string[],
  jobs: number,
): Promise<ReadonlyMap<string, QueueTimes>> {
  const { rows } = await db.query<QueueTimes>(
    `select queue, count(*)::int as jobs,
       percentile_cont(array[0.5, 0.95, 0.99]) within group (order by waiting) as waiting,
       percentile_cont(array[0.5, 0.95, 0.99]) within group (order by running) as running
     from unnest($1::text[]) queue cross join lateral (
       select greatest(0, extract(epoch from started_on - greatest(created_on, start_after)))::float8 as waiting,
         extract(epoch from completed_on - started_on)::float8 as running
       from pgboss.job where name = queue and completed_on is not null and state = 'completed'
       order by completed_on desc limit $2) newest
     group by queue`,
    [queues, jobs],
  );
  return new Map(rows.map((row) => [row.queue, row]));
}

interface CountedJobs {
  readonly queue: string;
  readonly change: 'added' | 'ended';
  /** Whole steps that have passed since the change. */
  readonly stepsAgo: number;
  readonly jobs: number;
}

/** Jobs that were added, and that ended, in each of the last steps; the oldest step first. */
export interface QueueActivity<Name> {
  readonly queue: Name;
  readonly added: readonly number[];
  /** Completed or failed. */
  readonly ended: readonly number[];
}

/** The activity of queues in the last `steps` steps of `stepS` seconds. */
export async function selectQueueActivity<Name extends string>(
  db: Queryable,
  queues: readonly Name[],
  { steps, stepS }: { readonly steps: number; readonly stepS: number },
): Promise<QueueActivity<Name>[]> {
  const { rows } = await db.query<CountedJobs>(
    `select queue, change, floor(extract(epoch from now() - at) / $2)::int as "stepsAgo", count(*)::int as jobs
     from unnest($3::text[]) queue cross join lateral (
       select 'added' as change, created_on as at from pgboss.job
       where name = queue and created_on > now() - make_interval(secs => $1)
       union all
       select 'ended', completed_on from pgboss.job
       where name = queue and completed_on > now() - make_interval(secs => $1) and state in ('completed', 'failed')) changes
     where at <= now()
     group by 1, 2, 3`,
    [steps * stepS, stepS, queues],
  );
  return queues.map((queue) => {
    const counts = { added: new Array<number>(steps).fill(0), ended: new Array<number>(steps).fill(0) };
    for (const row of rows) if (row.queue === queue) counts[row.change][steps - 1 - row.stepsAgo] = row.jobs;
    return { queue, ...counts };
  });
}

export interface QueueDepth {
  readonly queue: string;
  readonly state: string;
  readonly count: number;
}

export async function selectQueueDepths(db: Queryable): Promise<QueueDepth[]> {
  const { rows } = await db.query<QueueDepth>(
    'select name as queue, state::text, count(*)::int as count from pgboss.job group by 1, 2',
  );
  return rows;
}

/** Version of the queue's schema; rejects when the queue is not installed. */
export async function selectQueueVersion(db: Queryable): Promise<number> {
  const { rows } = await db.query<{ version: number }>('select version from pgboss.version');
  return rows[0].version;
}
