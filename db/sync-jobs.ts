/** Records of sync jobs: what was asked for, how far it is, how it ended. */
import type { Page, PageRequest } from './page.ts';
import type { Queryable } from './pool.ts';

export const SYNC_JOBS_CHANNEL = 'sync_jobs';
export const SYNC_JOB_TYPES = ['symbols', 'adjustments', 'daily_bars'] as const;
export type SyncJobType = (typeof SYNC_JOB_TYPES)[number];
export const SYNC_STATUSES = ['running', 'ok', 'failed'] as const;
export type SyncStatus = (typeof SYNC_STATUSES)[number];

export interface SyncJob {
  readonly id: number;
  readonly job_type: SyncJobType;
  readonly status: SyncStatus;
  readonly requested_by: string;
  readonly request: Readonly<Record<string, unknown>>;
  readonly progress_pct: number;
  readonly symbols_total: number | null;
  readonly symbols_done: number;
  readonly rows_written: number;
  readonly rows_rejected: number;
  readonly attempts: number;
  readonly error: string | null;
  readonly queued_at: Date;
  readonly started_at: Date | null;
  readonly finished_at: Date | null;
}

const COLUMNS = `id, job_type, status, requested_by, request, progress_pct, symbols_total, symbols_done, rows_written,
  rows_rejected, attempts, error, queued_at, started_at, finished_at`;

export interface NewSyncJob {
  readonly jobType: SyncJobType;
  readonly requestedBy: string;
  readonly request: object;
  readonly queueJobId: string;
  readonly requestId: string | null;
}

/** Id of the new record; null when the scheduler already has one of this kind running. */
export async function insertSyncJob(db: Queryable, job: NewSyncJob): Promise<number | null> {
  const { rows } = await db.query<{ id: number }>(
    `insert into sync_jobs (job_type, requested_by, request, queue_job_id, request_id) values ($1, $2, $3, $4, $5)
     on conflict do nothing returning id`,
    [job.jobType, job.requestedBy, job.request, job.queueJobId, job.requestId],
  );
  return rows[0]?.id ?? null;
}

export async function selectSyncJob(db: Queryable, id: number): Promise<SyncJob | null> {
  const { rows } = await db.query<SyncJob>(`select ${COLUMNS} from sync_jobs where id = $1`, [id]);
  return rows[0] ?? null;
}

export async function selectSyncJobByQueueJob(db: Queryable, queueJobId: string): Promise<SyncJob | null> {
  const { rows } = await db.query<SyncJob>(`select ${COLUMNS} from sync_jobs where queue_job_id = $1`, [queueJobId]);
  return rows[0] ?? null;
}

export interface SyncFilter {
  readonly jobType?: SyncJobType;
  readonly status?: SyncStatus;
}

/** Newest first. */
export async function selectSyncJobs(
  db: Queryable,
  { jobType, status }: SyncFilter,
  { page, size }: PageRequest,
): Promise<Page<SyncJob>> {
  const where = 'where ($1::text is null or job_type = $1) and ($2::text is null or status = $2)';
  const values = [jobType ?? null, status ?? null];
  const total = await db.query<{ total: number }>(`select count(*) as total from sync_jobs ${where}`, values);
  const { rows } = await db.query<SyncJob>(
    `select ${COLUMNS} from sync_jobs ${where} order by id desc limit $3 offset $4`,
    [...values, size, (page - 1) * size],
  );
  return { total: total.rows[0].total, items: rows };
}

/** The newest jobs of all kinds, newest first. */
export async function selectLatestSyncJobs(db: Queryable, limit: number): Promise<readonly SyncJob[]> {
  return (await selectSyncJobs(db, {}, { page: 1, size: limit })).items;
}

/** A worker has taken the job: counts the attempt and returns it, or null when it is no longer to be run. */
export async function startSyncJob(db: Queryable, id: number): Promise<SyncJob | null> {
  const { rows } = await db.query<SyncJob>(
    `update sync_jobs set started_at = coalesce(started_at, now()), attempts = attempts + 1
     where id = $1 and status = 'running' returning ${COLUMNS}`,
    [id],
  );
  return rows[0] ?? null;
}

export interface SyncProgress {
  readonly progressPct: number;
  readonly symbolsTotal?: number;
  readonly symbolsDone?: number;
  readonly rowsWritten: number;
  readonly rowsRejected: number;
}

export async function updateSyncProgress(db: Queryable, id: number, progress: SyncProgress): Promise<void> {
  await db.query(
    `update sync_jobs set progress_pct = $2, symbols_total = coalesce($3, symbols_total),
       symbols_done = coalesce($4, symbols_done), rows_written = $5, rows_rejected = $6
     where id = $1 and status = 'running'`,
    [
      id,
      Math.min(100, progress.progressPct),
      progress.symbolsTotal ?? null,
      progress.symbolsDone ?? null,
      progress.rowsWritten,
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

/** Ends the job as failed, or keeps it running with the error shown when another attempt follows. */
export async function failSyncJob(db: Queryable, id: number, error: string, isFinal: boolean): Promise<void> {
  await db.query(
    `update sync_jobs set error = $2, status = case when $3 then 'failed' else status end,
       finished_at = case when $3 then now() end
     where id = $1 and status = 'running'`,
    [id, error, isFinal],
  );
}

/** Ends a running job as failed and returns its queue job; null when it does not run. */
export async function cancelSyncJob(db: Queryable, id: number, error: string): Promise<string | null> {
  const { rows } = await db.query<{ queue_job_id: string }>(
    `update sync_jobs set status = 'failed', error = $2, finished_at = now()
     where id = $1 and status = 'running' returning queue_job_id`,
    [id, error],
  );
  return rows[0]?.queue_job_id ?? null;
}

/**
 * Puts a failed job back to its beginning under a new queue job, because what made it fail may have been mended
 * anywhere in its data. False when it was not failed.
 */
export async function reopenSyncJob(db: Queryable, id: number, queueJobId: string): Promise<boolean> {
  const { rowCount } = await db.query(
    `update sync_jobs set status = 'running', queue_job_id = $2, error = null, finished_at = null, progress_pct = 0,
       rows_written = 0, rows_rejected = 0, symbols_done = 0
     where id = $1 and status = 'failed'`,
    [id, queueJobId],
  );
  if (rowCount !== 1) return false;
  await db.query('delete from sync_units where sync_job_id = $1', [id]);
  await db.query('delete from rejected_rows where sync_job_id = $1', [id]);
  return true;
}

/** Ends running records whose queue job is gone or has ended without saying so (its worker died on the last attempt). */
export async function failAbandonedSyncJobs(db: Queryable): Promise<number> {
  const { rowCount } = await db.query(
    `update sync_jobs s set status = 'failed', finished_at = now(),
       error = coalesce(s.error, 'the worker died and no attempt was left')
     where s.status = 'running' and s.queued_at < now() - interval '5 seconds'
       and not exists (select from pgboss.job j where j.id = s.queue_job_id and j.state < 'completed')`,
  );
  return rowCount ?? 0;
}

/** Records a finished unit of a job, in the transaction that wrote its rows. */
export async function insertSyncUnit(
  db: Queryable,
  syncJobId: number,
  unit: { readonly key: string; readonly written: number; readonly rejected: number },
): Promise<void> {
  await db.query('insert into sync_units (sync_job_id, unit, rows_written, rows_rejected) values ($1, $2, $3, $4)', [
    syncJobId,
    unit.key,
    unit.written,
    unit.rejected,
  ]);
}

/** Units of a job that earlier attempts have finished. */
export async function selectSyncUnits(
  db: Queryable,
  syncJobId: number,
): Promise<Map<string, { written: number; rejected: number }>> {
  const { rows } = await db.query(
    'select unit, rows_written as written, rows_rejected as rejected from sync_units where sync_job_id = $1',
    [syncJobId],
  );
  return new Map(rows.map((row) => [row.unit, { written: row.written, rejected: row.rejected }]));
}

export interface RejectedRow {
  readonly basis: number | null;
  readonly reason: string;
  /** Where it came from: file and line, or the provider's name for the request. */
  readonly source: string;
  readonly content: string;
}

export async function insertRejectedRows(
  db: Queryable,
  syncJobId: number,
  rejected: readonly RejectedRow[],
): Promise<void> {
  if (rejected.length === 0) return;
  await db.query(
    `insert into rejected_rows (sync_job_id, basis, reason, source, content)
     select $1, * from unnest($2::smallint[], $3::text[], $4::text[], $5::text[])`,
    [
      syncJobId,
      rejected.map((r) => r.basis),
      rejected.map((r) => r.reason),
      rejected.map((r) => r.source),
      rejected.map((r) => r.content.slice(0, 500)),
    ],
  );
}

export async function deleteRejectedRows(db: Queryable, syncJobId: number): Promise<void> {
  await db.query('delete from rejected_rows where sync_job_id = $1', [syncJobId]);
}

/** Newest session through which a list has been synchronized; null before the first time. */
export async function selectWatermarks(db: Queryable): Promise<Map<SyncJobType, string>> {
  const { rows } = await db.query<{ job_type: SyncJobType; through: string }>('select * from sync_watermarks');
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
  readonly venueMode: string | null;
  readonly status: SyncStatus;
}

/** Scheduled jobs that run now or failed within the last `failedWithinS` seconds. */
export async function selectRecentScheduled(db: Queryable, failedWithinS: number): Promise<RecentSync[]> {
  const { rows } = await db.query(
    `select job_type as "jobType", request ->> 'venue_mode' as "venueMode", status from sync_jobs
     where requested_by = 'scheduler'
       and (status = 'running' or (status = 'failed' and finished_at > now() - make_interval(secs => $1)))`,
    [failedWithinS],
  );
  return rows;
}
