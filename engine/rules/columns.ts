/** Columns and masks of programs: each is computed once, and programs share it. */
import type { IndicatorSet } from '../indicators/indicator-set.ts';
import { type Stretch, stretchesOf } from '../market/basis.ts';
import { keepIn, partOf } from './column-set.ts';
import { constantColumn } from './kernels.ts';
import type { Condition, Leaf, Node, Value } from './program.ts';
import { SeriesColumns } from './series-columns.ts';

/** A position that is held: `from` is the first bar whose close counts, `entryPrice` the fill before slippage. */
export interface HeldPosition {
  readonly from: number;
  readonly entryPrice: number;
}

/** Over a whole history, shared by all rules that are run on its indicators. */
export class HistoryColumns extends SeriesColumns {
  readonly from = 0;
  readonly indicators: IndicatorSet;
  private found: readonly Stretch[] | null = null;

  constructor(indicators: IndicatorSet) {
    super(indicators.series.length);
    this.indicators = indicators;
  }

  protected keep<T extends Float64Array | Uint8Array>(key: string, compute: () => T): T {
    return this.indicators.keep(key, compute);
  }

  stretches(): readonly Stretch[] {
    this.found ??= stretchesOf(this.indicators.series);
    return this.found;
  }

  ownerOf(): this {
    return this;
  }

  protected leaf(program: Leaf): Float64Array {
    switch (program.kind) {
      case 'bar':
        return program.fn.column(this.indicators.series);
      case 'indicator':
        return program.fn.column(this.indicators, program.args);
      case 'position':
        return constantColumn(this.length, Number.NaN);
    }
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

  private part<T extends Float64Array | Uint8Array>(column: T): T {
    return partOf(column, this.from, this.from + this.length);
  }

  protected keep<T extends Float64Array | Uint8Array>(key: string, compute: () => T): T {
    return keepIn(this.computed, key, compute);
  }

  protected leaf({ kind, fn }: Leaf): Float64Array {
    if (kind !== 'position') throw new RangeError(`${fn.name} is no value of a position`);
    const { high, low, close } = this.history.indicators.series;
    const { entryPrice } = this.held;
    return fn.column({ high: this.part(high), low: this.part(low), close: this.part(close), entryPrice });
  }
}
