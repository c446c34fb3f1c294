/** The series of a factor study as an Apache Parquet file, a row group a factor. */
import { parseDay } from '../../engine/market/dates.ts';
import { type ColumnData, type ParquetColumn, ParquetFile } from '../parquet/parquet-file.ts';
import type { FactorView } from './result.ts';

const COLUMNS: readonly ParquetColumn[] = [
  { name: 'factor', type: 'text' },
  { name: 'horizon', type: 'text' },
  { name: 'date', type: 'date' },
  ...['ic', 'spread', 'cumulated'].map((name) => ({ name, type: 'double', isOptional: true }) as const),
];

export function seriesRows({ horizons }: FactorView): number {
  return horizons.reduce((sum, { ic, spread }) => sum + ic.series.length + spread.series.length, 0);
}

export function* parquetSeries(factors: Iterable<FactorView>): Generator<Buffer> {
  const file = new ParquetFile('series', COLUMNS);
  for (const { name, horizons } of factors) {
    const rows = horizons.flatMap(({ horizon, ic, spread }) => {
      const spreads = new Map(spread.series.map((row) => [row.ts, row]));
      const coefficients = new Map(ic.series.map((row) => [row.ts, row.ic]));
      const days = [...new Set([...coefficients.keys(), ...spreads.keys()])].sort();
      return days.map((ts) => [
        ...[name, String(horizon), parseDay(ts)],
        ...[coefficients.get(ts) ?? null, spreads.get(ts)?.spread ?? null, spreads.get(ts)?.cumulated ?? null],
      ]);
    });
    const data = COLUMNS.map((_, column) => rows.map((row) => row[column])) as ColumnData[];
    if (rows.length > 0) yield file.group(data, rows.length);
  }
  yield file.finish();
}
