/** Columns and masks of programs: each is computed once, and programs share it. */
import type { IndicatorSet } from '../indicators/indicator-set.ts';
import { type Stretch, stretchesOf } from '../market/basis.ts';
import { civilDate, weekday } from '../market/dates.ts';
import type { BarSeries } from '../market/series.ts';
import { keepIn, partOf } from './column-set.ts';
import { constantColumn } from './kernels.ts';
import type { Condition, Indicator, Leaf, Node, Value } from './program.ts';
import { SeriesColumns } from './series-columns.ts';

/** A position that is held: `from` is the first bar whose close is looked at, `entryPrice` the fill before slippage. */
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
    if (program.kind === 'indicator') return INDICATOR_COLUMNS[program.name](this.indicators, program.args);
    if (program.kind === 'position') return constantColumn(this.length, Number.NaN);
    const { series } = this.indicators;
    if (program.name === 'day_of_week') return daysOf(series, weekday);
    return program.name === 'month' ? daysOf(series, (day) => civilDate(day).month) : series[program.name];
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

  protected leaf({ kind, name }: Leaf): Float64Array {
    if (kind !== 'position') throw new RangeError(`${name} is no value of a position`);
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
