/**
 * The figures of the screener at every bar, one file per year: as a screen at the end of that session shows them, over the whole
 * spliced history and with prices on the share count of that day. Null: a figure is not defined.
 */

import { selectSeries, selectSeriesSince } from '../../db/market/bars.ts';
import { IndicatorSet } from '../../engine/indicators/indicator-set.ts';
import { type Adjustment, adjustToLastBar } from '../../engine/market/adjust.ts';
import { civilDate, type Day } from '../../engine/market/dates.ts';
import { type BarSeries, EMPTY_SERIES } from '../../engine/market/series.ts';
import { qualifiedSymbol } from '../../engine/market/symbols.ts';
import { CONSOLIDATED_FROM, spliceSeries } from '../../engine/market/venue-basis.ts';
import { figureOf } from '../../engine/screener/figure-history.ts';
import { roundFigure } from '../../engine/screener/figures.ts';
import { SCREENER_FIELDS } from '../contracts/lake.ts';
import { type ParquetColumn, ParquetFile } from '../parquet/parquet-file.ts';
import { type FilePiece, ROW_GROUP } from './bar-files.ts';
import { columnsOf, type LakeSource } from './source.ts';

/** Instruments read at once. */
const CHUNK = 100;

/** A piece of a year's file. */
export interface YearPiece extends FilePiece {
  readonly year: number;
}

/** The files of the given years, each by symbol and date. */
export async function* figureFiles(source: LakeSource, years: ReadonlySet<number>): AsyncGenerator<YearPiece> {
  const files = new Map([...years].map((year) => [year, new YearFile(year, columnsOf(source, 'screener_daily'))]));
  const { instruments, events, through } = source;
  const read = (at: number) =>
    readChunk(
      source,
      instruments.slice(at, at + CHUNK).map(({ id }) => id),
    );
  let next = read(0);
  for (let at = 0; at < instruments.length; at += CHUNK) {
    const [primary, consolidated] = await next;
    next = read(at + CHUNK);
    next.catch(() => {});
    for (const { id, symbol } of instruments.slice(at, at + CHUNK)) {
      const traded = spliceSeries(primary.get(id) ?? EMPTY_SERIES, consolidated.get(id) ?? EMPTY_SERIES, through);
      if (traded.length === 0) continue;
      const figures = figuresOf(traded, events.get(id) ?? []);
      for (const { year, from, to } of yearsOf(traded.day)) {
        const file = files.get(year);
        file?.add(qualifiedSymbol(symbol), traded.day.subarray(from, to), (column, row) => figures[column](from + row));
        if (file?.isFull) yield file.group();
      }
    }
  }
  for (const file of files.values()) yield* file.end();
}

async function readChunk({ connection }: LakeSource, ids: readonly number[]) {
  const none = new Map<number, BarSeries>();
  if (ids.length === 0) return [none, none] as const;
  const primary = await selectSeries(connection, ids, 'primary_session');
  const since = civilDate(CONSOLIDATED_FROM).year;
  return [primary, await selectSeriesSince(connection, ids, 'consolidated', since)] as const;
}

/** Each field as a function of the index of the bar. */
function figuresOf(traded: BarSeries, events: readonly Adjustment[]): ((index: number) => number)[] {
  const indicators = new IndicatorSet(adjustToLastBar(traded, events));
  return SCREENER_FIELDS.map(({ code, period }) => {
    const figure = figureOf(indicators, code, period);
    return (index) => roundFigure(figure(index));
  });
}

/** The runs of days that are in one year. */
function* yearsOf(days: Int32Array): Generator<{ year: number; from: number; to: number }> {
  for (let from = 0; from < days.length; ) {
    const { year } = civilDate(days[from]);
    let to = from + 1;
    while (to < days.length && civilDate(days[to]).year === year) to++;
    yield { year, from, to };
    from = to;
  }
}

class YearFile {
  private readonly year: number;
  private readonly file: ParquetFile;
  private symbols: string[] = [];
  private days: Day[] = [];
  private columns = emptyColumns();

  constructor(year: number, columns: readonly ParquetColumn[]) {
    this.year = year;
    this.file = new ParquetFile('screener_daily', columns);
  }

  get isFull(): boolean {
    return this.days.length >= ROW_GROUP;
  }

  add(symbol: string, days: Int32Array, figure: (column: number, row: number) => number): void {
    for (let row = 0; row < days.length; row++) {
      this.symbols.push(symbol);
      this.days.push(days[row]);
      for (let column = 0; column < SCREENER_FIELDS.length; column++) {
        const value = figure(column, row);
        const isFlag = SCREENER_FIELDS[column].isFlag;
        this.columns[column].push(Number.isNaN(value) ? null : isFlag ? value === 1 : value);
      }
    }
  }

  group(): YearPiece {
    const rows = this.days.length;
    const bytes = this.file.group([this.symbols, this.days, ...this.columns], rows);
    this.symbols = [];
    this.days = [];
    this.columns = emptyColumns();
    return { year: this.year, bytes, rows };
  }

  *end(): Generator<YearPiece> {
    if (this.days.length > 0) yield this.group();
    yield { year: this.year, bytes: this.file.finish(), rows: 0 };
  }
}

const emptyColumns = (): (number | boolean | null)[][] => SCREENER_FIELDS.map(() => []);
