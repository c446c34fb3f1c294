/** All cells of a sweep as an Apache Parquet file: figures as single backtests report them, a chunk at a time. */
import type { Metrics } from '../../engine/backtest/metrics.ts';
import { CELL_METRICS, type CellBlock, type CellMetric, metricsFrom } from '../../engine/sweep/cells.ts';
import type { ObjectStorage } from '../../storage/storage.ts';
import { metricsView } from '../backtest/report.ts';
import { type ParquetColumn, ParquetFile } from '../parquet/parquet-file.ts';
import { readChunk } from './chunk-object.ts';
import { combinationsOf, type NamedCombination, type StoredChunk, type StoredSweep } from './stored-sweep.ts';

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

/** Rows in the order of the instruments, each with all combinations in the order of runs and grids. */
export async function* parquetCells(storage: ObjectStorage, stored: StoredSweep): AsyncGenerator<Buffer> {
  const named = combinationsOf(stored).map((one) => ({ ...one, paramsText: JSON.stringify(one.params) }));
  const file = new ParquetFile('cells', COLUMNS);
  for (const chunk of stored.chunks) {
    const block = await readChunk(storage, chunk, named.length);
    yield blockOf(file, chunk, block, named);
  }
  yield file.finish();
}

interface CombinationText extends NamedCombination {
  readonly paramsText: string;
}

function blockOf(
  file: ParquetFile,
  { members }: StoredChunk,
  block: CellBlock,
  named: readonly CombinationText[],
): Buffer {
  const rows = rowsOf(block, named.length);
  const perCell = <T>(of: (instrument: number, combination: number) => T): T[] =>
    members.flatMap((_, instrument) => named.map((_combination, combination) => of(instrument, combination)));
  const dayOf = (column: 'startDay' | 'endDay') => (instrument: number) =>
    block.range('bars', instrument) === 0 ? null : block.range(column, instrument);
  return file.group(
    [
      perCell((instrument) => members[instrument].symbol),
      perCell((_, combination) => named[combination].strategy),
      perCell((_, combination) => named[combination].paramsText),
      perCell((instrument) => block.range('bars', instrument)),
      perCell(dayOf('startDay')),
      perCell(dayOf('endDay')),
      ...METRIC_NAMES.map((name) => rows.map((row) => row?.[name] ?? null)),
    ],
    rows.length,
  );
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
