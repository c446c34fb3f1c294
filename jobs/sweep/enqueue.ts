/** Records sweeps, starts them one at a time per account, retries them, and cancels them. */
import { randomUUID } from 'node:crypto';
import type { PgBoss } from 'pg-boss';
import { type Connection, executorOn, type Pool, transaction } from '../../db/pool.ts';
import { selectChunkJobs, selectWaitingChunkJobs } from '../../db/sweeps/sweep-chunks.ts';
import {
  deleteSweep,
  insertSweep,
  type NewChunk,
  requeueSweep,
  type Sweep,
  type SweepKind,
  selectOwnersWaiting,
  startNextSweep,
} from '../../db/sweeps/sweeps.ts';
import { cutIntoChunks } from '../../engine/sweep/cells.ts';
import { ServiceError } from '../../engine/util/errors.ts';
import { sweepPrefix } from '../../storage/keys.ts';
import { type JobBounds, priorityOf, UNBOUND } from '../contracts/queue-contract.ts';
import {
  type SWEEP_ASSEMBLE_QUEUE,
  SWEEP_CHUNK_QUEUE,
  type SweepInstrument,
  type SweepSpec,
} from '../contracts/sweep.ts';
import { traceHeaders } from '../contracts/traces.ts';
import { send } from '../queue/send.ts';
import { enqueueRemoval } from '../storage/enqueue.ts';

/** The owner of an account's jobs, as in its runs; turns are counted by it. */
const accountOf = (userId: number) => `user:${userId}`;

export interface WantedSweep {
  readonly id: string;
  readonly userId: number;
  readonly spec: SweepSpec;
  /** The request body that creates it again. */
  readonly request: object;
  readonly instruments: readonly SweepInstrument[];
  readonly combinations: number;
  /** Absent: those of an operator. */
  readonly bounds?: JobBounds;
  /** Approximate bars in the range, by which the size of a chunk is chosen. */
  readonly bars: number;
  readonly requestId: string;
  readonly at: Date;
}

/** Records a sweep and starts it, unless another one of the account is running: then it waits. */
export async function enqueueSweep(connection: Connection, boss: PgBoss, wanted: WantedSweep): Promise<void> {
  const { instruments, combinations, bars, ...work } = wanted;
  // In the order in which histories are stored, so that those of a chunk are adjacent.
  const ordered = instruments.toSorted((a, b) => a.instrumentId - b.instrumentId);
  const chunks = cutIntoChunks(ordered, combinations, bars).map((some) => ({
    instruments: some,
    cells: some.length * combinations,
  }));
  await enqueueChunks(connection, boss, { ...work, kind: 'sweep', chunks });
}

interface WantedChunks extends Omit<WantedSweep, 'spec' | 'instruments' | 'combinations' | 'bars'> {
  readonly kind: SweepKind;
  readonly spec: object;
  readonly chunks: readonly Omit<NewChunk, 'jobId'>[];
}

/** Records work of any kind that is computed in chunks, and starts it unless other such work of the account is running. */
export async function enqueueChunks(
  connection: Connection,
  boss: PgBoss,
  { chunks, bounds = UNBOUND, ...work }: WantedChunks,
): Promise<void> {
  const jobs = chunks.map((chunk) => ({ ...chunk, jobId: randomUUID() }));
  await insertSweep(connection, { ...work, ...bounds, chunks: jobs });
  await startNext(connection, boss, work.userId, work.at);
}

/** The first job that works for a sweep. */
export interface SweepJob {
  readonly sweepId: string;
  readonly queue: typeof SWEEP_CHUNK_QUEUE.name | typeof SWEEP_ASSEMBLE_QUEUE.name;
  readonly jobId: string;
}

/** Starts the oldest waiting sweep of an account, unless one runs; null: none was started. */
export async function startNext(
  connection: Connection,
  boss: PgBoss,
  userId: number,
  at: Date,
): Promise<SweepJob | null> {
  const sweep = await startNextSweep(connection, userId, at);
  if (sweep === null) return null;
  const { id: sweepId, requestId, planRank } = sweep;
  const chunks = await selectChunkJobs(connection, sweepId);
  // All chunks were done when it failed: only the assembly is left.
  if (chunks.length === 0) {
    return {
      sweepId,
      queue: 'sweep.assemble',
      jobId: await enqueueAssembly(connection, boss, userId, { sweepId, requestId }),
    };
  }
  // All in one statement. Chunks of several sweeps alternate by their turns.
  const jobs = chunks.map(({ jobId, seq, turn }) => ({
    id: jobId,
    data: { ...SWEEP_CHUNK_QUEUE.payload.parse({ sweepId, seq, requestId }), ...traceHeaders() },
    priority: priorityOf(turn ?? 0, planRank),
    group: { id: accountOf(userId) },
  }));
  await boss.insert(SWEEP_CHUNK_QUEUE.name, jobs, { db: executorOn(connection) });
  return { sweepId, queue: 'sweep.chunk', jobId: chunks[0].jobId };
}

/** Starts sweeps that wait although none of their account is running, because the one before has failed. */
export async function startWaitingSweeps(pool: Pool, boss: PgBoss, at: Date): Promise<void> {
  for (const userId of await selectOwnersWaiting(pool)) {
    await transaction(pool, (connection) => startNext(connection, boss, userId, at));
  }
}

export async function enqueueAssembly(
  connection: Connection,
  boss: PgBoss,
  userId: number,
  payload: { readonly sweepId: string; readonly requestId: string | null },
): Promise<string> {
  const id = randomUUID();
  await send(boss, connection, 'sweep.assemble', id, payload, { account: accountOf(userId) });
  return id;
}

/**
 * Resumes a failed sweep without its finished chunks. Returns its first job; null: it waits until another sweep of the
 * account has ended.
 */
export async function retrySweep(
  connection: Connection,
  boss: PgBoss,
  sweep: Sweep,
  at: Date,
): Promise<SweepJob | null> {
  if (!(await requeueSweep(connection, sweep.id))) {
    throw new ServiceError('wrong_state', { needed: 'failed', status: sweep.status });
  }
  const started = await startNext(connection, boss, sweep.userId, at);
  return started?.sweepId === sweep.id ? started : null;
}

/** Cancels the waiting jobs of all sweeps of an account, whose rows are deleted with it. */
export async function cancelSweepsOf(connection: Connection, boss: PgBoss, userId: number): Promise<void> {
  const ids = await selectWaitingChunkJobs(connection, userId);
  if (ids.length > 0) await boss.cancel(SWEEP_CHUNK_QUEUE.name, ids, { db: executorOn(connection) });
}

/** Cancels a sweep and removes it with its objects. False when the account has no such sweep. */
export async function removeSweep(
  connection: Connection,
  boss: PgBoss,
  {
    userId,
    id,
    requestId,
    at,
  }: { readonly userId: number; readonly id: string; readonly requestId: string; readonly at: Date },
): Promise<boolean> {
  const jobs = await selectChunkJobs(connection, id);
  if (!(await deleteSweep(connection, userId, id))) return false;
  const ids = jobs.map(({ jobId }) => jobId);
  if (ids.length > 0) await boss.cancel(SWEEP_CHUNK_QUEUE.name, ids, { db: executorOn(connection) });
  await enqueueRemoval(connection, boss, { prefix: sweepPrefix(userId, id), requestId });
  await startNext(connection, boss, userId, at);
  return true;
}
