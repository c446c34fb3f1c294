/** Cells as rows: by instrument and combination, with the names of the API and figures as single backtests report them. */
import { METRIC_NAMES, type Metrics } from '../../engine/backtest/metrics.ts';
import { CELL_METRICS, type CellBlock } from '../../engine/sweep/cells.ts';
import type { SweepInstrument } from '../contracts/sweep.ts';
import type { ColumnData, ParquetColumn } from '../parquet/parquet-file.ts';
import { reportedMetric } from '../runs/report.ts';
import type { NamedCombination } from './stored-sweep.ts';

const COLUMNS: readonly ParquetColumn[] = [
  { name: 'symbol', type: 'text' },
  { name: 'strategy', type: 'text' },
  { name: 'params', type: 'text' },
  { name: 'bars', type: 'int32' },
  { name: 'start_date', type: 'date', isOptional: true },
  { name: 'end_date', type: 'date', isOptional: true },
  ...Object.values(METRIC_NAMES).map((name): ParquetColumn => ({ name, type: 'double', isOptional: true })),
];

/** With the field ids of the table of a sweep. */
export const CELL_FILE_COLUMNS: readonly ParquetColumn[] = COLUMNS.map((column, i) => ({ ...column, fieldId: i + 1 }));

/** The rows of a block, column by column. */
export function cellData(
  block: CellBlock,
  members: readonly SweepInstrument[],
  combinations: readonly NamedCombination[],
): ColumnData[] {
  return [...namesOf(members, block, combinations), ...CELL_METRICS.map((metric) => figuresOf(block, metric))];
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
