/** The job of a chunk: reads its histories, computes every cell, and commits all of them at once. */
import { setImmediate } from 'node:timers/promises';
import { type Pool, transaction } from '../../db/pool.ts';
import { finishChunk, type StartedChunk, startChunk } from '../../db/sweeps/sweep-chunks.ts';
import { failSweep } from '../../db/sweeps/sweeps.ts';
import type { MarketColumns } from '../../engine/backtest/rates.ts';
import type { OtherInstruments } from '../../engine/rules/other-instruments.ts';
import { CellBlock, fillInstrument, type SweepRun } from '../../engine/sweep/cells.ts';
import { required } from '../../engine/util/values.ts';
import { sweepChunkKey } from '../../storage/keys.ts';
import { isPermanent, type JobContext } from '../contracts/job-context.ts';
import {
  columnsOfRuns,
  lastReadDay,
  type SweepInstrument,
  type SweepSpec,
  sweepInstrumentsSchema,
  sweepSpecSchema,
} from '../contracts/sweep.ts';
import { failureOf } from '../runs/frame.ts';
import { readHistories, readOthers, referencedInstruments, streamHistories } from '../runs/history.ts';
import { readingColumns, streamingColumns } from '../runs/own-columns.ts';
import { readRateColumns } from '../runs/rates.ts';
import { encodeCells } from './cells-parquet.ts';
import { removeChunk, writeChunk } from './chunk-object.ts';
import { enqueueAssembly } from './enqueue.ts';
import { combinationsOf, countCombinations, runsOf } from './stored-sweep.ts';

export interface ChunkJob {
  readonly sweepId: string;
  readonly seq: number;
  readonly requestId: string | null;
}

/** Computes a chunk and stores it under a key. */
export type WriteChunk = (context: ChunkContext, chunk: StartedChunk, key: string) => Promise<void>;

/** Writes the cells that `compute` makes, with their part of the file of all cells. */
export function writeCells(compute: (context: ChunkContext, work: ChunkWork) => Promise<CellBlock>): WriteChunk {
  return async (context, chunk, key) => {
    const work = await workOf(context.pool, chunk);
    const block = await compute(context, work);
    await writeChunk(context.storage, key, block, encodeCells(block, work.instruments, combinationsOf(work)));
  };
}

export type ChunkContext = Pick<
  JobContext,
  'pool' | 'boss' | 'storage' | 'now' | 'signal' | 'cost' | 'isLastAttempt' | 'rotationBars'
>;

/** Runs the job of a chunk. */
export async function runChunkBy(context: ChunkContext, job: ChunkJob, write: WriteChunk): Promise<void> {
  const { pool, storage, now, isLastAttempt } = context;
  const { sweepId, seq } = job;
  const chunk = await startChunk(pool, sweepId, seq);
  if (!chunk) return;
  const key = sweepChunkKey({ userId: chunk.userId, sweepId, seq, attempt: chunk.attempt });
  try {
    await write(context, chunk, key);
    // A later attempt works on the chunk, so no row names this object.
    if (!(await finish(context, job, chunk))) await removeChunk(storage, key);
  } catch (error) {
    if (isLastAttempt || isPermanent(error)) await failSweep(pool, sweepId, failureOf(error).code, new Date(now()));
    throw error;
  }
}

/** A chunk: every combination of its runs on every instrument. */
export interface ChunkWork {
  readonly spec: SweepSpec;
  readonly instruments: readonly SweepInstrument[];
  readonly runs: readonly SweepRun[];
  readonly columns?: MarketColumns | undefined;
}

async function workOf(pool: Pool, chunk: StartedChunk): Promise<ChunkWork> {
  const spec = sweepSpecSchema.parse(chunk.spec);
  const others: (OtherInstruments | undefined)[] = [];
  for (const run of spec.runs) {
    const read = readingColumns(readHistories, run.columns);
    others.push(referencedInstruments(await readOthers(pool, run.others, lastReadDay(spec), read), spec.adjust));
  }
  const instruments = sweepInstrumentsSchema.parse(chunk.instruments);
  return { spec, instruments, runs: runsOf(spec, others), columns: await readRateColumns(pool, spec) };
}

export async function computeCells(
  { pool, signal }: Pick<ChunkContext, 'pool' | 'signal'>,
  { spec, instruments, runs, columns }: ChunkWork,
): Promise<CellBlock> {
  const block = new CellBlock(instruments.length, countCombinations(runs));
  const placeOf = new Map(instruments.map(({ instrumentId }, place) => [instrumentId, place]));
  const ids = [...placeOf.keys()];
  const histories = streamHistories(pool, ids, lastReadDay(spec));
  for await (const history of streamingColumns(pool, columnsOfRuns(spec.runs), ids, histories)) {
    // Lets the stream receive the next histories.
    await setImmediate();
    signal.throwIfAborted();
    const place = required(placeOf.get(history.instrumentId), 'an instrument of the chunk');
    const { listedOn, delistedOn } = instruments[place];
    const input = { ...history, columns, asOf: spec.asOf, lifetime: { listedOn, delistedOn } };
    fillInstrument(block, place, spec, input, runs);
  }
  return block;
}

/** Ends the chunk and, after the last one, queues the assembly, in one transaction. False when another attempt has the chunk. */
async function finish(
  context: ChunkContext,
  job: ChunkJob,
  { userId, attempt }: Pick<StartedChunk, 'userId' | 'attempt'>,
): Promise<boolean> {
  const { pool, boss, now, cost } = context;
  const { sweepId, seq, requestId } = job;
  return transaction(pool, async (connection) => {
    const ended = await finishChunk(connection, { sweepId, seq, attempt }, cost.seconds());
    if (ended?.isTooLong) await failSweep(connection, sweepId, 'job_too_long', new Date(now()));
    else if (ended?.isLast) await enqueueAssembly(connection, await boss(), userId, { sweepId, requestId });
    return ended !== null;
  });
}
