/** Exports of market data, and of what an account has kept: the specification, the progress, and the file. */

import type { Queryable } from '../pool.ts';
import { type Page, type PageRequest, selectPage, statements } from '../query-builder.ts';
import type { Selected } from '../schema/columns.ts';
import { type Rows, selection, TABLES } from '../schema/tables.ts';

export const EXPORT_STATUSES = TABLES.exports.status.values;
type ExportStatus = (typeof EXPORT_STATUSES)[number];
export type ExportContent = Rows['exports']['content'];

/** SQL: whether the export of a row has not ended. */
const IS_ACTIVE = `status in ('pending', 'running')`;

const EXPORT = selection(
  'exports',
  {
    id: 'id',
    userId: 'user_id',
    status: 'status',
    content: 'content',
    request: 'request',
    through: 'through',
    attempts: 'attempts',
    progressPct: 'progress_pct',
    rows: 'rows',
    bytes: 'bytes',
    checksum: 'checksum_sha256',
    objectKey: 'object_key',
    error: 'error',
    createdAt: 'created_at',
    startedAt: 'started_at',
    finishedAt: 'finished_at',
    expiresAt: 'expires_at',
  },
  'e',
);

export interface ExportRecord extends Selected<typeof EXPORT> {
  /** E-mail address of the account that requested it. */
  readonly email: string;
}

const COLUMNS = `${EXPORT.sql}, u.email`;

export interface NewExport {
  readonly userId: number;
  readonly content: ExportContent;
  readonly request: object;
  /** Null exactly when it has no bars. */
  readonly through: string | null;
  /** Null: the export is made while its caller waits. */
  readonly queueJobId: string | null;
  readonly requestId: string;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

export async function insertExport(db: Queryable, added: NewExport): Promise<number> {
  const { rows } = await db.query<Pick<Rows['exports'], 'id'>>(
    `insert into exports (user_id, content, request, through, queue_job_id, request_id, created_at, expires_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8) returning id`,
    [
      added.userId,
      added.content,
      added.request,
      added.through,
      added.queueJobId,
      added.requestId,
      added.createdAt,
      added.expiresAt,
    ],
  );
  return rows[0].id;
}

/** An export of market data. */
export async function selectExport(db: Queryable, id: number): Promise<ExportRecord | null> {
  const { rows } = await db.query<ExportRecord>(
    `select ${COLUMNS} from exports e join users u on u.id = e.user_id where e.id = $1 and e.content = 'market'`,
    [id],
  );
  return rows[0] ?? null;
}

/** The newest export of what an account has kept. */
export async function selectAccountExport(db: Queryable, userId: number): Promise<ExportRecord | null> {
  const { rows } = await db.query<ExportRecord>(
    `select ${COLUMNS} from exports e join users u on u.id = e.user_id
     where e.user_id = $1 and e.content = 'account' order by e.id desc limit 1`,
    [userId],
  );
  return rows[0] ?? null;
}

/** Lets the exports of what an account has kept expire. */
export async function expireAccountExports(db: Queryable, userId: number, at: Date): Promise<void> {
  await db.query(`update exports set expires_at = least(expires_at, $2) where user_id = $1 and content = 'account'`, [
    userId,
    at,
  ]);
}

export async function selectExportByQueueJob(db: Queryable, queueJobId: string): Promise<ExportRecord | null> {
  const { rows } = await db.query<ExportRecord>(
    `select ${COLUMNS} from exports e join users u on u.id = e.user_id where e.queue_job_id = $1`,
    [queueJobId],
  );
  return rows[0] ?? null;
}

/** Begins an attempt. Null when the export has ended. */
export async function startExport(db: Queryable, id: number, at: Date): Promise<ExportRecord | null> {
  const { rows } = await db.query<ExportRecord>(
    `update exports e set status = 'running', attempts = e.attempts + 1, progress_pct = 0,
       started_at = coalesce(e.started_at, $2)
     from users u where u.id = e.user_id and e.id = $1 and e.${IS_ACTIVE} returning ${COLUMNS}`,
    [id, at],
  );
  return rows[0] ?? null;
}

export interface ExportAttempt {
  readonly id: number;
  readonly attempts: number;
}

const IS_CURRENT = `id = $1 and attempts = $2 and status = 'running'`;

/** False when the attempt is no longer current: the export was canceled, deleted with its account, or taken by another worker. */
export async function updateExportProgress(
  db: Queryable,
  { id, attempts }: ExportAttempt,
  progressPct: number,
): Promise<boolean> {
  const { rowCount } = await db.query(`update exports set progress_pct = $3 where ${IS_CURRENT}`, [
    id,
    attempts,
    Math.min(100, progressPct),
  ]);
  return rowCount === 1;
}

export interface ExportedFile {
  readonly objectKey: string;
  readonly rows: number;
  readonly bytes: number;
  readonly checksum: string;
}

/** Records the stored file. False when the attempt is no longer current; its file is not needed then. */
export async function finishExport(
  db: Queryable,
  { id, attempts }: ExportAttempt,
  file: ExportedFile,
  at: Date,
): Promise<boolean> {
  const { rowCount } = await db.query(
    `update exports set status = 'done', progress_pct = 100, object_key = $3, rows = $4, bytes = $5,
       checksum_sha256 = $6, finished_at = $7, error = null
     where ${IS_CURRENT}`,
    [id, attempts, file.objectKey, file.rows, file.bytes, file.checksum, at],
  );
  return rowCount === 1;
}

export async function failExport(
  db: Queryable,
  { id, attempts }: ExportAttempt,
  error: string,
  at: Date,
): Promise<void> {
  await db.query(`update exports set status = 'failed', error = $3, finished_at = $4 where ${IS_CURRENT}`, [
    id,
    attempts,
    error,
    at,
  ]);
}

/** Reopens a failed export under a new queue job. False when it has not failed. */
export async function reopenExport(db: Queryable, id: number, queueJobId: string): Promise<boolean> {
  const { rowCount } = await db.query(
    `update exports set status = 'pending', queue_job_id = $2, error = null, started_at = null, finished_at = null,
       progress_pct = 0
     where id = $1 and status = 'failed'`,
    [id, queueJobId],
  );
  return rowCount === 1;
}

/** Ends an active export as failed. Null when it has already ended. */
export async function cancelExport(
  db: Queryable,
  id: number,
  error: string,
  at: Date,
): Promise<{ readonly queueJobId: string | null } | null> {
  const { rows } = await db.query<{ queueJobId: string | null }>(
    `update exports set status = 'failed', error = $2, finished_at = $3
     where id = $1 and ${IS_ACTIVE} returning queue_job_id as "queueJobId"`,
    [id, error, at],
  );
  return rows[0] ?? null;
}

/**
 * Ends abandoned exports: their queue job was deleted or has ended without an update, or the process of the waiting
 * caller died (exports that began before `startedBefore`).
 */
export async function failAbandonedExports(
  db: Queryable,
  { at, startedBefore }: { readonly at: Date; readonly startedBefore: Date },
): Promise<number> {
  const { rowCount } = await db.query(
    `update exports e set status = 'failed', finished_at = $1, error = 'the worker died and no attempt was left'
     where e.${IS_ACTIVE} and case
       when e.queue_job_id is null then coalesce(e.started_at, e.created_at) < $2
       else not exists (select from pgboss.job j where j.id = e.queue_job_id and j.state < 'completed') end`,
    [at, startedBefore],
  );
  return rowCount ?? 0;
}

export interface ExportObject {
  readonly id: number;
  readonly objectKey: string;
}

/** Expired exports that still have a file. */
export async function selectExpiredExports(db: Queryable, at: Date): Promise<ExportObject[]> {
  const { rows } = await db.query<ExportObject>(
    `select id, object_key as "objectKey" from exports where object_key is not null and expires_at <= $1 order by id`,
    [at],
  );
  return rows;
}

/** Records that the file was removed. The row stays. */
export async function forgetExportObject(db: Queryable, { id, objectKey }: ExportObject): Promise<void> {
  await db.query('update exports set object_key = null where id = $1 and object_key = $2', [id, objectKey]);
}

/** The files of exports, and whether each export is active. */
export async function selectExportObjects(
  db: Queryable,
  ids: readonly number[],
): Promise<{ readonly id: number; readonly objectKey: string | null; readonly isActive: boolean }[]> {
  const { rows } = await db.query(
    `select id, object_key as "objectKey", ${IS_ACTIVE} as "isActive" from exports
     where id = any($1::bigint[])`,
    [ids],
  );
  return rows;
}

const EMAIL = '(select u.email from users u where u.id = exports.user_id) as email';

export interface ExportFilter {
  readonly status?: ExportStatus;
  /** Only exports that this account requested. */
  readonly userId?: number;
}

/** Exports of market data, newest first. */
export async function selectExports(
  db: Queryable,
  { status, userId }: ExportFilter,
  page: PageRequest,
): Promise<Page<ExportRecord>> {
  const { raw, rowsOf } = await statements();
  const matching = rowsOf('exports', { content: 'market', status, user_id: userId });
  return selectPage(db, matching, page, (exports) =>
    exports.select<ExportRecord[]>(EXPORT.columns, raw(EMAIL)).orderBy('id', 'desc'),
  );
}
