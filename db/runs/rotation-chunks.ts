/** Chunks of large rotations: the job of the run opens and takes them, and other workers claim them meanwhile. */
import type { Connection, Queryable } from '../pool.ts';
import type { Rows } from '../schema/tables.ts';

type Chunk = Rows['rotation_chunks'];
export type ChunkKind = Chunk['kind'];

export interface NewPass {
  readonly passId: string;
  readonly runId: string;
  readonly kind: ChunkKind;
  /** In the order of their numbers. */
  readonly chunks: readonly { readonly jobId: string; readonly work: Buffer }[];
}

/** Records the chunks of a pass. Those of an earlier attempt of the run are deleted. */
export async function insertPass(connection: Connection, { passId, runId, kind, chunks }: NewPass): Promise<void> {
  await connection.query('delete from rotation_chunks where run_id = $1', [runId]);
  await connection.query(
    `insert into rotation_chunks (pass_id, seq, run_id, job_id, kind, work)
     select $1, ordinality - 1, $2, job_id, $3, work
     from unnest($4::uuid[], $5::bytea[]) with ordinality t (job_id, work)`,
    [passId, runId, kind, chunks.map(({ jobId }) => jobId), chunks.map(({ work }) => work)],
  );
}

/** A chunk with the specification of its run. */
export type ClaimedChunk = Pick<Chunk, 'kind' | 'work'> &
  Pick<Rows['runs'], 'spec'> & { readonly secondsMax: number | null };

/** Claims a chunk for another worker than that of the run. Null: it was claimed or taken before, or its run has ended. */
export async function claimChunk(db: Queryable, passId: string, seq: number): Promise<ClaimedChunk | null> {
  const { rows } = await db.query<ClaimedChunk>(
    `update rotation_chunks c set claimed_at = now()
     from runs r where r.id = c.run_id and r.status = 'running' and c.pass_id = $1 and c.seq = $2 and c.claimed_at is null
     returning c.kind, c.work, r.spec, r.seconds_max as "secondsMax"`,
    [passId, seq],
  );
  return rows[0] ?? null;
}

/** Without effect where the run's job has taken the chunk meanwhile. */
export async function storeChunkResult(
  db: Queryable,
  {
    passId,
    seq,
    result,
    workerSeconds,
  }: { readonly passId: string; readonly seq: number; readonly result: Buffer; readonly workerSeconds: number },
): Promise<void> {
  await db.query('update rotation_chunks set result = $3, worker_seconds = $4 where pass_id = $1 and seq = $2', [
    passId,
    seq,
    result,
    workerSeconds,
  ]);
}

/** A chunk that the run's job has taken; without a result it computes it itself. */
export type TakenChunk = Pick<Chunk, 'seq' | 'result'> & { readonly workerSeconds: number | null };

/**
 * Takes a chunk of a pass: one that is done, else one that nobody has claimed, else the one that was claimed first, whose worker may
 * be dead. Null: none is left.
 */
export async function takeChunk(db: Queryable, passId: string): Promise<TakenChunk | null> {
  const { rows } = await db.query<TakenChunk>(
    `delete from rotation_chunks where pass_id = $1 and seq = (
       select seq from rotation_chunks where pass_id = $1
       order by result is null, claimed_at nulls first, seq desc limit 1 for update)
     returning seq, result, worker_seconds as "workerSeconds"`,
    [passId],
  );
  return rows[0] ?? null;
}

export async function deletePass(connection: Connection, passId: string): Promise<void> {
  await connection.query('delete from rotation_chunks where pass_id = $1', [passId]);
}

/** Deletes the chunks of ended runs whose worker could not. */
export async function deleteOldChunks(db: Queryable): Promise<void> {
  await db.query('delete from rotation_chunks c using runs r where r.id = c.run_id and r.finished_at is not null');
}

/** Jobs of the chunks of an account's runs. */
export async function selectChunkJobsOf(db: Queryable, userId: number): Promise<string[]> {
  const { rows } = await db.query<{ jobId: string }>(
    `select job_id as "jobId" from rotation_chunks c join runs r on r.id = c.run_id where r.user_id = $1`,
    [userId],
  );
  return rows.map(({ jobId }) => jobId);
}
