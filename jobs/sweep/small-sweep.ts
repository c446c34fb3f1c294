/** The result of a sweep that is computed at once, in memory. */
import { CELL_COLUMNS, CellBlock } from '../../engine/sweep/cells.ts';
import type { JobContext } from '../contracts/job-context.ts';
import type { SmallSweep } from '../contracts/sweep.ts';
import { notesOfSweep, spanOfBlocks } from './chunk-object.ts';
import { resultText } from './result.ts';
import { computeCells } from './run-chunk.ts';
import { countCombinations, runsOf } from './stored-sweep.ts';

export async function computeSweep(
  context: Pick<JobContext, 'pool' | 'signal'>,
  id: string,
  { sweep: spec, instruments }: SmallSweep,
): Promise<object> {
  const { pool } = context;
  const runs = runsOf(spec);
  const block = await computeCells(context, { spec, instruments, runs });
  const each = CELL_COLUMNS.length * instruments.length;
  const readCells = async (from: number, count: number) => [
    new CellBlock(instruments.length, count, undefined, block.figures.subarray(from * each, (from + count) * each)),
  ];
  const cells = instruments.length * countCombinations(runs);
  const pieces = await Array.fromAsync(
    resultText(pool, { id, userId: null, cells, spec, runs, members: instruments }, readCells),
  );
  const note_codes = await notesOfSweep(pool, spec, instruments, spanOfBlocks([block]));
  return { ...JSON.parse(pieces.join('')), note_codes };
}
