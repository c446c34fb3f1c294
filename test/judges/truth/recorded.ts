/** Figures that others have published with the bars that they are of: numbers, and where they stand. */
import { readFileSync } from 'node:fs';
import { allocateSeries, type BarSeries, VALUE_COLUMNS } from '../../../engine/market/series.ts';
import { ruleColumns } from './rule-column.ts';
import type { Pair } from './suite.ts';

export interface RecordedFigures {
  /** The path in the package or repository. */
  readonly file: string;
  /** The first and the last one. */
  readonly lines: readonly [number, number];
  /** Their call: `TA_RSI(14)`. */
  readonly call: string;
  /** The rule of ours: `rsi(14)`. */
  readonly rule: string;
  /** Decimals that the figures are published with. */
  readonly decimals?: number;
  /** Significant digits that they are published with. */
  readonly digits?: number;
  /** Indexes of their bars; without it the values are of all bars up to the last one. */
  readonly bars?: readonly number[];
  readonly values: readonly (number | null)[];
}

export interface RecordedBars extends Partial<Record<(typeof VALUE_COLUMNS)[number], readonly number[]>> {
  readonly file: string;
  readonly lines: readonly [number, number];
  readonly figures: readonly RecordedFigures[];
}

export interface Recorded {
  /** The package with its version, or the repository with its commit. */
  readonly from: string;
  readonly license: string;
  readonly tables: readonly RecordedBars[];
}

export function readRecorded(name: string): Recorded {
  return JSON.parse(readFileSync(new URL(`suites/${name}.json`, import.meta.url), 'utf8'));
}

/** Columns that were not published are those of the close: no rule of the record reads them. */
function seriesOf(table: RecordedBars): BarSeries {
  const { close = [] } = table;
  const series = allocateSeries(close.length);
  for (const name of VALUE_COLUMNS) series[name].set(table[name] ?? close);
  series.day.set(close.map((_, bar) => bar));
  return series;
}

function roundingOf(value: number, { decimals, digits }: RecordedFigures): number {
  if (decimals !== undefined) return 0.5 * 10 ** -decimals;
  if (digits === undefined || value === 0) return 0;
  return 0.5 * 10 ** (Math.floor(Math.log10(Math.abs(value))) + 1 - digits);
}

/** Bars where neither has a figure yet are not counted. */
export function recordedPairs({ tables }: Recorded): Pair[] {
  return tables.flatMap((table) => {
    const columnOf = ruleColumns(seriesOf(table));
    return table.figures.flatMap((figures) => {
      const { file, lines, call, rule, values } = figures;
      const column = columnOf(rule);
      const first = column.length - values.length;
      return values.flatMap((theirs, i) => {
        const bar = figures.bars?.[i] ?? first + i;
        const ours = Number.isNaN(column[bar]) ? null : column[bar];
        if (theirs === null && ours === null) return [];
        const name = `${call} at bar ${bar}, ours ${rule} (${file}:${lines[0]}-${lines[1]})`;
        return [{ name, theirs, ours, rounding: theirs === null ? 0 : roundingOf(theirs, figures) }];
      });
    });
  });
}
