/** Indicators of one series. Each is computed once and then kept. */

import type { BarSeries } from '../market/series.ts';
import * as indicators from './indicators.ts';

/** Largest total size of the columns in `keep`, in bytes. */
const MAX_KEPT_BYTES = 64 * 1024 * 1024;

export class IndicatorSet {
  readonly series: BarSeries;
  private readonly known = new Map<string, Float64Array>();
  private readonly kept = new Map<string, Float64Array | Uint8Array>();
  private keptBytes = 0;

  constructor(series: BarSeries) {
    this.series = series;
  }

  private once(key: string, compute: () => Float64Array): Float64Array {
    let column = this.known.get(key);
    if (column === undefined) {
      column = compute();
      this.known.set(key, column);
    }
    return column;
  }

  /** A column under a key of the caller, computed once; the least recently used columns are dropped above the limit. */
  keep<T extends Float64Array | Uint8Array>(key: string, compute: () => T): T {
    // A caller keeps one kind of column under a key.
    const known = this.kept.get(key) as T | undefined;
    if (known !== undefined) {
      this.kept.delete(key);
      this.kept.set(key, known);
      return known;
    }
    const column = compute();
    this.kept.set(key, column);
    this.keptBytes += column.byteLength;
    for (const [oldest, { byteLength }] of this.kept) {
      if (this.keptBytes <= MAX_KEPT_BYTES) break;
      this.kept.delete(oldest);
      this.keptBytes -= byteLength;
    }
    return column;
  }

  sma(period: number): Float64Array {
    return this.once(`sma ${period}`, () => indicators.sma(this.series.close, period));
  }

  atr(period: number): Float64Array {
    return this.once(`atr ${period}`, () => indicators.atr(this.series, period));
  }

  rsi(period: number): Float64Array {
    return this.once(`rsi ${period}`, () => indicators.rsi(this.series.close, period));
  }

  ema(period: number): Float64Array {
    return this.once(`ema ${period}`, () => indicators.ema(this.series.close, period));
  }

  macd(fast: number, slow: number, signal: number): indicators.Macd {
    const line = this.macdLine(fast, slow);
    return {
      line,
      signal: this.once(`macd signal ${fast} ${slow} ${signal}`, () => indicators.ema(line, signal, slow - 1)),
    };
  }

  macdLine(fast: number, slow: number): Float64Array {
    return this.once(`macd ${fast} ${slow}`, () => indicators.macdLine(this.ema(fast), this.ema(slow)));
  }

  roc(period: number): Float64Array {
    return this.once(`roc ${period}`, () => indicators.roc(this.series.close, period));
  }

  volatility(period: number): Float64Array {
    const returns = this.once('log returns', () => indicators.logReturns(this.series.close));
    return this.once(`volatility ${period}`, () => indicators.volatility(this.series.close, period, returns));
  }

  stdev(period: number): Float64Array {
    return this.once(`stdev ${period}`, () => indicators.stdev(this.series.close, period));
  }

  highestBefore(period: number): Float64Array {
    return this.once(`highest ${period}`, () => indicators.highestBefore(this.series.high, period));
  }

  lowestBefore(period: number): Float64Array {
    return this.once(`lowest ${period}`, () => indicators.lowestBefore(this.series.low, period));
  }
}
