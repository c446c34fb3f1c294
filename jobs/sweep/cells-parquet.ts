/** All cells of a sweep as an Apache Parquet file: figures as single backtests report them, a row group per chunk. */
import type { Metrics } from '../../engine/backtest/metrics.ts';
import { recordOf } from '../../engine/record-of.ts';
import { CELL_METRICS, type CellBlock, type CellMetric, metricsFrom } from '../../engine/sweep/cells.ts';
import type { ObjectStorage } from '../../storage/storage.ts';
import { METRIC_NAMES, metricsView } from '../backtest/report.ts';
import { type ColumnData, type ParquetColumn, ParquetFile } from '../parquet/parquet-file.ts';
import { readChunk, readEncoded } from './chunk-object.ts';
import type { SweepInstrument } from './contract.ts';
import { combinationsOf, type NamedCombination, type StoredSweep } from './stored-sweep.ts';

const COLUMNS: readonly ParquetColumn[] = [
  { name: 'symbol', type: 'text' },
  { name: 'strategy', type: 'text' },
  { name: 'params', type: 'text' },
  { name: 'bars', type: 'int32' },
  { name: 'start_date', type: 'date', isOptional: true },
  { name: 'end_date', type: 'date', isOptional: true },
  ...METRIC_NAMES.map((name): ParquetColumn => ({ name, type: 'double', isOptional: true })),
];

/** The cells of a chunk as a file of one row group. */
export function encodeCells(
  block: CellBlock,
  members: readonly SweepInstrument[],
  combinations: readonly NamedCombination[],
): Buffer {
  const named = combinations.map((one) => ({ ...one, paramsText: JSON.stringify(one.params) }));
  const file = new ParquetFile('cells', COLUMNS);
  return Buffer.concat([file.group(columnsOf(members, block, named), members.length * named.length), file.finish()]);
}

/**
 * Rows in the order of the instruments, each with all combinations in the order of runs and grids. The workers have encoded the row
 * groups with the chunks, so that only the end of the file is made here.
 */
export async function* parquetCells(storage: ObjectStorage, stored: StoredSweep): AsyncGenerator<Buffer> {
  const combinations = combinationsOf(stored);
  const file = new ParquetFile('cells', COLUMNS);
  for (const chunk of stored.chunks) {
    // A worker of an earlier version stores the figures alone.
    const encoded =
      (await readEncoded(storage, chunk)) ??
      encodeCells(await readChunk(storage, chunk, combinations.length), chunk.members, combinations);
    yield file.append(encoded);
  }
  yield file.finish();
}

interface CombinationText extends NamedCombination {
  readonly paramsText: string;
}

function columnsOf(
  members: readonly SweepInstrument[],
  block: CellBlock,
  named: readonly CombinationText[],
): ColumnData[] {
  const perCell = <T>(of: (instrument: number, combination: number) => T): T[] =>
    members.flatMap((_, instrument) => named.map((_combination, combination) => of(instrument, combination)));
  const dayOf = (column: 'startDay' | 'endDay') => (instrument: number) =>
    block.range('bars', instrument) === 0 ? null : block.range(column, instrument);
  return [
    perCell((instrument) => members[instrument].symbol),
    perCell((_, combination) => named[combination].strategy),
    perCell((_, combination) => named[combination].paramsText),
    perCell((instrument) => block.range('bars', instrument)),
    perCell(dayOf('startDay')),
    perCell(dayOf('endDay')),
    ...metricColumns(block, named.length),
  ];
}

/** Figures as they are reported, column by column; null where the instrument has no bar in the range. */
function metricColumns(block: CellBlock, combinations: number): (number | null)[][] {
  const figures = Array.from({ length: combinations }, (_, combination) =>
    recordOf(CELL_METRICS, (name) => block.column(combination, name)),
  );
  const columns = recordOf(METRIC_NAMES, () => new Array<number | null>(block.instruments * combinations).fill(null));
  for (let instrument = 0; instrument < block.instruments; instrument++) {
    if (block.range('bars', instrument) === 0) continue;
    for (const [combination, of] of figures.entries()) {
      const row = metricsView(metricsAt(of, instrument));
      for (const name of METRIC_NAMES) columns[name][instrument * combinations + combination] = row[name];
    }
  }
  return Object.values(columns);
}

function metricsAt(columns: Readonly<Record<CellMetric, Float64Array>>, instrument: number): Metrics {
  return metricsFrom((metric) => {
    const figure = columns[metric][instrument];
    return Number.isNaN(figure) ? null : figure;
  });
}
