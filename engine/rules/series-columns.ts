/**
 * Columns over the bars of a series, as known at the last bar or at each bar. Programs that mix dimensions are recomputed for
 * each stretch of the series, on the basis of that stretch; all others are computed once.
 */
import { type Basis, basisOf, type Dimension, factorTo, NO_DIMENSION, PRICE, type Stretch } from '../market/basis.ts';
import type { Day } from '../market/dates.ts';
import { newestPeriodAt, type WholePeriod } from '../market/period-bars.ts';
import { type BarSeries, firstIndexFrom } from '../market/series.ts';
import { ColumnSet, keepIn, partOf } from './column-set.ts';
import { alignedTo } from './functions/others.ts';
import { constantColumn } from './kernels.ts';
import type { Condition, Node, Value } from './program.ts';

export abstract class SeriesColumns extends ColumnSet {
  /** Index of the first bar in the series. */
  abstract readonly from: number;
  /** None where all bars are on the basis of the series. */
  protected abstract stretches(): readonly Stretch[];
  /** The columns that a program belongs to: those of a position, or those of the whole history. */
  abstract ownerOf(node: Node): SeriesColumns;
  /** The whole series, of which these columns may cover a part. */
  abstract readonly series: BarSeries;
  /** The columns of another instrument through the last bar of the series; null: it has no bar. */
  abstract otherColumns(ticker: string): SeriesColumns | null;
  /** The columns of the whole months or weeks of the series. */
  abstract periodColumns(period: WholePeriod): SeriesColumns;

  protected override computeMask(node: Condition): Uint8Array {
    const stretches = node.mixes ? this.stretches() : [];
    if (stretches.length === 0) return super.computeMask(node);
    return this.joined(new Uint8Array(this.length), stretches, (stretch) => maskOn(this, stretch, node));
  }

  /** Each figure on the basis of its own bar: as it was known there. */
  known(node: Value): Float64Array {
    return this.onOwnBasis(node, NO_DIMENSION);
  }

  /** Prices that were known at their own bars, adjusted for the events since. */
  carried(node: Value): Float64Array {
    return this.onOwnBasis(node, PRICE);
  }

  /** `dimension`: of the result, which is on the basis of the series. */
  private onOwnBasis(node: Value, dimension: Dimension): Float64Array {
    const isSame =
      typeof node.dimension === 'string' ||
      (node.dimension?.price === dimension.price && node.dimension.shares === dimension.shares);
    const stretches = isSame ? [] : this.stretches();
    if (stretches.length === 0) return this.value(node);
    return this.joined(new Float64Array(this.length), stretches, (stretch) =>
      scaled(valueOn(this, stretch, node), 1 / factorTo(stretch, dimension)),
    );
  }

  private joined<T extends Float64Array | Uint8Array>(
    out: T,
    stretches: readonly Stretch[],
    partOf: (stretch: Stretch) => T,
  ): T {
    const { from, length } = this;
    for (const stretch of stretches) {
      const part = { ...stretch, from: Math.max(from, stretch.from), to: Math.min(from + length, stretch.to) };
      if (part.from < part.to) out.set(partOf(part), part.from - from);
    }
    return out;
  }
}

/** `day`: of the basis, where it is after that of the last bar. */
interface StretchAt extends Stretch {
  readonly day?: Day;
}

/** Bars of other columns on one basis. */
class StretchColumns extends ColumnSet {
  private readonly whole: SeriesColumns;
  private readonly stretch: StretchAt;
  private readonly computed = new Map<string, Float64Array | Uint8Array>();

  constructor(whole: SeriesColumns, stretch: StretchAt) {
    super(stretch.to - stretch.from);
    this.whole = whole;
    this.stretch = stretch;
  }

  override value(node: Value): Float64Array {
    const { whole, stretch } = this;
    const owner = whole.ownerOf(node);
    if (node.mixes) return owner === whole ? super.value(node) : valueOn(owner, stretch, node);
    return scaled(this.cut(owner, owner.value(node)), factorOf(node, stretch));
  }

  override mask(node: Condition): Uint8Array {
    const { whole, stretch } = this;
    const owner = whole.ownerOf(node);
    if (node.mixes) return owner === whole ? super.mask(node) : maskOn(owner, stretch, node);
    return this.cut(owner, owner.mask(node));
  }

  private cut<T extends Float64Array | Uint8Array>({ from }: SeriesColumns, column: T): T {
    return partOf(column, this.stretch.from - from, this.stretch.to - from);
  }

  protected keep<T extends Float64Array | Uint8Array>(key: string, compute: () => T): T {
    return keepIn(this.computed, key, compute);
  }

  protected leaf(): Float64Array {
    throw new RangeError('a leaf mixes no dimensions');
  }

  protected otherValue(ticker: string, part: Value): Float64Array {
    const found = this.other(ticker);
    if (found === null) return constantColumn(this.length, Number.NaN);
    const column = valueOn(found.columns, found.stretch, part);
    return Float64Array.from(found.at, (index) => (index < 0 ? Number.NaN : column[index]));
  }

  protected otherMask(ticker: string, part: Condition): Uint8Array {
    const found = this.other(ticker);
    if (found === null) return new Uint8Array(this.length);
    const mask = maskOn(found.columns, found.stretch, part);
    return Uint8Array.from(found.at, (index) => (index < 0 ? 0 : mask[index]));
  }

  /** Whole periods on the basis of the stretch. */
  protected periodValue(period: WholePeriod, part: Value): Float64Array {
    const { whole, stretch, days } = this;
    const columns = whole.periodColumns(period);
    const at = newestPeriodAt(days, columns.series);
    const [from, to] = [Math.max(0, at[0]), at[at.length - 1] + 1];
    if (from >= to) return constantColumn(this.length, Number.NaN);
    const column = valueOn(columns, { ...stretch, from, to, day: this.day }, part);
    return Float64Array.from(at, (index) => (index < 0 ? Number.NaN : column[index - from]));
  }

  private get days(): Int32Array {
    return this.whole.series.day.subarray(this.stretch.from, this.stretch.to);
  }

  private get day(): Day {
    return this.stretch.day ?? this.whole.series.day[this.stretch.to - 1];
  }

  /** The bars of another instrument in the days of the stretch, on its basis at the end of the stretch. `at`: by bar of the stretch. */
  private other(ticker: string) {
    const { whole, days, day } = this;
    const columns = whole.otherColumns(ticker);
    if (columns === null || days.length === 0) return null;
    const { series } = columns;
    const lastDay = days[days.length - 1];
    const [from, to] = [firstIndexFrom(series, days[0]), firstIndexFrom(series, lastDay + 1)];
    if (from >= to) return null;
    const at = alignedTo(days, series.day.subarray(from, to));
    return { columns, at, stretch: { from, to, day, ...basisOf(series, day) } };
  }
}

/** A stretch together with the bars before it that a program reads, all on the basis of the stretch. */
function reaching(whole: SeriesColumns, stretch: StretchAt, { reach }: Node): StretchColumns {
  return new StretchColumns(whole, { ...stretch, from: Math.max(whole.from, stretch.from - reach) });
}

function valueOn(whole: SeriesColumns, stretch: StretchAt, node: Value): Float64Array {
  return reaching(whole, stretch, node)
    .value(node)
    .subarray(stretch.from - stretch.to);
}

function maskOn(whole: SeriesColumns, stretch: StretchAt, node: Condition): Uint8Array {
  return reaching(whole, stretch, node)
    .mask(node)
    .subarray(stretch.from - stretch.to);
}

function factorOf({ dimension }: Value, basis: Basis): number {
  return dimension === null || dimension === 'any' ? 1 : factorTo(basis, dimension);
}

function scaled(column: Float64Array, factor: number): Float64Array {
  return factor === 1 ? column : column.map((figure) => figure * factor);
}
