/** Columns and masks of programs: each is computed once, and programs share it. */
import { IndicatorSet } from '../indicators/indicator-set.ts';
import { type Stretch, stretchesCutAt, stretchesOf } from '../market/basis.ts';
import type { Day } from '../market/dates.ts';
import { isLabelOn, valuesOn } from '../market/own-columns.ts';
import { newestPeriodAt, periodBars, type WholePeriod } from '../market/period-bars.ts';
import type { BarSeries } from '../market/series.ts';
import { keepIn, partOf } from './column-set.ts';
import { alignedTo } from './functions/others.ts';
import { constantColumn, takenAt } from './kernels.ts';
import { valueKey } from './nodes.ts';
import type { OtherInstruments } from './other-instruments.ts';
import type { Condition, Leaf, Node, OwnProgram, PairProgram, Value } from './program.ts';
import { SeriesColumns } from './series-columns.ts';

/** Everything that the rules of a history read besides its bars. */
export interface Surroundings {
  /** Absent: rules name no other instrument. */
  readonly others?: OtherInstruments;
  /** Values across the market by the key of their program, at each bar of the history. Absent: there is no universe. */
  readonly across?: (key: string) => Float64Array;
}

/** A position that is held: `from` is the first bar whose close counts, `entryPrice` the fill before slippage. */
export interface HeldPosition {
  readonly from: number;
  readonly entryPrice: number;
}

/** Over a whole history, shared by all rules that are run on its indicators. */
export class HistoryColumns extends SeriesColumns {
  readonly from = 0;
  readonly indicators: IndicatorSet;
  private readonly surroundings: Surroundings;
  private readonly others = new Map<string, HistoryColumns | null>();
  private readonly periods = new Map<WholePeriod, HistoryColumns>();
  private found: readonly Stretch[] | null = null;

  constructor(indicators: IndicatorSet, surroundings: Surroundings = {}) {
    super(indicators.series.length);
    this.indicators = indicators;
    this.surroundings = surroundings;
  }

  get series(): BarSeries {
    return this.indicators.series;
  }

  protected keep<T extends Float64Array | Uint8Array>(key: string, compute: () => T): T {
    return this.indicators.keep(key, compute);
  }

  stretches(): readonly Stretch[] {
    this.found ??= this.findStretches();
    return this.found;
  }

  /** Without events, own or of an instrument that rules may name, between the bars of a stretch. */
  private findStretches(): readonly Stretch[] {
    const { series, surroundings } = this;
    const days = (surroundings.others?.tickers ?? []).flatMap(
      (ticker) => this.otherColumns(ticker)?.series.adjustedFor.map(({ day }) => day) ?? [],
    );
    return days.length === 0 ? stretchesOf(series) : stretchesCutAt(series, days);
  }

  ownerOf(): this {
    return this;
  }

  periodColumns(period: WholePeriod, through = this.series.day[this.series.length - 1]): HistoryColumns {
    let known = this.periods.get(period);
    if (known === undefined) {
      known = new PeriodColumns(this, period, through);
      this.periods.set(period, known);
    }
    return known;
  }

  protected periodValue(period: WholePeriod, part: Value): Float64Array {
    const columns = this.periodColumns(period);
    const column = columns.value(part);
    const at = newestPeriodAt(this.series.day, columns.series);
    return takenAt(column, at);
  }

  otherColumns(ticker: string): HistoryColumns | null {
    const known = this.others.get(ticker);
    if (known !== undefined) return known;
    const { series, surroundings } = this;
    const { others } = surroundings;
    if (others === undefined) throw new RangeError(`the bars of ${ticker} were not read`);
    const set = series.length === 0 ? null : others.through(ticker, series.day[series.length - 1]);
    const columns = set && new HistoryColumns(set, { others });
    this.others.set(ticker, columns);
    return columns;
  }

  protected otherValue(ticker: string, part: Value): Float64Array {
    const other = this.otherColumns(ticker);
    if (other === null) return constantColumn(this.length, Number.NaN);
    const column = other.value(part);
    const at = alignedTo(this.series.day, other.series.day);
    return takenAt(column, at);
  }

  protected otherMask(ticker: string, part: Condition): Uint8Array {
    const other = this.otherColumns(ticker);
    if (other === null) return new Uint8Array(this.length);
    const mask = other.mask(part);
    return Uint8Array.from(alignedTo(this.series.day, other.series.day), (index) => (index < 0 ? 0 : mask[index]));
  }

  private acrossMarket(key: string): Float64Array {
    const { across } = this.surroundings;
    if (across === undefined) throw new RangeError(`${key} needs a universe`);
    return across(key);
  }

  private pair({ fn, ticker, n, k }: PairProgram): Float64Array {
    const other = this.otherColumns(ticker);
    return other === null ? constantColumn(this.length, Number.NaN) : fn.column(this.series, other.series, n, k);
  }

  /** Undefined where the instrument has no row of the column. */
  private own({ column, within, label }: OwnProgram): Float64Array {
    const rows = this.series.own?.get(column);
    if (rows === undefined) return constantColumn(this.length, Number.NaN);
    return label === null ? valuesOn(rows, this.series, within) : isLabelOn(rows, label, this.series, within);
  }

  protected leaf(program: Leaf): Float64Array {
    switch (program.kind) {
      case 'bar':
        return program.fn.column(this.series);
      case 'indicator':
        return program.fn.column(this.indicators, program.args);
      case 'position':
        return constantColumn(this.length, Number.NaN);
      case 'across':
        return this.acrossMarket(valueKey(program));
      case 'pair':
        return this.pair(program);
      case 'own':
        return this.own(program);
    }
  }
}

/** Over whole periods of a history through a day, which is that of the history that names it. */
class PeriodColumns extends HistoryColumns {
  private readonly days: HistoryColumns;
  private readonly period: WholePeriod;
  private readonly through: Day;

  constructor(days: HistoryColumns, period: WholePeriod, through: Day) {
    super(new IndicatorSet(periodBars(days.series, period, through)));
    this.days = days;
    this.period = period;
    this.through = through;
  }

  override otherColumns(ticker: string): HistoryColumns | null {
    return this.days.otherColumns(ticker)?.periodColumns(this.period, this.through) ?? null;
  }
}

/** Over the bars of a position, up to bar `to` (excluded). Values of the position are undefined before it. */
export class PositionColumns extends SeriesColumns {
  readonly from: number;
  private readonly history: HistoryColumns;
  private readonly held: HeldPosition;
  private readonly computed = new Map<string, Float64Array | Uint8Array>();

  constructor(history: HistoryColumns, held: HeldPosition, to: number) {
    super(to - held.from);
    this.from = held.from;
    this.history = history;
    this.held = held;
  }

  override value(node: Value): Float64Array {
    return node.isOfPosition ? super.value(node) : this.part(this.history.value(node));
  }

  override mask(node: Condition): Uint8Array {
    return node.isOfPosition ? super.mask(node) : this.part(this.history.mask(node));
  }

  stretches(): readonly Stretch[] {
    return this.history.stretches();
  }

  ownerOf({ isOfPosition }: Node): SeriesColumns {
    return isOfPosition ? this : this.history;
  }

  get series(): BarSeries {
    return this.history.series;
  }

  otherColumns(ticker: string): HistoryColumns | null {
    return this.history.otherColumns(ticker);
  }

  protected otherValue(ticker: string): never {
    throw new RangeError(`bars of ${ticker} are no value of a position`);
  }

  protected otherMask(ticker: string): never {
    return this.otherValue(ticker);
  }

  periodColumns(period: WholePeriod): HistoryColumns {
    return this.history.periodColumns(period);
  }

  protected periodValue(period: WholePeriod): never {
    throw new RangeError(`a ${period} is no value of a position`);
  }

  private part<T extends Float64Array | Uint8Array>(column: T): T {
    return partOf(column, this.from, this.from + this.length);
  }

  protected keep<T extends Float64Array | Uint8Array>(key: string, compute: () => T): T {
    return keepIn(this.computed, key, compute);
  }

  protected leaf(program: Leaf): Float64Array {
    if (program.kind !== 'position') throw new RangeError(`${valueKey(program)} is no value of a position`);
    const { series, from, length } = this;
    return program.fn.column({ series, from, to: from + length, entryPrice: this.held.entryPrice });
  }
}
