/** The series of a factor study as an Apache Parquet file, a row group a factor. */
import { requireDay } from '../../engine/market/dates.ts';
import { type ColumnData, type ParquetColumn, ParquetFile } from '../parquet/parquet-file.ts';
import type { FactorView } from './result.ts';

const COLUMNS: readonly ParquetColumn[] = [
  { name: 'factor', type: 'text' },
  { name: 'horizon', type: 'text' },
  { name: 'date', type: 'date' },
  ...['ic', 'spread', 'cumulated'].map((name) => ({ name, type: 'double', isOptional: true }) as const),
];

const NO_SPREAD = { spread: null, cumulated: null };

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
      return days.map((ts) => ({ horizon, ts, ic: coefficients.get(ts) ?? null, ...(spreads.get(ts) ?? NO_SPREAD) }));
    });
    if (rows.length === 0) continue;
    const columns: ColumnData[] = [
      rows.map(() => name),
      rows.map(({ horizon }) => String(horizon)),
      rows.map(({ ts }) => requireDay(ts)),
      rows.map(({ ic }) => ic),
      rows.map(({ spread }) => spread),
      rows.map(({ cumulated }) => cumulated),
    ];
    yield file.group(columns, rows.length);
  }
  yield file.finish();
}
