/** The jobs in pg-boss's queue, for operators. */
import type { Queryable } from '../pool.ts';
import type { Rows } from '../tables.ts';

/** States of a job. pg-boss calls the first one `created`. */
export const JOB_STATES = ['waiting', 'retry', 'active', 'completed', 'cancelled', 'failed'] as const;
export type JobState = (typeof JOB_STATES)[number];

export interface QueueState<Name extends string = string> {
  readonly queue: Name;
  readonly waiting: number;
  readonly active: number;
  readonly retry: number;
  readonly failed: number;
  readonly completed: number;
  /** Seconds for which the oldest job that could run has waited; null: none waits. */
  readonly oldestWaitingS: number | null;
  readonly pausedBy: string | null;
  readonly pausedAt: Date | null;
}

/** The states of the named queues, in their order, including queues without jobs. */
export async function selectQueueStates<Name extends string>(
  db: Queryable,
  queues: readonly Name[],
): Promise<QueueState<Name>[]> {
  const { rows } = await db.query<QueueState<Name>>(
    `select q.name as queue, count(j.id) filter (where j.state = 'created') as waiting,
       count(j.id) filter (where j.state = 'active') as active, count(j.id) filter (where j.state = 'retry') as retry,
       count(j.id) filter (where j.state = 'failed') as failed,
       count(j.id) filter (where j.state = 'completed') as completed,
       extract(epoch from now() - min(greatest(j.created_on, j.start_after))
         filter (where j.state < 'active' and j.start_after <= now()))::float8 as "oldestWaitingS",
       p.paused_by as "pausedBy", p.paused_at as "pausedAt"
     from unnest($1::text[]) with ordinality q (name, n)
     left join pgboss.job j on j.name = q.name left join paused_queues p on p.queue = q.name
     group by q.n, q.name, p.paused_by, p.paused_at order by q.n`,
    [queues],
  );
  return rows;
}

export interface QueueJob {
  readonly id: string;
  readonly queue: string;
  readonly state: JobState;
  readonly input: Readonly<Record<string, unknown>>;
  /** Attempts so far. */
  readonly attempts: number;
  readonly maxAttempts: number;
  /** Message of the last failure. */
  readonly error: string | null;
  /** Stack of the last failure; null in lists. */
  readonly stack: string | null;
  readonly requestId: string | null;
  readonly createdAt: Date;
  /** When a waiting job may start. */
  readonly startAfter: Date;
  readonly startedAt: Date | null;
  readonly finishedAt: Date | null;
}

const STATE = `case state when 'created' then 'waiting' else state::text end`;
export const JOB_COLUMNS = `id, name as queue, ${STATE} as state, data as input,
  case when started_on is null then 0 else retry_count + 1 end as attempts,
  retry_limit + 1 as "maxAttempts", output ->> 'message' as error, data ->> 'requestId' as "requestId",
  created_on as "createdAt", start_after as "startAfter", started_on as "startedAt", completed_on as "finishedAt"`;

/** SQL: a message without its numbers and ids. */
export const withoutNumbers = (message: string) => `left(regexp_replace(regexp_replace(${message},
  '[0-9a-f]{8}-[0-9a-f-]{27}', '<id>', 'g'), '[0-9]+', '<n>', 'g'), 300)`;

const MESSAGE = `coalesce(output ->> 'message', 'no message')`;
/** SQL: what failures have in common. */
export const CAUSE = withoutNumbers(MESSAGE);
/** SQL: the cause in $3, given as itself or as the message of a failure. */
const GIVEN_CAUSE = withoutNumbers('$3::text');

export async function selectJob(db: Queryable, queue: string, id: string): Promise<QueueJob | null> {
  const { rows } = await db.query<QueueJob>(
    `select ${JOB_COLUMNS}, output ->> 'stack' as stack from pgboss.job where name = $1 and id = $2`,
    [queue, id],
  );
  return rows[0] ?? null;
}

export interface FailureGroup {
  readonly queue: string;
  readonly cause: string;
  readonly count: number;
  readonly firstAt: Date;
  readonly lastAt: Date;
  readonly exampleJobId: string;
  /** Message of the latest failure. */
  readonly lastError: string;
  /** When a job of the queue first completed after the latest failure; null: none has. */
  readonly recoveredAt: Date | null;
}

/** Failed jobs by queue and cause, the latest failure first. */
export async function selectFailureGroups(db: Queryable, queue: string | null): Promise<FailureGroup[]> {
  const { rows } = await db.query<FailureGroup>(
    `select f.*, (select min(completed_on) from pgboss.job j
                  where j.name = f.queue and j.state = 'completed' and j.completed_on > f."lastAt") as "recoveredAt"
     from (select name as queue, ${CAUSE} as cause, count(*) as count, min(completed_on) as "firstAt",
             max(completed_on) as "lastAt", (array_agg(id order by completed_on desc))[1] as "exampleJobId",
             (array_agg(${MESSAGE} order by completed_on desc))[1] as "lastError"
           from pgboss.job where state = 'failed' and ($1::text is null or name = $1)
           group by 1, 2) f
     order by f."lastAt" desc`,
    [queue],
  );
  return rows;
}

/** Ids of a queue's jobs that failed before a moment, oldest failure first. */
export async function selectFailedJobIds(
  db: Queryable,
  queue: string,
  {
    failedBefore,
    cause,
    limit,
  }: { readonly failedBefore: Date; readonly cause: string | null; readonly limit: number },
): Promise<string[]> {
  const { rows } = await db.query<Pick<Rows['pgboss.job'], 'id'>>(
    `select id from pgboss.job where name = $1 and state = 'failed' and completed_on <= $2
       and ($3::text is null or ${CAUSE} = ${GIVEN_CAUSE}) order by completed_on, id limit $4`,
    [queue, failedBefore, cause, limit],
  );
  return rows.map(({ id }) => id);
}

export const QUEUE_PAUSES_CHANNEL = 'queue_pauses';

/** The queues that are paused, and those with jobs that could run. */
export interface QueuesAtHand<Name> {
  readonly paused: readonly Name[];
  readonly waiting: readonly Name[];
}

/** Planned anew each time, because the table of jobs fills faster than it is analyzed. */
export async function selectQueuesAtHand<Name extends string>(
  db: Queryable,
  queues: readonly Name[],
): Promise<QueuesAtHand<Name>> {
  const { rows } = await db.query<QueuesAtHand<Name>>(
    `select array(select queue from paused_queues where queue = any($1)) as paused,
       array(
         select queue from unnest($1::text[]) queue
         where exists (select from pgboss.job j where j.name = queue and j.state < 'active' and not j.blocked and j.start_after <= now())
       ) as waiting`,
    [queues],
  );
  return rows[0];
}

export async function isQueuePaused(db: Queryable, queue: string): Promise<boolean> {
  const { rowCount } = await db.query('select from paused_queues where queue = $1', [queue]);
  return rowCount === 1;
}

/** False when the queue was already paused. */
export async function insertPause(db: Queryable, queue: string, by: string, at: Date): Promise<boolean> {
  const { rowCount } = await db.query(
    'insert into paused_queues (queue, paused_by, paused_at) values ($1, $2, $3) on conflict do nothing',
    [queue, by, at],
  );
  return rowCount === 1;
}

/** False when the queue was not paused. */
export async function deletePause(db: Queryable, queue: string): Promise<boolean> {
  const { rowCount } = await db.query('delete from paused_queues where queue = $1', [queue]);
  return rowCount === 1;
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
