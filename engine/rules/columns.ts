/** Columns and masks of programs: each is computed once, and programs share it. */
import type { IndicatorSet } from '../indicators/indicator-set.ts';
import { civilDate, weekday } from '../market/dates.ts';
import type { BarSeries } from '../market/series.ts';
import {
  allOf,
  anyOf,
  BINARY_KERNELS,
  beforeOf,
  COMPARISON_KERNELS,
  constantColumn,
  DIFFERENCE_KERNELS,
  forBarsOf,
  UNARY_KERNELS,
  WINDOW_KERNELS,
  withinBarsOf,
} from './kernels.ts';
import type { BarValue, Condition, Indicator, PositionValue, Value } from './program.ts';

/** A position that is held: `from` is the first bar whose close is looked at, `entryPrice` the fill before slippage. */
export interface HeldPosition {
  readonly from: number;
  readonly entryPrice: number;
}

abstract class Columns {
  readonly length: number;

  constructor(length: number) {
    this.length = length;
  }

  protected abstract keep<T extends Float64Array | Uint8Array>(key: string, compute: () => T): T;
  protected abstract bar(name: BarValue): Float64Array;
  protected abstract indicator(name: Indicator, args: readonly number[]): Float64Array;
  protected abstract position(name: PositionValue): Float64Array;

  /** NaN where it is undefined. */
  value(node: Value): Float64Array {
    return this.keep(node.key, () => this.computeValue(node));
  }

  /** 1 where it is certainly true. */
  mask(node: Condition): Uint8Array {
    return this.keep(node.key, () => this.computeMask(node));
  }

  private computeValue({ program }: Value): Float64Array {
    switch (program.kind) {
      case 'constant':
        return constantColumn(this.length, program.value);
      case 'bar':
        return this.bar(program.name);
      case 'position':
        return this.position(program.name);
      case 'indicator':
        return this.indicator(program.name, program.args);
      case 'unary':
        return UNARY_KERNELS[program.name](this.value(program.a));
      case 'binary':
        return BINARY_KERNELS[program.name](this.value(program.a), this.value(program.b));
      case 'window':
        return WINDOW_KERNELS[program.name](this.value(program.a), program.n);
    }
  }

  private computeMask({ program }: Condition): Uint8Array {
    switch (program.kind) {
      case 'compare': {
        const { name, price } = program;
        const [a, b] = [this.value(program.a), this.value(program.b)];
        return price === null ? COMPARISON_KERNELS[name](a, b) : DIFFERENCE_KERNELS[name](a, b, this.value(price));
      }
      case 'all':
        return allOf(program.parts.map((part) => this.mask(part)));
      case 'any':
        return anyOf(program.parts.map((part) => this.mask(part)));
      case 'before':
        return beforeOf(this.mask(program.part));
      case 'forBars':
        return forBarsOf(this.mask(program.part), program.n);
      case 'withinBars':
        return withinBarsOf(this.mask(program.part), program.n);
    }
  }
}

/** Over a whole history, shared by all rules that are run on its indicators. */
export class HistoryColumns extends Columns {
  readonly indicators: IndicatorSet;

  constructor(indicators: IndicatorSet) {
    super(indicators.series.length);
    this.indicators = indicators;
  }

  protected keep<T extends Float64Array | Uint8Array>(key: string, compute: () => T): T {
    return this.indicators.keep(key, compute);
  }

  protected bar(name: BarValue): Float64Array {
    const { series } = this.indicators;
    if (name === 'day_of_week') return daysOf(series, weekday);
    return name === 'month' ? daysOf(series, (day) => civilDate(day).month) : series[name];
  }

  protected indicator(name: Indicator, args: readonly number[]): Float64Array {
    return INDICATOR_COLUMNS[name](this.indicators, args);
  }

  protected position(): Float64Array {
    return constantColumn(this.length, Number.NaN);
  }
}

function daysOf({ day, length }: BarSeries, figureOf: (day: number) => number): Float64Array {
  return Float64Array.from({ length }, (_, t) => figureOf(day[t]));
}

type IndicatorColumn = (indicators: IndicatorSet, args: readonly number[]) => Float64Array;

const INDICATOR_COLUMNS: Readonly<Record<Indicator, IndicatorColumn>> = {
  sma: (indicators, [n]) => indicators.sma(n),
  ema: (indicators, [n]) => indicators.ema(n),
  rsi: (indicators, [n]) => indicators.rsi(n),
  atr: (indicators, [n]) => indicators.atr(n),
  roc: (indicators, [n]) => indicators.roc(n),
  volatility: (indicators, [n]) => indicators.volatility(n),
  highest: (indicators, [n]) => indicators.highestBefore(n),
  lowest: (indicators, [n]) => indicators.lowestBefore(n),
  macd: (indicators, [f, s]) => indicators.macdLine(f, s),
  macd_signal: (indicators, [f, s, g]) => indicators.macd(f, s, g).signal,
  bollinger_upper: (indicators, [n, k]) => band(indicators, n, k),
  bollinger_lower: (indicators, [n, k]) => band(indicators, n, -k),
};

function band(indicators: IndicatorSet, n: number, multiple: number): Float64Array {
  const [middle, width] = [indicators.sma(n), indicators.stdev(n)];
  const out = new Float64Array(middle.length);
  for (let t = 0; t < out.length; t++) out[t] = middle[t] + multiple * width[t];
  return out;
}

/** Over the bars of a position, up to bar `to` (excluded). What lies before the position is undefined where it matters. */
export class PositionColumns extends Columns {
  private readonly history: HistoryColumns;
  private readonly held: HeldPosition;
  private readonly known = new Map<string, Float64Array | Uint8Array>();

  constructor(history: HistoryColumns, held: HeldPosition, to: number) {
    super(to - held.from);
    this.history = history;
    this.held = held;
  }

  override value(node: Value): Float64Array {
    return node.isOfPosition ? super.value(node) : this.part(this.history.value(node));
  }

  override mask(node: Condition): Uint8Array {
    return node.isOfPosition ? super.mask(node) : this.part(this.history.mask(node));
  }

  private part<T extends Float64Array | Uint8Array>(column: T): T {
    const { from } = this.held;
    // The compiler does not know that a part of a column is a column of the same kind.
    return column.subarray(from, from + this.length) as T;
  }

  protected keep<T extends Float64Array | Uint8Array>(key: string, compute: () => T): T {
    // A key names one kind of column.
    const known = this.known.get(key) as T | undefined;
    if (known !== undefined) return known;
    const column = compute();
    this.known.set(key, column);
    return column;
  }

  protected bar(): Float64Array {
    throw new RangeError('a value of a bar is no value of a position');
  }

  protected indicator(): Float64Array {
    throw new RangeError('an indicator is no value of a position');
  }

  protected position(name: PositionValue): Float64Array {
    const { entryPrice } = this.held;
    const { high, low, close } = this.history.indicators.series;
    switch (name) {
      case 'entry_price':
        return constantColumn(this.length, entryPrice);
      case 'bars_held':
        return Float64Array.from({ length: this.length }, (_, i) => i + 1);
      case 'pnl_pct':
        return this.part(close).map((price) => 100 * (price / entryPrice - 1));
      case 'peak':
        return running(this.part(high), entryPrice, 1);
      case 'trough':
        return running(this.part(low), entryPrice, -1);
      case 'peak_close':
        return running(this.part(close), entryPrice, 1);
      case 'trough_close':
        return running(this.part(close), entryPrice, -1);
    }
  }
}

/** Highest (sign 1) or lowest (sign -1) price so far, the first one included. */
function running(prices: Float64Array, first: number, sign: 1 | -1): Float64Array {
  const out = new Float64Array(prices.length);
  let extreme = first;
  for (let i = 0; i < prices.length; i++) {
    if (sign * prices[i] > sign * extreme) extreme = prices[i];
    out[i] = extreme;
  }
  return out;
}
