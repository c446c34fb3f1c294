/** The indicators of one series, each computed once however often it is asked for. */

import type { BarSeries } from '../market/series.ts';
import * as indicators from './indicators.ts';

export class IndicatorSet {
  readonly series: BarSeries;
  private readonly known = new Map<string, unknown>();

  constructor(series: BarSeries) {
    this.series = series;
  }

  private once<T>(key: string, compute: () => T): T {
    let column = this.known.get(key) as T | undefined;
    if (column === undefined) {
      column = compute();
      this.known.set(key, column);
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

  macd(fast: number, slow: number, signal: number): indicators.Macd {
    return this.once(`macd ${fast} ${slow} ${signal}`, () => indicators.macd(this.series.close, fast, slow, signal));
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
