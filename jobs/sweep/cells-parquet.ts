/** All cells of a sweep as an Apache Parquet file: figures as single backtests report them, a row group per chunk. */
import { METRIC_NAMES, type Metrics } from '../../engine/backtest/metrics.ts';
import { CELL_METRICS, type CellBlock } from '../../engine/sweep/cells.ts';
import type { ObjectStorage } from '../../storage/storage.ts';
import { reportedMetric } from '../backtest/report.ts';
import type { SweepInstrument } from '../contracts/sweep.ts';
import { type ColumnData, type ParquetColumn, ParquetFile } from '../parquet/parquet-file.ts';
import { readChunk, readEncoded } from './chunk-object.ts';
import { combinationsOf, type NamedCombination, type StoredSweep } from './stored-sweep.ts';

const COLUMNS: readonly ParquetColumn[] = [
  { name: 'symbol', type: 'text' },
  { name: 'strategy', type: 'text' },
  { name: 'params', type: 'text' },
  { name: 'bars', type: 'int32' },
  { name: 'start_date', type: 'date', isOptional: true },
  { name: 'end_date', type: 'date', isOptional: true },
  ...Object.values(METRIC_NAMES).map((name): ParquetColumn => ({ name, type: 'double', isOptional: true })),
];

/** The cells of a chunk as a file of one row group, in pieces. */
export function encodeCells(
  block: CellBlock,
  members: readonly SweepInstrument[],
  combinations: readonly NamedCombination[],
): readonly Buffer[] {
  const file = new ParquetFile('cells', COLUMNS);
  const figures = CELL_METRICS.map((metric) => figuresOf(block, metric));
  const names = namesOf(members, block, combinations);
  const group = file.group([...names, ...figures], members.length * combinations.length);
  return [group, file.finish()];
}

/**
 * Rows in the order of the instruments, each with all combinations in the order of runs and grids. The jobs of the chunks have encoded
 * the row groups, so only the end of the file is made here.
 */
export async function* parquetCells(storage: ObjectStorage, stored: StoredSweep): AsyncGenerator<Buffer> {
  const combinations = combinationsOf(stored);
  const file = new ParquetFile('cells', COLUMNS);
  for (const chunk of stored.chunks) {
    // A worker of an earlier version stores only the figures.
    const encoded =
      (await readEncoded(storage, chunk)) ??
      Buffer.concat(encodeCells(await readChunk(storage, chunk, combinations.length), chunk.members, combinations));
    yield* file.append(encoded);
  }
  yield file.finish();
}

/** The columns before the figures, which identify the cells. */
function namesOf(
  members: readonly SweepInstrument[],
  block: CellBlock,
  combinations: readonly NamedCombination[],
): ColumnData[] {
  const ofInstrument = <T>(of: (instrument: number) => T) =>
    members.flatMap((_, instrument) => new Array<T>(combinations.length).fill(of(instrument)));
  const ofCombination = (of: (combination: NamedCombination) => string) => {
    const texts = combinations.map(of);
    return members.flatMap(() => texts);
  };
  const dayOf = (column: 'startDay' | 'endDay') => (instrument: number) =>
    block.range('bars', instrument) === 0 ? null : block.range(column, instrument);
  return [
    ofInstrument((instrument) => members[instrument].symbol),
    ofCombination(({ strategy }) => strategy),
    ofCombination(({ params }) => JSON.stringify(params)),
    ofInstrument((instrument) => block.range('bars', instrument)),
    ofInstrument(dayOf('startDay')),
    ofInstrument(dayOf('endDay')),
  ];
}

/** A reported figure in the order of the rows; null: it is undefined, or the instrument has no bar in the range. */
function figuresOf(block: CellBlock, metric: keyof Metrics): ColumnData {
  const { instruments, combinations } = block;
  const rows = new Array<number | null>(instruments * combinations);
  for (let combination = 0; combination < combinations; combination++) {
    const column = block.column(combination, metric);
    for (let i = 0; i < instruments; i++) {
      rows[i * combinations + combination] = Number.isNaN(column[i]) ? null : reportedMetric(metric, column[i]);
    }
  }
  return rows;
}
