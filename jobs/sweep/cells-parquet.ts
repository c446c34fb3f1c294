/** All cells of a sweep as an Apache Parquet file: figures as single backtests report them, a chunk at a time. */
import { constants, zstdCompressSync } from 'node:zlib';
import { ByteWriter, ParquetWriter, type SchemaElement } from 'hyparquet-writer';
import type { Metrics } from '../../engine/backtest/metrics.ts';
import { CELL_METRICS, type CellBlock, type CellMetric, metricsFrom } from '../../engine/sweep/cells.ts';
import type { ObjectStorage } from '../../storage/storage.ts';
import { metricsView } from '../backtest/report.ts';
import { readChunk } from './chunk-object.ts';
import { combinationsOf, type NamedCombination, type StoredChunk, type StoredSweep } from './stored-sweep.ts';

type MetricsRow = Readonly<Record<string, number | null>>;

const text = (name: string): SchemaElement => ({
  name,
  type: 'BYTE_ARRAY',
  converted_type: 'UTF8',
  repetition_type: 'REQUIRED',
});
const day = (name: string): SchemaElement => ({
  name,
  type: 'INT32',
  converted_type: 'DATE',
  repetition_type: 'OPTIONAL',
});

const METRIC_NAMES = Object.keys(metricsView(metricsFrom(() => 0)));

const SCHEMA: SchemaElement[] = [
  { name: 'cells', num_children: 6 + METRIC_NAMES.length },
  text('symbol'),
  text('strategy'),
  text('params'),
  { name: 'bars', type: 'INT32', repetition_type: 'REQUIRED' },
  day('start_date'),
  day('end_date'),
  ...METRIC_NAMES.map((name): SchemaElement => ({ name, type: 'DOUBLE', repetition_type: 'OPTIONAL' })),
];

const compressors = {
  ZSTD: (bytes: Uint8Array) =>
    new Uint8Array(zstdCompressSync(bytes, { params: { [constants.ZSTD_c_compressionLevel]: 3 } })),
};

/** Rows in the order of the instruments, each with all combinations in the order of runs and grids. */
export async function* parquetCells(storage: ObjectStorage, stored: StoredSweep): AsyncGenerator<Buffer> {
  const named = combinationsOf(stored).map((one) => ({ ...one, paramsText: JSON.stringify(one.params) }));
  const writer = new ByteWriter();
  const file = new ParquetWriter({ writer, schema: SCHEMA, codec: 'ZSTD', compressors, createdBy: 'market-data' });
  for (const chunk of stored.chunks) {
    const block = await readChunk(storage, chunk, named.length);
    writeBlock(file, chunk, block, named);
    yield* taken(writer);
  }
  file.finish();
  yield* taken(writer);
}

/** The bytes that the writer holds. */
function* taken(writer: ByteWriter): Generator<Buffer> {
  yield Buffer.from(writer.getBytes().slice().buffer);
  writer.index = 0;
}

interface CombinationText extends NamedCombination {
  readonly paramsText: string;
}

function writeBlock(
  file: ParquetWriter,
  { symbols }: StoredChunk,
  block: CellBlock,
  named: readonly CombinationText[],
): void {
  const rows = rowsOf(block, named.length);
  const perCell = <T>(of: (instrument: number, combination: number) => T): T[] =>
    symbols.flatMap((_, instrument) => named.map((_combination, combination) => of(instrument, combination)));
  const dayOf = (column: 'startDay' | 'endDay') => (instrument: number) =>
    block.range('bars', instrument) === 0 ? null : block.range(column, instrument);
  file.write({
    rowGroupSize: rows.length,
    columnData: [
      { name: 'symbol', data: perCell((instrument) => symbols[instrument]) },
      { name: 'strategy', data: perCell((_, combination) => named[combination].strategy) },
      { name: 'params', data: perCell((_, combination) => named[combination].paramsText) },
      { name: 'bars', data: perCell((instrument) => block.range('bars', instrument)) },
      { name: 'start_date', data: perCell(dayOf('startDay')) },
      { name: 'end_date', data: perCell(dayOf('endDay')) },
      ...METRIC_NAMES.map((name) => ({ name, data: rows.map((row) => row?.[name] ?? null) })),
    ],
  });
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
