/** The jobs of work that is computed in chunks: cells of backtests, or factors. */
import type { SweepKind } from '../../db/sweeps/sweeps.ts';
import { type AssemblyContext, assembleBy, assembleCells } from '../sweep/assemble.ts';
import {
  type ChunkContext,
  type ChunkJob,
  computeCells,
  runChunkBy,
  type WriteChunk,
  writeCells,
} from '../sweep/run-chunk.ts';
import { assembleFactors } from './assemble.ts';
import { writeFactors } from './chunk.ts';

const WRITERS: Readonly<Record<SweepKind, WriteChunk>> = { sweep: writeCells(computeCells), factors: writeFactors };

export function runChunk(context: ChunkContext, job: ChunkJob): Promise<void> {
  return runChunkBy(context, job, (own, chunk, key) => WRITERS[chunk.kind](own, chunk, key));
}

export function assembleWork(context: AssemblyContext, job: { readonly sweepId: string }): Promise<void> {
  return assembleBy(context, job, { sweep: assembleCells, factors: assembleFactors });
}
