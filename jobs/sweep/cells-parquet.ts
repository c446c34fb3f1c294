/** All cells of a sweep as an Apache Parquet file: figures as single backtests report them, a row group per chunk. */
import type { CellBlock } from '../../engine/sweep/cells.ts';
import type { ObjectStorage } from '../../storage/storage.ts';
import type { SweepInstrument } from '../contracts/sweep.ts';
import { ParquetFile } from '../parquet/parquet-file.ts';
import { CELL_FILE_COLUMNS, cellData } from './cell-rows.ts';
import { readEncoded } from './chunk-object.ts';
import { type LocalChunks, PARALLEL_READS } from './local-chunks.ts';
import { combinationsOf, type NamedCombination, type StoredSweep } from './stored-sweep.ts';

/** The cells of a chunk as a file of one row group, in pieces. */
export function encodeCells(
  block: CellBlock,
  members: readonly SweepInstrument[],
  combinations: readonly NamedCombination[],
): readonly Buffer[] {
  const file = new ParquetFile('cells', CELL_FILE_COLUMNS);
  const group = file.group(cellData(block, members, combinations), members.length * combinations.length);
  return [group, file.finish()];
}

/**
 * Rows in the order of the instruments, each with all combinations in the order of runs and grids. The jobs of the chunks have encoded
 * the row groups, so only the end of the file is made here.
 */
export async function* parquetCells(
  storage: ObjectStorage,
  stored: StoredSweep,
  local: LocalChunks,
): AsyncGenerator<Buffer> {
  const combinations = combinationsOf(stored);
  const file = new ParquetFile('cells', CELL_FILE_COLUMNS);
  for (let at = 0; at < stored.chunks.length; at += PARALLEL_READS) {
    const some = stored.chunks.slice(at, at + PARALLEL_READS);
    const encoded = await Promise.all(some.map((chunk) => readEncoded(storage, chunk)));
    for (const [i, { members }] of some.entries()) {
      // A worker of an earlier version stores only the figures.
      const part = encoded[i] ?? Buffer.concat(encodeCells(await local.block(at + i), members, combinations));
      yield* file.append(part);
    }
  }
  yield file.finish();
}
