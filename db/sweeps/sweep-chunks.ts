/** Chunks of sweeps: their attempts and their ends. */
import type { Connection, Queryable } from '../pool.ts';
import type { Rows } from '../schema/tables.ts';
import type { SweepKind } from './sweeps.ts';

export interface StartedChunk {
  readonly kind: SweepKind;
  readonly userId: number;
  readonly spec: unknown;
  readonly instruments: unknown;
  readonly cells: number;
  /** Attempt of this chunk, from 1; the end of an older one does not count. */
  readonly attempt: number;
}

/** Begins an attempt at a chunk. Null when it is done, or its sweep does not run any more. */
export async function startChunk(db: Queryable, sweepId: string, seq: number): Promise<StartedChunk | null> {
  const { rows } = await db.query<StartedChunk>({
    name: 'start_sweep_chunk',
    text: `update sweep_chunks c set attempt = c.attempt + 1, started_at = now()
           from sweeps s where s.id = c.sweep_id and s.status = 'running'
             and c.sweep_id = $1 and c.seq = $2 and c.done_at is null
           returning s.kind, s.user_id as "userId", s.spec, c.instruments, c.cells, c.attempt`,
    values: [sweepId, seq],
  });
  return rows[0] ?? null;
}

export interface ChunkEnd {
  readonly sweepId: string;
  readonly seq: number;
  readonly attempt: number;
}

/** The end of a chunk that counts. */
export interface CountedChunk {
  /** Whether it was the last one of its sweep. */
  readonly isLast: boolean;
  /** Whether the sweep has now cost more than it may. */
  readonly isTooLong: boolean;
}

/**
 * Ends a chunk and counts its cells and what it has cost, once: only the newest attempt of a chunk that is not done can. Null when
 * this attempt does not count.
 */
export async function finishChunk(
  connection: Connection,
  { sweepId, seq, attempt }: ChunkEnd,
  workerSeconds: number,
): Promise<CountedChunk | null> {
  const { rows } = await connection.query<CountedChunk>({
    name: 'finish_sweep_chunk',
    // The row of the sweep is locked first: a chunk is done only where it is counted too, whenever the sweep fails.
    text: `with running as (select id from sweeps where id = $1 and status = 'running' for update),
           ended as (
             update sweep_chunks set done_at = now()
             where sweep_id = (select id from running) and seq = $2 and attempt = $3 and done_at is null returning cells)
           update sweeps set cells_done = cells_done + ended.cells, chunks_done = chunks_done + 1,
             worker_seconds = worker_seconds + $4
           from ended where id = $1
           returning chunks_done = chunks as "isLast", coalesce(worker_seconds > seconds_max, false) as "isTooLong"`,
    values: [sweepId, seq, attempt, workerSeconds],
  });
  return rows[0] ?? null;
}

/** Reopens a chunk whose cells were deleted; they do not count any more. */
export async function reopenChunk(db: Queryable, { sweepId, seq, attempt }: ChunkEnd): Promise<void> {
  await db.query(
    `with running as (select id from sweeps where id = $1 and status = 'running' for update),
     reopened as (
       update sweep_chunks set done_at = null
       where sweep_id = (select id from running) and seq = $2 and attempt = $3 and done_at is not null returning cells)
     update sweeps set cells_done = cells_done - reopened.cells, chunks_done = chunks_done - 1
     from reopened where id = $1`,
    [sweepId, seq, attempt],
  );
}

export type DoneChunk = Pick<Rows['sweep_chunks'], 'seq' | 'attempt' | 'instruments'>;

/** In their order. */
export async function selectChunks(db: Queryable, sweepId: string): Promise<DoneChunk[]> {
  const { rows } = await db.query<DoneChunk>(
    'select seq, attempt, instruments from sweep_chunks where sweep_id = $1 order by seq',
    [sweepId],
  );
  return rows;
}

export type QueuedChunk = Pick<Rows['sweep_chunks'], 'seq' | 'turn'> & { readonly jobId: string };

/** The chunks of a sweep that are not done, in its order. */
export async function selectChunkJobs(db: Queryable, sweepId: string): Promise<QueuedChunk[]> {
  const { rows } = await db.query<QueuedChunk>(
    'select seq, turn, job_id as "jobId" from sweep_chunks where sweep_id = $1 and done_at is null order by seq',
    [sweepId],
  );
  return rows;
}

/** Jobs of the chunks of an account's running sweep that are not done. */
export async function selectWaitingChunkJobs(db: Queryable, userId: number): Promise<string[]> {
  const { rows } = await db.query<{ jobId: string }>(
    `select c.job_id as "jobId" from sweep_chunks c join sweeps s on s.id = c.sweep_id
     where s.user_id = $1 and s.status = 'running' and c.done_at is null`,
    [userId],
  );
  return rows.map(({ jobId }) => jobId);
}
