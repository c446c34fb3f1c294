/** The steps of each session, from its loads to its webhooks. The transaction that does a step records it. */
import { type Day, formatDay, requireDay } from '../../engine/market/dates.ts';
import type { VenueBasis } from '../../engine/market/venue-basis.ts';
import type { Queryable } from '../pool.ts';
import type { Selected } from '../schema/columns.ts';
import { selection, TABLES } from '../schema/tables.ts';

export const SESSION_STEPS = TABLES.session_steps.step.values;
export type SessionStep = (typeof SESSION_STEPS)[number];
export type LoadStep = `load_${VenueBasis}`;

const STEP = selection('session_steps', {
  day: 'day',
  step: 'step',
  state: 'state',
  startedAt: 'started_at',
  endedAt: 'ended_at',
  doneAt: 'done_at',
  rows: 'rows',
  reason: 'reason',
  jobId: 'job_id',
});

export const loadStep = (venueBasis: VenueBasis): LoadStep => `load_${venueBasis}`;

/** SQL: what a step that ends replaces. A step that runs keeps its start and its job. */
const ENDS = `on conflict (day, step) do update set state = excluded.state, ended_at = excluded.ended_at,
  done_at = coalesce(s.done_at, excluded.done_at), reason = excluded.reason, rows = coalesce(excluded.rows, s.rows),
  started_at = case when s.state = 'running' then s.started_at else excluded.started_at end,
  job_id = case when s.state = 'running' then s.job_id else excluded.job_id end`;

export interface StepEnd {
  readonly step: SessionStep;
  readonly days: readonly Day[];
  readonly at: Date;
  readonly rows: number;
  /** Why the session is held; null: it is not. */
  readonly held?: string | null;
}

export async function endStep(db: Queryable, { step, days, at, rows, held = null }: StepEnd): Promise<void> {
  await db.query(
    `insert into session_steps as s (day, step, state, started_at, ended_at, done_at, rows, reason)
     select day, $2, case when $5::text is null then 'done' else 'held' end, $3, $3,
       case when $5::text is null then $3::timestamptz end, $4, $5 from unnest($1::date[]) day ${ENDS}`,
    [days.map(formatDay), step, at, rows, held],
  );
}

/** Records the loads of sessions with the rows that they have now, in the transaction that began at `at`. */
export async function endLoads(
  db: Queryable,
  venueBasis: VenueBasis,
  days: readonly Day[],
  { at, syncJobId }: { readonly at: Date; readonly syncJobId: number | null },
): Promise<void> {
  await db.query(
    `insert into session_steps as s (day, step, state, started_at, ended_at, done_at, rows, job_id)
     select day, $2, 'done', $3, $3::timestamptz + (clock_timestamp() - now()), $3, rows,
       (select queue_job_id from sync_jobs where id = $4)
     from loaded_sessions where day = any($1::date[]) and is_complete
       and basis = (case $2 when 'load_consolidated' then 1 when 'load_single_venue' then 2 else 3 end) ${ENDS}`,
    [days.map(formatDay), loadStep(venueBasis), at, syncJobId],
  );
}

export interface StepFailure {
  readonly step: SessionStep;
  readonly days: readonly Day[];
  readonly at: Date;
  readonly reason: string;
  /** The queue's job, or the load. */
  readonly by: { readonly jobId: string } | { readonly syncJobId: number };
}

export async function failStep(db: Queryable, { step, days, at, reason, by }: StepFailure): Promise<void> {
  const [jobId, syncJobId] = 'jobId' in by ? [by.jobId, null] : [null, by.syncJobId];
  await db.query(
    `insert into session_steps as s (day, step, state, started_at, ended_at, reason, job_id)
     select day, $2, 'failed', $3, $3, left($4, 1000), coalesce($5, (select queue_job_id from sync_jobs where id = $6))
     from unnest($1::date[]) day ${ENDS}`,
    [days.map(formatDay), step, at, reason, jobId, syncJobId],
  );
}

export interface JobStep {
  readonly step: SessionStep;
  readonly day: Day;
  readonly at: Date;
  readonly jobId: string;
}

export async function startStep(db: Queryable, { step, day, at, jobId }: JobStep): Promise<void> {
  await db.query(
    `insert into session_steps as s (day, step, state, started_at, job_id) values ($1, $2, 'running', $3, $4)
     on conflict (day, step) do update set state = 'running', started_at = excluded.started_at, ended_at = null,
       reason = null, job_id = excluded.job_id`,
    [formatDay(day), step, at, jobId],
  );
}

/** The job has ended well and had nothing to do for the session: the step is as it was, or there is none. */
export async function dropIdleStep(db: Queryable, { step, day, at, jobId }: JobStep): Promise<void> {
  await db.query(
    `with idle as (delete from session_steps where day = $1 and step = $2 and state = 'running' and job_id = $4 and done_at is null)
     update session_steps set state = 'done', ended_at = $3
     where day = $1 and step = $2 and state = 'running' and job_id = $4 and done_at is not null`,
    [formatDay(day), step, at, jobId],
  );
}

/** Records the deliveries of the events of sessions, those of the last days. */
export async function recordDeliveredSessions(db: Queryable, at: Date): Promise<void> {
  await db.query(
    `insert into session_steps as s (day, step, state, started_at, ended_at, done_at, rows, reason)
     select session, 'webhooks', case when open = 0 then 'done' else 'failed' end, began, $1,
       case when open = 0 then $1::timestamptz end, delivered,
       case when open > 0 then format('%s of %s deliveries have not arrived', open, open + delivered) end
     from (
       select (d.data ->> 'session')::date as session, min(d.created_at) as began,
         count(*) filter (where d.status = 'delivered') as delivered, count(*) filter (where d.status <> 'delivered') as open
       from webhook_deliveries d join webhooks w on w.id = d.webhook_id and w.is_enabled
       where d.event in ('data.loaded', 'signals.ready') and d.data ->> 'session' is not null
         and d.created_at > $1::timestamptz - interval '3 days'
       group by 1) told ${ENDS}`,
    [at],
  );
}

/** Records the impact of loads on the sessions whose bars they have revised; `rows` counts the runs that were hit. */
export async function recordImpactSteps(db: Queryable, loads: readonly number[], at: Date): Promise<void> {
  await db.query(
    `insert into session_steps as s (day, step, state, started_at, ended_at, done_at, rows)
     select r.day, 'impact', 'done', min(l.planned_at), $2, $2, sum(l.hit)
     from (select distinct day, sync_job_id from revisions where sync_job_id = any($1::bigint[]) and basis is not null) r
       join load_impacts l using (sync_job_id)
     group by r.day ${ENDS}`,
    [loads, at],
  );
}

/** `doneAt`: when it was done first; null: never. */
export interface RecordedStep extends Omit<Selected<typeof STEP>, 'day'> {
  readonly day: Day;
}

/** The recorded steps of the sessions from one day to another, by day. */
export async function selectSteps(db: Queryable, start: Day, end: Day): Promise<RecordedStep[]> {
  const { rows } = await db.query<Selected<typeof STEP>>(
    `select ${STEP.sql} from session_steps where day between $1 and $2 order by day`,
    [formatDay(start), formatDay(end)],
  );
  return rows.map(({ day, ...step }) => ({ day: requireDay(day), ...step }));
}

/** Seconds that a session takes in a step: the median of the last ones, whose loads may have had others beside them. */
export async function selectStepSeconds(db: Queryable, step: SessionStep): Promise<number | null> {
  const { rows } = await db.query<{ seconds: number | null }>(
    `select percentile_cont(0.5) within group (order by seconds) as seconds from (
       select extract(epoch from ended_at - started_at)::float8 / count(*) over (partition by started_at, job_id) as seconds
       from session_steps where step = $1 and state = 'done' and ended_at > started_at order by day desc limit 60) last`,
    [step],
  );
  return rows[0].seconds;
}
