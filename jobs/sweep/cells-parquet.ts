/** All cells of a sweep as an Apache Parquet file: figures as single backtests report them, a row group per chunk. */
import type { Metrics } from '../../engine/backtest/metrics.ts';
import { CELL_METRICS, type CellBlock, type CellMetric, metricsFrom } from '../../engine/sweep/cells.ts';
import type { ObjectStorage } from '../../storage/storage.ts';
import { metricsView } from '../backtest/report.ts';
import { type ColumnData, type ParquetColumn, ParquetFile } from '../parquet/parquet-file.ts';
import { readChunk, readEncoded } from './chunk-object.ts';
import type { SweepInstrument } from './contract.ts';
import { combinationsOf, type NamedCombination, type StoredSweep } from './stored-sweep.ts';

type MetricsRow = Readonly<Record<string, number | null>>;

const METRIC_NAMES = Object.keys(metricsView(metricsFrom(() => 0)));

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
  const rows = rowsOf(block, named.length);
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
    ...METRIC_NAMES.map((name) => rows.map((row) => row?.[name] ?? null)),
  ];
}

/** Figures as they are reported; null where the instrument has no bar in the range. */
function rowsOf(block: CellBlock, combinations: number): (MetricsRow | null)[] {
  const rows: (MetricsRow | null)[] = [];
  const columns = Array.from(
    { length: combinations },
    (_, combination) => new Map(CELL_METRICS.map((name) => [name, block.column(combination, name)])),
  );
  for (let instrument = 0; instrument < block.instruments; instrument++) {
    for (const column of columns) {
      const isCell = block.range('bars', instrument) > 0;
      rows.push(isCell ? metricsView(metricsAt(column, instrument)) : null);
    }
  }
  return rows;
}

function metricsAt(columns: ReadonlyMap<CellMetric, Float64Array>, instrument: number): Metrics {
  return metricsFrom((metric) => {
    const figure = columns.get(metric)?.[instrument];
    return figure === undefined || Number.isNaN(figure) ? null : figure;
  });
}
