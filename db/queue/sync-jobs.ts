/** Records of sync jobs: the specification, the progress, and the outcome. */

import { type Actor, actorName, actorValues } from '../actors.ts';
import type { Queryable } from '../pool.ts';
import { type Page, type PageRequest, selectPage, statements } from '../query-builder.ts';
import type { Selected } from '../schema/columns.ts';
import { type Rows, selection, TABLES } from '../schema/tables.ts';
import { countRejected, forgetFailedUnits, type RejectedByReason } from './sync-units.ts';

export const SYNC_JOBS_CHANNEL = 'sync_jobs';
export const SYNC_JOB_TYPES = TABLES.sync_jobs.job_type.values;
export type SyncJobType = (typeof SYNC_JOB_TYPES)[number];
export const SYNC_STATUSES = TABLES.sync_jobs.status.values;
type SyncStatus = (typeof SYNC_STATUSES)[number];

/** The change in a notification of the channel. Throws when it is malformed. */
export function parseSyncJobChange(payload: string): { readonly id: number; readonly status: SyncStatus } {
  const [id, text] = payload.split(' ');
  const status = SYNC_STATUSES.find((known) => known === text);
  if (!/^\d{1,15}$/.test(id) || !status) throw new RangeError(`not a change of a sync job: ${payload.slice(0, 100)}`);
  return { id: Number(id), status };
}

const SYNC_JOB = selection('sync_jobs', {
  id: 'id',
  job_type: 'job_type',
  status: 'status',
  request: 'request',
  progress_pct: 'progress_pct',
  symbols_total: 'symbols_total',
  symbols_done: 'symbols_done',
  rows_written: 'rows_written',
  rows_rejected: 'rows_rejected',
  rows_rejected_by_reason: 'rows_rejected_by_reason',
  attempts: 'attempts',
  error: 'error',
  queued_at: 'queued_at',
  started_at: 'started_at',
  finished_at: 'finished_at',
});

/** SQL: the columns of `SyncJob`. */
const SELECTED = `${SYNC_JOB.sql}, ${actorName('sync_jobs', 'requested_by')} as requested_by`;

export type SyncJob = Selected<typeof SYNC_JOB> & Pick<Rows['sync_jobs'], 'requested_by'>;

export interface NewSyncJob {
  readonly jobType: SyncJobType;
  readonly requestedBy: Actor;
  readonly request: object;
  readonly queueJobId: string;
  readonly requestId: string | null;
}

/** Id of the new record; null when a scheduled job of this kind is already running. */
export async function insertSyncJob(db: Queryable, job: NewSyncJob): Promise<number | null> {
  const { rows } = await db.query<Pick<Rows['sync_jobs'], 'id'>>(
    `insert into sync_jobs (job_type, requested_by_id, requested_by, request, queue_job_id, request_id)
     values ($1, $2, $3, $4, $5, $6)
     on conflict do nothing returning id`,
    [job.jobType, ...actorValues(job.requestedBy), job.request, job.queueJobId, job.requestId],
  );
  return rows[0]?.id ?? null;
}

/** Records what an administrator has corrected in a list as a load of it. Returns the id. */
export async function insertMend(db: Queryable, finding: number, by: Actor): Promise<number> {
  const { rows } = await db.query<Pick<Rows['sync_jobs'], 'id'>>(
    `insert into sync_jobs (job_type, status, progress_pct, requested_by_id, requested_by, request, queue_job_id, started_at, finished_at)
     values ('adjustments', 'ok', 100, $1, $2, $3, gen_random_uuid(), now(), now()) returning id`,
    [...actorValues(by), { finding }],
  );
  return rows[0].id;
}

export async function selectSyncJob(db: Queryable, id: number): Promise<SyncJob | null> {
  const { rows } = await db.query<SyncJob>(`select ${SELECTED} from sync_jobs where id = $1`, [id]);
  return rows[0] ?? null;
}

export async function selectSyncJobByQueueJob(db: Queryable, queueJobId: string): Promise<SyncJob | null> {
  const { rows } = await db.query<SyncJob>(`select ${SELECTED} from sync_jobs where queue_job_id = $1`, [queueJobId]);
  return rows[0] ?? null;
}

/** The newest jobs of all kinds, newest first. */
export async function selectLatestSyncJobs(db: Queryable, limit: number): Promise<SyncJob[]> {
  const { rows } = await db.query<SyncJob>(`select ${SELECTED} from sync_jobs order by id desc limit $1`, [limit]);
  return rows;
}

/** Failed jobs that no later successful one of their kind covers, in days, venue bases, and symbols; newest first. */
export async function selectFailedSyncJobs(db: Queryable): Promise<SyncJob[]> {
  const { rows } = await db.query<SyncJob>(
    `select ${SELECTED} from sync_jobs where status = 'failed' and not exists (
       select from sync_jobs later where later.job_type = sync_jobs.job_type and later.status = 'ok'
         and later.id > sync_jobs.id and not later.request ? 'finding'
         and coalesce(later.request ->> 'venue_mode', sync_jobs.request ->> 'venue_mode')
           is not distinct from sync_jobs.request ->> 'venue_mode'
         and coalesce(later.request ->> 'start', '') <= coalesce(sync_jobs.request ->> 'start', '')
         and coalesce(later.request ->> 'end', '9999') >= coalesce(sync_jobs.request ->> 'end', '9999')
         and (not later.request ? 'symbols' or later.request -> 'symbols' = sync_jobs.request -> 'symbols'))
     order by id desc limit 20`,
  );
  return rows;
}

/** Counts an attempt and returns the job; null when it has ended. */
export async function startSyncJob(db: Queryable, id: number): Promise<SyncJob | null> {
  const { rows } = await db.query<SyncJob>(
    `update sync_jobs set started_at = coalesce(started_at, now()), attempts = attempts + 1
     where id = $1 and status = 'running' returning ${SELECTED}`,
    [id],
  );
  return rows[0] ?? null;
}

export interface SyncProgress {
  readonly progressPct: number;
  readonly symbolsTotal?: number;
  readonly symbolsDone?: number;
  readonly rowsWritten: number;
  readonly rowsRejected: RejectedByReason;
}

export async function updateSyncProgress(db: Queryable, id: number, progress: SyncProgress): Promise<void> {
  await db.query(
    `update sync_jobs set progress_pct = $2, symbols_total = coalesce($3, symbols_total),
       symbols_done = coalesce($4, symbols_done), rows_written = $5, rows_rejected = $6, rows_rejected_by_reason = $7
     where id = $1 and status = 'running'`,
    [
      id,
      Math.min(100, progress.progressPct),
      progress.symbolsTotal ?? null,
      progress.symbolsDone ?? null,
      progress.rowsWritten,
      countRejected(progress.rowsRejected),
      progress.rowsRejected,
    ],
  );
}

export async function finishSyncJob(db: Queryable, id: number): Promise<void> {
  await db.query(
    `update sync_jobs set status = 'ok', progress_pct = 100, error = null, finished_at = now()
     where id = $1 and status = 'running'`,
    [id],
  );
}

/** Records an error. The job ends as failed if `isFinal`; otherwise it keeps running, because another attempt follows. */
export async function failSyncJob(db: Queryable, id: number, error: string, isFinal: boolean): Promise<void> {
  await db.query(
    `update sync_jobs set error = $2, status = case when $3 then 'failed' else status end,
       finished_at = case when $3 then now() end
     where id = $1 and status = 'running'`,
    [id, error, isFinal],
  );
}

/** Ends a running job as failed and returns the id of its queue job; null when it is not running. */
export async function cancelSyncJob(db: Queryable, id: number, error: string): Promise<string | null> {
  const { rows } = await db.query<Pick<Rows['sync_jobs'], 'queue_job_id'>>(
    `update sync_jobs set status = 'failed', error = $2, finished_at = now()
     where id = $1 and status = 'running' returning queue_job_id`,
    [id, error],
  );
  return rows[0]?.queue_job_id ?? null;
}

/**
 * Reopens a failed job under a new queue job. Loaded units stay loaded; failed units, and units that it never reached, will be
 * loaded. False when the job has not failed.
 */
export async function reopenSyncJob(db: Queryable, id: number, queueJobId: string): Promise<boolean> {
  const { rowCount } = await db.query(
    `update sync_jobs set status = 'running', queue_job_id = $2, error = null, finished_at = null, progress_pct = 0,
       rows_written = 0, rows_rejected = 0, rows_rejected_by_reason = '{}', symbols_done = 0
     where id = $1 and status = 'failed'`,
    [id, queueJobId],
  );
  if (rowCount !== 1) return false;
  await forgetFailedUnits(db, id);
  return true;
}

/** Ends running records whose queue job was deleted or has ended without an update (its worker died on the last attempt). */
export async function failAbandonedSyncJobs(db: Queryable): Promise<number> {
  const { rowCount } = await db.query(
    `update sync_jobs s set status = 'failed', finished_at = now(),
       error = coalesce(s.error, 'the worker died and no attempt was left')
     where s.status = 'running' and s.queued_at < now() - interval '5 seconds'
       and not exists (select from pgboss.job j where j.id = s.queue_job_id and j.state < 'completed')`,
  );
  return rowCount ?? 0;
}

/** The newest day through which each list has been synchronized, without lists that never were. */
export async function selectWatermarks(db: Queryable): Promise<Map<SyncJobType, string>> {
  const { rows } = await db.query<Rows['sync_watermarks']>('select * from sync_watermarks');
  return new Map(rows.map((row) => [row.job_type, row.through]));
}

export async function saveWatermark(db: Queryable, jobType: SyncJobType, through: string): Promise<void> {
  await db.query(
    `insert into sync_watermarks as w values ($1, $2)
     on conflict (job_type) do update set through = greatest(w.through, excluded.through)`,
    [jobType, through],
  );
}

export interface RecentSync {
  readonly jobType: SyncJobType;
  readonly venueBasis: string | null;
  readonly status: SyncStatus;
  /** First and last day of a load of bars (YYYY-MM-DD). */
  readonly start: string | null;
  readonly end: string | null;
  /** Seconds since the latest failure; null: the job is running. */
  readonly failedSinceS: number | null;
  /** How often such a job has failed within the period. */
  readonly failures: number;
}

/** Scheduled jobs that are running, and those that failed within the last `withinS` seconds. Equal jobs count as one. */
export async function selectRecentScheduled(db: Queryable, withinS: number): Promise<RecentSync[]> {
  const { rows } = await db.query<RecentSync>(
    `select job_type as "jobType", request ->> 'venue_mode' as "venueBasis", status, request ->> 'start' as start,
       request ->> 'end' as end, extract(epoch from now() - max(finished_at))::float8 as "failedSinceS",
       count(*) filter (where status = 'failed')::int as failures
     from sync_jobs
     where requested_by = 'scheduler'
       and (status = 'running' or (status = 'failed' and finished_at > now() - make_interval(secs => $1)))
     group by 1, 2, 3, 4, 5`,
    [withinS],
  );
  return rows;
}

export interface RunningLoad {
  /** Null: every venue basis. */
  readonly venueBasis: string | null;
  /** First and last day (YYYY-MM-DD); null: as far as the provider has them. */
  readonly start: string | null;
  readonly end: string | null;
  readonly progressPct: number;
}

/** Active loads of whole sessions. Loads of named symbols are left out, because they complete no session. */
export async function selectRunningLoads(db: Queryable): Promise<RunningLoad[]> {
  const { rows } = await db.query<RunningLoad>(
    `select request ->> 'venue_mode' as "venueBasis", request ->> 'start' as start, request ->> 'end' as end,
       progress_pct as "progressPct"
     from sync_jobs where status = 'running' and job_type = 'daily_bars' and not request ? 'symbols' order by id`,
  );
  return rows;
}

export interface SyncFilter {
  readonly jobType?: SyncJobType;
  readonly status?: SyncStatus;
}

/** Newest first. */
export async function selectSyncJobs(
  db: Queryable,
  { jobType, status }: SyncFilter,
  page: PageRequest,
): Promise<Page<SyncJob>> {
  const { raw, rowsOf } = await statements();
  return selectPage(db, rowsOf('sync_jobs', { job_type: jobType, status }), page, (jobs) =>
    jobs
      .select(SYNC_JOB.columns)
      .select({ requested_by: raw(actorName('sync_jobs', 'requested_by')) })
      .orderBy('id', 'desc'),
  );
}
