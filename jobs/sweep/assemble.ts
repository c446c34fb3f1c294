/**
 * The job that makes the result of a sweep, a group of combinations at a time, and the file of all its cells, a chunk at
 * a time.
 */
import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { transaction } from '../../db/pool.ts';
import { reopenChunk, selectChunks } from '../../db/sweeps/sweep-chunks.ts';
import {
  failSweep,
  finishSweep,
  type Sweep,
  type SweepEnd,
  type SweepKind,
  selectSweep,
} from '../../db/sweeps/sweeps.ts';
import { sweepCellsKey, sweepChunkKey, sweepChunksPrefix, sweepResultKey } from '../../storage/keys.ts';
import { isPermanent, type JobContext } from '../contracts/job-context.ts';
import { sweepInstrumentsSchema, sweepSpecSchema } from '../contracts/sweep.ts';
import { failureOf } from '../runs/frame.ts';
import { removePrefix } from '../storage/remove-objects.ts';
import { parquetCells } from './cells-parquet.ts';
import { notesOfSweep, spanOfBlocks } from './chunk-object.ts';
import { startNext } from './enqueue.ts';
import { type LocalChunks, withLocalChunks } from './local-chunks.ts';
import { resultPieces } from './result.ts';
import { countCombinations, runsOf, type StoredSweep } from './stored-sweep.ts';

export type AssemblyContext = Pick<
  JobContext,
  'pool' | 'storage' | 'workFolder' | 'boss' | 'now' | 'log' | 'signal' | 'isLastAttempt'
>;

/** Puts the chunks together and stores the result. */
export type Assemble = (context: AssemblyContext, sweep: Sweep) => Promise<SweepEnd>;

export async function assembleBy(
  context: AssemblyContext,
  { sweepId }: { readonly sweepId: string },
  assemble: Readonly<Record<SweepKind, Assemble>>,
): Promise<void> {
  const { pool, storage, now, isLastAttempt } = context;
  const sweep = await selectSweep(pool, sweepId);
  if (sweep?.status !== 'running' || sweep.chunksDone < sweep.chunks) return;
  try {
    await end(context, sweep, await assemble[sweep.kind](context, sweep));
  } catch (error) {
    if (isLastAttempt || isPermanent(error)) {
      await reopenLost(context, sweep);
      await failSweep(pool, sweepId, failureOf(error).code, new Date(now()));
    }
    throw error;
  }
  await removePrefix(storage, sweepChunksPrefix(sweep.userId, sweepId));
}

export async function assembleCells(context: AssemblyContext, sweep: Sweep): Promise<SweepEnd> {
  const stored = await storedSweep(context, sweep);
  return withLocalChunks(context, stored.chunks, countCombinations(stored.runs), async (local) => {
    const [noteCodes] = await Promise.all([
      notesOf(context, stored, local),
      context.storage.put(sweepResultKey(sweep.userId, sweep.id), Readable.from(resultPieces(context, stored, local))),
    ]);
    return { ...(await writeCells(context, stored, local)), noteCodes };
  });
}

async function storedSweep({ pool }: AssemblyContext, { id, userId, spec, cells }: Sweep): Promise<StoredSweep> {
  const read = sweepSpecSchema.parse(spec);
  const chunks = (await selectChunks(pool, id)).map(({ seq, attempt, instruments }) => {
    const members = sweepInstrumentsSchema.parse(instruments);
    return { members, key: sweepChunkKey({ userId, sweepId: id, seq, attempt }), instruments: members.length };
  });
  return { id, userId, cells, spec: read, runs: runsOf(read), chunks };
}

/** Reopens the chunks whose objects were deleted, so that a retry of the sweep computes them again. */
async function reopenLost({ pool, storage, log }: AssemblyContext, { id: sweepId, userId }: Sweep): Promise<void> {
  for (const { seq, attempt } of await selectChunks(pool, sweepId)) {
    if (await storage.has(sweepChunkKey({ userId, sweepId, seq, attempt }))) continue;
    await reopenChunk(pool, { sweepId, seq, attempt });
    log.warn({ sweepId, seq }, 'the cells of a chunk are gone');
  }
}

async function notesOf({ pool }: AssemblyContext, { spec, chunks }: StoredSweep, local: LocalChunks) {
  const members = chunks.flatMap((chunk) => chunk.members);
  return notesOfSweep(pool, spec, members, spanOfBlocks(await local.ranges()));
}

async function writeCells({ storage, signal }: AssemblyContext, stored: StoredSweep, local: LocalChunks) {
  const hash = createHash('sha256');
  async function* hashed() {
    for await (const piece of parquetCells(storage, stored, local)) {
      signal.throwIfAborted();
      hash.update(piece);
      yield piece;
    }
  }
  const bytes = await storage.put(sweepCellsKey(stored.userId, stored.id), Readable.from(hashed()));
  return { bytes, sha256: hash.digest('hex') };
}

/** Ends the sweep and starts the next one of the account, in one transaction. */
async function end({ pool, boss, now, log }: AssemblyContext, { id, userId }: Sweep, ended: SweepEnd): Promise<void> {
  const queue = await boss();
  const at = new Date(now());
  await transaction(pool, async (connection) => {
    if (!(await finishSweep(connection, id, ended, at))) return log.debug({ sweepId: id }, 'the sweep was removed');
    await startNext(connection, queue, userId, at);
  });
}
