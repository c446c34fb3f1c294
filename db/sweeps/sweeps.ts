/** Sweeps of accounts: their records and their progress. */

import type { Connection, Queryable } from '../pool.ts';
import type { Selected } from '../schema/columns.ts';
import { selection, TABLES } from '../schema/tables.ts';

export const SWEEP_STATUSES = TABLES.sweeps.status.values;
export const SWEEP_KINDS = TABLES.sweeps.kind.values;

export const SWEEP = selection('sweeps', {
  id: 'id',
  kind: 'kind',
  userId: 'user_id',
  status: 'status',
  spec: 'spec',
  requestId: 'request_id',
  cells: 'cells',
  cellsDone: 'cells_done',
  chunks: 'chunks',
  chunksDone: 'chunks_done',
  cellsBytes: 'cells_bytes',
  cellsSha256: 'cells_sha256',
  errorCode: 'error_code',
  noteCodes: 'note_codes',
  secondsMax: 'seconds_max',
  workerSeconds: 'worker_seconds',
  planRank: 'plan_rank',
  createdAt: 'created_at',
  startedAt: 'started_at',
  finishedAt: 'finished_at',
});

export type Sweep = Selected<typeof SWEEP>;
export type SweepKind = Sweep['kind'];

export interface NewSweep {
  readonly id: string;
  readonly kind: SweepKind;
  readonly userId: number;
  readonly spec: object;
  /** The call that makes it again. */
  readonly request: object;
  readonly requestId: string;
  readonly at: Date;
  /** Processor seconds of workers that it may cost; null: any number. */
  readonly secondsMax: number | null;
  /** Within a turn a higher plan comes first; from 0 to 3. */
  readonly planRank: number;
  readonly chunks: readonly NewChunk[];
}

export interface NewChunk {
  readonly jobId: string;
  /** The instruments of its cells, or the places of its factors. */
  readonly instruments: readonly (object | number)[];
  readonly cells: number;
}

/** Records a sweep that waits, with its chunks, in the caller's transaction. */
export async function insertSweep(connection: Connection, sweep: NewSweep): Promise<void> {
  const { id, kind, userId, spec, request, requestId, at, chunks, secondsMax, planRank } = sweep;
  const cells = chunks.reduce((sum, chunk) => sum + chunk.cells, 0);
  await connection.query(
    `insert into sweeps (id, user_id, spec, request, request_id, cells, chunks, created_at, seconds_max, plan_rank, kind)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
    [id, userId, spec, request, requestId, cells, chunks.length, at, secondsMax, planRank, kind],
  );
  await connection.query(
    `insert into sweep_chunks (sweep_id, seq, job_id, instruments, cells)
     select $1, ordinality - 1, job_id, instruments, cells
     from unnest($2::uuid[], $3::json[], $4::int[]) with ordinality t (job_id, instruments, cells)`,
    [
      id,
      chunks.map(({ jobId }) => jobId),
      chunks.map(({ instruments }) => JSON.stringify(instruments)),
      chunks.map((chunk) => chunk.cells),
    ],
  );
}

const START_LOCK = 7_309;

/**
 * Lets the oldest waiting sweep of an account run, unless one of its sweeps runs. Its chunks take turns with those of all
 * others: the first one comes at the turn that is served now. Returns the sweep, or null when none was started.
 */
export async function startNextSweep(connection: Connection, userId: number, at: Date): Promise<Sweep | null> {
  await connection.query('select pg_advisory_xact_lock($1, hashtext($2))', [START_LOCK, String(userId)]);
  const { rows } = await connection.query<Sweep>(
    `update sweeps set status = 'running', started_at = $2
     where id = (select id from sweeps where user_id = $1 and status = 'queued' order by created_at, id limit 1 for update)
       and not exists (select from sweeps r where r.user_id = $1 and r.status = 'running')
     returning ${SWEEP.sql}`,
    [userId, at],
  );
  if (rows.length === 0) return null;
  await connection.query(
    `update sweep_chunks set turn = seq + coalesce(
       (select min(c.turn) from sweep_chunks c join sweeps s on s.id = c.sweep_id
        where c.turn is not null and c.done_at is null and s.status = 'running' and c.sweep_id <> $1), 0)
     where sweep_id = $1`,
    [rows[0].id],
  );
  return rows[0];
}

/** Accounts with a sweep that waits and none that runs. */
export async function selectOwnersWaiting(db: Queryable): Promise<number[]> {
  const { rows } = await db.query<{ userId: number }>(
    `select distinct user_id as "userId" from sweeps w where status = 'queued'
       and not exists (select from sweeps r where r.user_id = w.user_id and r.status = 'running')`,
  );
  return rows.map(({ userId }) => userId);
}

export async function selectSweep(db: Queryable, id: string): Promise<Sweep | null> {
  const { rows } = await db.query<Sweep>(`select ${SWEEP.sql} from sweeps where id = $1`, [id]);
  return rows[0] ?? null;
}

/** The call that made a sweep; null where none is kept. It may name the whole market, so that no list reads it. */
export async function selectSweepRequest(db: Queryable, id: string): Promise<object | null> {
  const { rows } = await db.query<{ request: object | null }>('select request from sweeps where id = $1', [id]);
  return rows[0]?.request ?? null;
}

export interface SweepEnd {
  /** Size and checksum of the file of all cells. */
  readonly bytes: number;
  readonly sha256: string;
  readonly noteCodes: readonly string[];
}

/** Sweeps of all accounts, newest first. */
export async function selectLatestSweeps(db: Queryable, limit: number): Promise<Sweep[]> {
  const { rows } = await db.query<Sweep>(`select ${SWEEP.sql} from sweeps order by created_at desc, id limit $1`, [
    limit,
  ]);
  return rows;
}

/** A sweep as operators see it. */
export interface OperatedSweep extends Sweep {
  /** E-mail address of its account. */
  readonly email: string;
  /** Attempts at chunks that did not count: they failed, or their worker died. */
  readonly failedAttempts: number;
}

/** Sweeps of all accounts that run, wait, or have failed: the running ones first, then the waiting ones, each oldest first. */
export async function selectOpenSweeps(db: Queryable, limit: number): Promise<OperatedSweep[]> {
  const { rows } = await db.query<OperatedSweep>(
    `select ${SWEEP.sql}, u.email,
       (select greatest(0, sum(c.attempt - case when c.done_at is null and j.job_id is null then 0 else 1 end))::int
        from sweep_chunks c left join job_claims j on j.job_id = c.job_id and j.queue = 'sweep.chunk'
        where c.sweep_id = sweeps.id and c.attempt > 0) as "failedAttempts"
     from sweeps join users u on u.id = sweeps.user_id where sweeps.status <> 'done'
     order by array_position(array['running', 'queued', 'failed'], sweeps.status), sweeps.created_at, sweeps.id limit $1`,
    [limit],
  );
  return rows.map((row) => ({ ...row, failedAttempts: row.failedAttempts ?? 0 }));
}

/** False when the sweep has ended or was deleted meanwhile. */
export async function finishSweep(db: Queryable, id: string, end: SweepEnd, at: Date): Promise<boolean> {
  const { rowCount } = await db.query(
    `update sweeps set status = 'done', cells_bytes = $2, cells_sha256 = $3, finished_at = $4, note_codes = $5
     where id = $1 and status = 'running'`,
    [id, end.bytes, end.sha256, at, JSON.stringify(end.noteCodes)],
  );
  return rowCount === 1;
}

export async function failSweep(db: Queryable, id: string, code: string, at: Date): Promise<void> {
  await db.query(
    `update sweeps set status = 'failed', error_code = $2, finished_at = $3 where id = $1 and status = 'running'`,
    [id, code, at],
  );
}

/**
 * Puts a failed sweep back among the waiting ones, with new jobs for the chunks that are not done: those that are done stay
 * so. False when it has not failed.
 */
export async function requeueSweep(connection: Connection, id: string): Promise<boolean> {
  const { rowCount } = await connection.query(
    `update sweeps set status = 'queued', error_code = null, started_at = null, finished_at = null, worker_seconds = 0
     where id = $1 and status = 'failed'`,
    [id],
  );
  if (rowCount === 0) return false;
  await connection.query(
    'update sweep_chunks set job_id = gen_random_uuid(), turn = null where sweep_id = $1 and done_at is null',
    [id],
  );
  return true;
}

/** False when the account has no such sweep. */
export async function deleteSweep(db: Queryable, userId: number, id: string): Promise<boolean> {
  const { rowCount } = await db.query('delete from sweeps where id = $1 and user_id = $2', [id, userId]);
  return rowCount === 1;
}

/** The ids of an account's sweeps, without factor studies, that were done after a moment, newest first. */
export async function selectSweepsEndedSince(db: Queryable, userId: number, since: Date): Promise<string[]> {
  const { rows } = await db.query<{ id: string }>(
    `select id from sweeps where user_id = $1 and kind = 'sweep' and status = 'done' and finished_at > $2 order by created_at desc, id`,
    [userId, since],
  );
  return rows.map(({ id }) => id);
}

/** Sweeps that ended before a moment; their cells are not kept any longer. */
export async function selectSweepsEndedBefore(db: Queryable, before: Date): Promise<Pick<Sweep, 'id' | 'userId'>[]> {
  const { rows } = await db.query<Pick<Sweep, 'id' | 'userId'>>(
    'select id, user_id as "userId" from sweeps where finished_at < $1',
    [before],
  );
  return rows;
}

/** Which of the ids are ids of sweeps. */
export async function selectKnownSweeps(db: Queryable, ids: readonly string[]): Promise<Set<string>> {
  const { rows } = await db.query<{ id: string }>('select id from sweeps where id = any($1::uuid[])', [ids]);
  return new Set(rows.map(({ id }) => id));
}

export interface SweepPace {
  /** Chunks that workers compute now, and the number of those workers. */
  readonly runningChunks: number;
  readonly workers: number;
  /** Over the chunks that ended within the last minute; null: none. */
  readonly cellsPerSecond: number | null;
}

/** The speed of a sweep, by the clock of the database. */
export async function selectSweepPace(db: Queryable, id: string): Promise<SweepPace> {
  const { rows } = await db.query<SweepPace>(
    `with recent as (
       select cells, started_at, done_at from sweep_chunks
       where sweep_id = $1 and done_at > now() - interval '60 seconds'),
     running as (
       select j.worker_key from sweep_chunks c join job_claims j on j.job_id = c.job_id and j.queue = 'sweep.chunk'
       where c.sweep_id = $1 and c.done_at is null)
     select (select count(*)::int from running) as "runningChunks",
       (select count(distinct worker_key)::int from running) as "workers",
       (select sum(cells) / nullif(extract(epoch from max(done_at) - min(started_at)), 0) from recent)::float8
         as "cellsPerSecond"`,
    [id],
  );
  return rows[0];
}

export interface SweepTotals {
  readonly queued: number;
  readonly running: number;
  /** Cells of the running sweeps that are not computed yet. */
  readonly cellsLeft: number;
  /** Over the chunks of all sweeps that ended within the last minute. */
  readonly cellsPerSecond: number;
}

/** All sweeps that have not ended. */
export async function selectSweepTotals(db: Queryable): Promise<SweepTotals> {
  const { rows } = await db.query<SweepTotals>(
    `select count(*) filter (where status = 'queued')::int as queued,
       count(*) filter (where status = 'running')::int as running,
       coalesce(sum(cells - cells_done) filter (where status = 'running'), 0)::float8 as "cellsLeft",
       (select coalesce(sum(cells), 0) / 60.0 from sweep_chunks where done_at > now() - interval '60 seconds')::float8
         as "cellsPerSecond"
     from sweeps where finished_at is null`,
  );
  return rows[0];
}
