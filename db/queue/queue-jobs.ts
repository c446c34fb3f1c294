/** Reads the jobs of pg-boss, for operators and metrics. Only pg-boss writes its tables. */

import type { Queryable } from '../pool.ts';
import { countUpTo, type Page, type PageRequest, runQuery, type Statements, statements } from '../query-builder.ts';
import type { Rows } from '../schema/tables.ts';

/** States of a job. pg-boss calls the first one `created`. */
export const JOB_STATES = ['waiting', 'retry', 'active', 'completed', 'cancelled', 'failed'] as const;

export type JobState = (typeof JOB_STATES)[number];

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
  /** The object of its work in a few words that need no translation; null: it has no subject of its own. */
  readonly subject: string | null;
  /** E-mail address of the account for which it works; null: it works for the service. */
  readonly account: string | null;
  /** The worker of the newest attempt; null: none has taken it, or that is no longer known. */
  readonly worker: string | null;
  readonly createdAt: Date;
  /** When a waiting job may start. */
  readonly startAfter: Date;
  readonly startedAt: Date | null;
  readonly finishedAt: Date | null;
}

const storedState = (state: JobState) => (state === 'waiting' ? 'created' : state);

const STATE = `case state when 'created' then 'waiting' else state::text end`;

/** SQL: the subject of the run of a job: an instrument, or the first of several, a ranking, or a query, and its strategy. */
const RUN_SUBJECT = `select concat_ws(' · ',
    coalesce(asked ->> 'symbol', left(asked ->> 'query', 80), asked ->> 'asOf', '#' || (asked ->> 'backtestId'),
      asked -> 'texts' ->> 'score', asked -> 'instruments' -> 0 ->> 'symbol' ||
        coalesce(' +' || nullif(json_array_length(asked -> 'instruments') - 1, 0), '')),
    asked ->> 'strategy')
  from runs r, lateral (select coalesce(r.spec -> 'backtest', r.spec -> 'portfolio', r.spec -> 'rotation',
    r.spec -> 'compare' -> 0 -> 'spec', r.spec) as asked) s
  where r.id = (data ->> 'runId')::uuid`;

const LOAD_SUBJECT = `select concat_ws(' ', request ->> 'start', '…' || (request ->> 'end'), request ->> 'venue_mode')
  from sync_jobs where id = (data ->> 'syncJobId')::bigint`;

const OWNER = `coalesce((select user_id from runs where id = (data ->> 'runId')::uuid),
  (select user_id from sweeps where id = (data ->> 'sweepId')::uuid),
  (select user_id from exports where id = (data ->> 'exportId')::bigint),
  (select requested_by_id from sync_jobs where id = (data ->> 'syncJobId')::bigint))`;

const WORKER = `coalesce(
  (select w.name from job_claims c join workers w using (worker_key)
   where c.queue = job.name and c.job_id = job.id and c.attempt = job.retry_count),
  output ->> 'worker',
  (select a.worker from job_attempts a where a.queue = job.name and a.job_id = job.id order by a.attempt desc limit 1))`;

const IS_OF_ACCOUNT = `job.group_id = (select 'user:' || id from users where email = lower(?)) or job.id in (
  select queue_job_id from exports e join users u on u.id = e.user_id where u.email = lower(?) and queue_job_id is not null
  union all select queue_job_id from sync_jobs s join users u on u.id = s.requested_by_id where u.email = lower(?))`;

const IS_OF_WORKER = `output ->> 'worker' = ? or job.id in (
  select job_id from job_attempts where worker = ?
  union all select c.job_id from job_claims c join workers w using (worker_key) where w.name = ?)`;

const HAS_TEXT = `strpos(lower(concat_ws(' ', id, data, output ->> 'message')), lower(?)) > 0`;

const JOB_COLUMNS = `id, name as queue, ${STATE} as state, data as input,
  case when started_on is null then 0 else retry_count + 1 end as attempts,
  retry_limit + 1 as "maxAttempts", output ->> 'message' as error, data ->> 'requestId' as "requestId",
  nullif(coalesce((${RUN_SUBJECT}), (${LOAD_SUBJECT}), data ->> 'prefix'), '') as subject,
  (select email from users where users.id = ${OWNER}) as account, ${WORKER} as worker,
  created_on as "createdAt", start_after as "startAfter", started_on as "startedAt", completed_on as "finishedAt"`;

/** SQL: a message without its numbers and ids. */
const withoutNumbers = (message: string) => `left(regexp_replace(regexp_replace(${message},
  '[0-9a-f]{8}-[0-9a-f-]{27}', '<id>', 'g'), '[0-9]+', '<n>', 'g'), 300)`;

const MESSAGE = `coalesce(output ->> 'message', 'no message')`;

/** SQL: what failures have in common. */
const CAUSE = withoutNumbers(MESSAGE);

/** SQL: a cause in a parameter, given as itself or as the message of a failure. */
const LISTED_CAUSE = withoutNumbers('?');

const GIVEN_CAUSE = withoutNumbers('$3::text');

export async function selectJob(db: Queryable, queue: string, id: string): Promise<QueueJob | null> {
  const { rows } = await db.query<QueueJob>(
    `select ${JOB_COLUMNS}, output ->> 'stack' as stack from pgboss.job where name = $1 and id = $2`,
    [queue, id],
  );
  return rows[0] ?? null;
}

/** The headers of the trace in which a job was queued; null: there is no such job, or it was not traced. */
export async function selectTraceOfJob(
  db: Queryable,
  queues: readonly string[],
  id: string,
): Promise<{ readonly traceparent: string } | null> {
  const { rows } = await db.query<{ traceparent: string }>(
    `select data ->> 'traceparent' as traceparent from pgboss.job
     where name = any($1) and id = $2 and data ? 'traceparent'`,
    [queues, id],
  );
  return rows[0] ?? null;
}

/** The states of jobs by id, those that are there. */
export async function selectJobStates(
  db: Queryable,
  queues: readonly string[],
  ids: readonly string[],
): Promise<ReadonlyMap<string, JobState>> {
  if (ids.length === 0) return new Map();
  const { rows } = await db.query<Pick<QueueJob, 'id' | 'state'>>(
    `select id, ${STATE} as state from pgboss.job where name = any($1) and id = any($2)`,
    [queues, ids],
  );
  return new Map(rows.map(({ id, state }) => [id, state]));
}

export async function selectAllJobIds(db: Queryable): Promise<{ readonly queue: string; readonly ids: string[] }[]> {
  const { rows } = await db.query<{ queue: string; ids: string[] }>(
    'select name as queue, array_agg(id) as ids from pgboss.job group by name',
  );
  return rows;
}

export interface JobFilter {
  readonly id?: string;
  readonly queue?: string;
  readonly state?: JobState;
  /** Jobs in one of these states. */
  readonly states?: readonly JobState[];
  /** Only failed jobs with this cause. The message of such a failure names it too. */
  readonly cause?: string;
  /** E-mail address of the account that they work for. */
  readonly account?: string;
  readonly worker?: string;
  /** In the id, the input, or the last error. */
  readonly text?: string;
  /** Jobs that were queued from one moment to another. */
  readonly from?: Date;
  readonly to?: Date;
}

/** Matching jobs are counted, and listed, up to this number. Text, a worker, and an account are looked for among as many. */
export const MAX_LISTED_JOBS = 10_000;

export interface FoundJobs extends Page<QueueJob> {
  /** Older jobs were not searched; null: all were. */
  readonly searchedFrom: Date | null;
}

/** Newest first. */
export async function selectJobs(db: Queryable, filter: JobFilter, request: PageRequest): Promise<FoundJobs> {
  const { text, worker, account } = filter;
  if (text === undefined && worker === undefined && account === undefined)
    return { ...(await selectListed(db, filter, request)), searchedFrom: null };
  const searchedFrom = await selectSearchStart(db, filter);
  const found = await selectListed(db, { ...filter, from: searchedFrom ?? filter.from }, request);
  if (searchedFrom === null || found.total > 0 || !UUID.test(text ?? '')) return { ...found, searchedFrom };
  return { ...(await selectListed(db, { ...filter, text: undefined, id: text }, request)), searchedFrom };
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

async function selectListed(db: Queryable, filter: JobFilter, { page, size }: PageRequest): Promise<Page<QueueJob>> {
  const builder = await statements();
  const total = await countUpTo(db, eachQueue(builder, filter, MAX_LISTED_JOBS), MAX_LISTED_JOBS);
  if (total === 0) return { total, items: [] };
  const list = eachQueue(builder, filter, Math.min(page * size, MAX_LISTED_JOBS))
    .select<QueueJob[]>(builder.raw(`${JOB_COLUMNS}, null as stack`))
    .orderBy('created_on', 'desc')
    .orderBy('id')
    .limit(size)
    .offset((page - 1) * size);
  return { total, items: await runQuery<QueueJob>(db, list) };
}

/** When the oldest of the newest jobs was queued among which a search looks; null: it looks among all. */
async function selectSearchStart(db: Queryable, { queue, state, states, from, to }: JobFilter): Promise<Date | null> {
  const builder = await statements();
  const next = eachQueue(builder, { queue, state, states, from, to }, MAX_LISTED_JOBS + 1)
    .select<{ at: Date }[]>({ at: 'created_on' })
    .orderBy('created_on', 'desc')
    .limit(2)
    .offset(MAX_LISTED_JOBS - 1);
  const [last, older] = await runQuery<{ at: Date }>(db, next);
  return older === undefined ? null : last.at;
}

/** Each queue has an index by time, and all of them together have none: the newest matching jobs of each are read. */
function eachQueue(builder: Statements, filter: JobFilter, most: number) {
  const jobs = matchingJobs(builder, filter).select('job.*').whereRaw('job.name = q.listed');
  const newest = jobs.orderBy('created_on', 'desc').orderBy('id').limit(most);
  return builder.from('(select name as listed from pgboss.queue) q cross join lateral ? job', [newest]);
}

function matchingJobs({ rowsOf }: Statements, filter: JobFilter) {
  const { id, queue, state, states, cause, account, worker, text, from, to } = filter;
  const matching = rowsOf('pgboss.job', { id, name: queue, state: state && storedState(state) });
  if (states !== undefined) matching.whereIn('state', states.map(storedState));
  if (cause !== undefined) matching.where('state', 'failed').whereRaw(`${CAUSE} = ${LISTED_CAUSE}`, [cause]);
  if (account !== undefined) matching.whereRaw(`(${IS_OF_ACCOUNT})`, [account, account, account]);
  if (worker !== undefined) matching.whereRaw(`(${IS_OF_WORKER})`, [worker, worker, worker]);
  if (text !== undefined) matching.whereRaw(`(${HAS_TEXT})`, [text]);
  if (from !== undefined) matching.where('created_on', '>=', from);
  if (to !== undefined) matching.where('created_on', '<=', to);
  return matching;
}

export interface JobBatch {
  readonly total: number;
  readonly jobs: readonly Pick<QueueJob, 'id' | 'queue'>[];
}

/** How many jobs match, and the first `limit` of those after an id, in the order of ids. */
export async function selectJobBatch(
  db: Queryable,
  filter: JobFilter,
  { after, limit }: { readonly after: string | null; readonly limit: number },
): Promise<JobBatch> {
  const builder = await statements();
  const matching = matchingJobs(builder, filter);
  const [{ total }] = await runQuery<{ total: number }>(db, matching.clone().count({ total: '*' }));
  const rest = after === null ? matching : matching.where('id', '>', after);
  const listed = rest.select<JobBatch['jobs'][number][]>(builder.raw('id, name as queue'));
  const jobs = await runQuery<JobBatch['jobs'][number]>(db, listed.orderBy('id').limit(limit));
  return { total, jobs };
}

/** The priorities of the waiting jobs of a queue; null: none waits. */
export async function selectPriorities(
  db: Queryable,
  queue: string,
): Promise<{ readonly first: number | null; readonly last: number | null }> {
  const { rows } = await db.query<{ first: number | null; last: number | null }>(
    `select max(priority) as first, min(priority) as last from pgboss.job where name = $1 and state < 'active' and not blocked`,
    [queue],
  );
  return rows[0];
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

/** The trigger `job_changed` records attempts that failed; a claim records the one that runs. */
export interface JobAttempt {
  /** From 1. */
  readonly attempt: number;
  /** The machine and process that took the job; null: not known. */
  readonly worker: string | null;
  readonly takenAt: Date;
  /** Null: it runs. */
  readonly endedAt: Date | null;
  readonly error: string | null;
}

/** The attempts of a job that failed, and the one that runs, in order. */
export async function selectAttempts(db: Queryable, queue: string, jobId: string): Promise<JobAttempt[]> {
  const { rows } = await db.query<JobAttempt>(
    `select attempt, worker, taken_at as "takenAt", ended_at as "endedAt", error
     from job_attempts where queue = $1 and job_id = $2
     union all
     select c.attempt + 1, w.name, c.claimed_at, null, null
     from job_claims c join pgboss.job j on j.name = c.queue and j.id = c.job_id and j.retry_count = c.attempt
       left join workers w using (worker_key)
     where c.queue = $1 and c.job_id = $2 and j.state = 'active'
     order by attempt`,
    [queue, jobId],
  );
  return rows;
}

/** Deletes the attempts of jobs that the queue has deleted. */
export async function deleteOldAttempts(db: Queryable): Promise<void> {
  await db.query(
    'delete from job_attempts a where not exists (select from pgboss.job j where j.name = a.queue and j.id = a.job_id)',
  );
}
