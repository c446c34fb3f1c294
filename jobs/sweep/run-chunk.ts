/** The job of a chunk: its histories are read, every cell is computed, and all of it counts at once or not at all. */
import { setTimeout as sleep } from 'node:timers/promises';
import { transaction } from '../../db/pool.ts';
import { finishChunk, type StartedChunk, startChunk } from '../../db/sweeps/sweep-chunks.ts';
import { failSweep } from '../../db/sweeps/sweeps.ts';
import { CellBlock, fillInstrument } from '../../engine/sweep/cells.ts';
import { sweepChunkKey } from '../../storage/keys.ts';
import { readHistories } from '../backtest/history.ts';
import { failureOf } from '../backtest/run-kept.ts';
import { isPermanent, type JobContext } from '../job-context.ts';
import { writeChunk } from './chunk-object.ts';
import { sweepInstrumentsSchema, sweepSpecSchema } from './contract.ts';
import { enqueueAssembly } from './enqueue.ts';
import { countCombinations, runsOf } from './runs.ts';

export interface ChunkJob {
  readonly sweepId: string;
  readonly seq: number;
  readonly requestId: string | null;
}

/** Instruments whose histories are in memory at once. */
const READ_AT_ONCE = 32;

export function runChunk(context: JobContext, job: ChunkJob): Promise<void> {
  return runChunkBy(context, job, computeCells);
}

/** The part of a job's context that a chunk needs. */
export type ChunkContext = Pick<JobContext, 'pool' | 'boss' | 'storage' | 'now' | 'signal' | 'isLastAttempt'>;

/** The job of a chunk whose cells come from `compute`. */
export async function runChunkBy(
  context: ChunkContext,
  job: ChunkJob,
  compute: (context: ChunkContext, chunk: StartedChunk) => Promise<CellBlock>,
): Promise<void> {
  const { pool, storage, now, isLastAttempt } = context;
  const { sweepId, seq } = job;
  const chunk = await startChunk(pool, sweepId, seq);
  if (!chunk) return;
  const key = sweepChunkKey({ userId: chunk.userId, sweepId, seq, attempt: chunk.attempt });
  try {
    await writeChunk(storage, key, await compute(context, chunk));
    // An attempt that came too late has stored what nobody refers to.
    if (!(await finish(context, job, chunk.attempt))) await storage.remove(key);
  } catch (error) {
    if (isLastAttempt || isPermanent(error)) await failSweep(pool, sweepId, failureOf(error).code, new Date(now()));
    throw error;
  }
}

async function computeCells({ pool, signal }: ChunkContext, chunk: StartedChunk): Promise<CellBlock> {
  const spec = sweepSpecSchema.parse(chunk.spec);
  const instruments = sweepInstrumentsSchema.parse(chunk.instruments);
  const runs = runsOf(spec);
  const block = new CellBlock(instruments.length, countCombinations(runs));
  const read = (from: number) =>
    readHistories(
      pool,
      instruments.slice(from, from + READ_AT_ONCE).map(({ instrumentId }) => instrumentId),
      spec.asOf,
    );
  let next = read(0);
  for (let from = 0; from < instruments.length; from += READ_AT_ONCE) {
    const histories = await next;
    // The database reads while this thread computes.
    if (from + READ_AT_ONCE < instruments.length) next = read(from + READ_AT_ONCE);
    for (const [i, history] of histories.entries()) {
      signal.throwIfAborted();
      const { listedOn, delistedOn } = instruments[from + i];
      fillInstrument(block, from + i, spec, { ...history, asOf: spec.asOf, lifetime: { listedOn, delistedOn } }, runs);
    }
    await sleep(0);
  }
  return block;
}

/** The end of the chunk, its cells, and the assembly after the last one become true in one transaction. */
async function finish({ pool, boss }: ChunkContext, job: ChunkJob, attempt: number): Promise<boolean> {
  const { sweepId, seq, requestId } = job;
  return transaction(pool, async (connection) => {
    const ended = await finishChunk(connection, { sweepId, seq, attempt });
    if (ended?.isLast) await enqueueAssembly(connection, await boss(), { sweepId, requestId });
    return ended !== null;
  });
}
