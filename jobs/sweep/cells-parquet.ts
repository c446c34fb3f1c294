/** All cells of a sweep as an Apache Parquet file: figures as single backtests report them, a row group per chunk. */
import { roundTo } from '../../engine/market/series.ts';
import { CELL_METRICS, type CellBlock, type CellMetric } from '../../engine/sweep/cells.ts';
import type { ObjectStorage } from '../../storage/storage.ts';
import { METRIC_NAMES, metricDecimals } from '../backtest/report.ts';
import { type ParquetColumn, ParquetFile } from '../parquet/parquet-file.ts';
import { ABSENT, type Repeated } from '../parquet/repeated-page.ts';
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

/** The cells of a chunk as a file of one row group, in pieces. */
export function encodeCells(
  block: CellBlock,
  members: readonly SweepInstrument[],
  combinations: readonly NamedCombination[],
): readonly Buffer[] {
  const file = new ParquetFile('cells', COLUMNS);
  const figures = CELL_METRICS.map((metric) => figuresOf(block, metric));
  const names = namesOf(members, block, combinations);
  const group = file.typedGroup([...names, ...figures], members.length * combinations.length);
  return [group, file.finish()];
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
      Buffer.concat(encodeCells(await readChunk(storage, chunk, combinations.length), chunk.members, combinations));
    yield* file.append(encoded);
  }
  yield file.finish();
}

/** The columns before the figures: what each cell is of. */
function namesOf(
  members: readonly SweepInstrument[],
  block: CellBlock,
  combinations: readonly NamedCombination[],
): Repeated[] {
  const rows = members.length * combinations.length;
  const ofInstrument = (of: (instrument: number) => string | number | null): Repeated => {
    const { values, placeOf } = distinct(members.map((_, i) => of(i)));
    const places = new Int32Array(rows);
    for (let i = 0; i < members.length; i++) {
      places.fill(placeOf[i], i * combinations.length, (i + 1) * combinations.length);
    }
    return { values, places };
  };
  const ofCombination = (texts: readonly string[]): Repeated => {
    const { values, placeOf } = distinct(texts);
    const places = new Int32Array(rows);
    for (let from = 0; from < rows; from += placeOf.length) places.set(placeOf, from);
    return { values, places };
  };
  const dayOf = (column: 'startDay' | 'endDay') => (instrument: number) =>
    block.range('bars', instrument) === 0 ? null : block.range(column, instrument);
  return [
    ofInstrument((instrument) => members[instrument].symbol),
    ofCombination(combinations.map(({ strategy }) => strategy)),
    ofCombination(combinations.map(({ params }) => JSON.stringify(params))),
    ofInstrument((instrument) => block.range('bars', instrument)),
    ofInstrument(dayOf('startDay')),
    ofInstrument(dayOf('endDay')),
  ];
}

/** The values without repetition, and for each its place among them. */
function distinct(all: readonly (string | number | null)[]) {
  const known = new Map<string | number, number>();
  const placeOf = all.map((value) => {
    if (value === null) return ABSENT;
    const place = known.get(value) ?? known.size;
    known.set(value, place);
    return place;
  });
  return { values: [...known.keys()], placeOf };
}

/** A figure as it is reported, in the order of the rows; NaN where it is undefined or the instrument has no bar in the range. */
function figuresOf(block: CellBlock, metric: CellMetric): Float64Array {
  const { instruments, combinations } = block;
  const rows = new Float64Array(instruments * combinations);
  const decimals = metricDecimals(metric);
  for (let combination = 0; combination < combinations; combination++) {
    const column = block.column(combination, metric);
    for (let i = 0; i < instruments; i++) rows[i * combinations + combination] = roundTo(column[i], decimals);
  }
  return rows;
}
