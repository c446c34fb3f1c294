/** Generated bar series for the engine's tests. */
import { dayOf } from '../../engine/market/dates.ts';
import { allocateSeries, type BarSeries } from '../../engine/market/series.ts';

/** Returns a linear congruential generator of numbers from 0 to 1, the same for the same seed. */
export function lehmer(seed: number): () => number {
  let state = seed % 2147483647 || 1;
  return () => {
    state = (state * 48271) % 2147483647;
    return state / 2147483647;
  };
}

/** Makes a random walk with gaps and a range, on weekdays from 2020-01-01. */
export function randomSeries(length: number, seed: number): BarSeries {
  const random = lehmer(seed);
  const series = allocateSeries(length);
  let day = dayOf(2020, 1, 1);
  let close = 20 + 200 * random();
  for (let i = 0; i < length; i++) {
    while ((day + 4) % 7 === 0 || (day + 4) % 7 === 6) day++;
    const open = close * (1 + 0.02 * (random() - 0.5));
    close = open * (1 + 0.05 * (random() - 0.49));
    series.day[i] = day++;
    series.open[i] = open;
    series.close[i] = close;
    series.high[i] = Math.max(open, close) * (1 + 0.02 * random());
    series.low[i] = Math.min(open, close) * (1 - 0.02 * random());
    series.volume[i] = Math.round(1e6 * random());
  }
  return series;
}

/**
 * A walk of whole ticks between 20 and 30 of them, on weekdays from 2020-01-01: closes repeat, averages meet exactly.
 * Each price is multiplied by `tick`, as an adjustment for splits does it.
 */
export function tickSeries(length: number, seed: number, tick: number): BarSeries {
  const random = lehmer(seed);
  const step = () => Math.floor(3 * random()) - 1;
  const bounded = (price: number) => Math.min(30, Math.max(20, price));
  const walk = mapSeries(randomSeries(length, seed), (value, column) => (column === 'day' ? value : 0));
  let close = 25;
  for (let i = 0; i < length; i++) {
    const open = bounded(close + step());
    close = bounded(open + step());
    walk.open[i] = open * tick;
    walk.close[i] = close * tick;
    walk.high[i] = (Math.max(open, close) + Math.floor(2 * random())) * tick;
    walk.low[i] = (Math.min(open, close) - Math.floor(2 * random())) * tick;
    walk.volume[i] = 1000;
  }
  return walk;
}

export type Bar = readonly [open: number, high: number, low: number, close: number];

/** A series of the given bars; a number alone is a bar that opens, trades and closes there. */
export function seriesOf(bars: readonly (number | Bar)[], firstDay = dayOf(2025, 1, 6)): BarSeries {
  const series = allocateSeries(bars.length);
  bars.forEach((bar, i) => {
    const [open, high, low, close] = typeof bar === 'number' ? [bar, bar, bar, bar] : bar;
    series.day[i] = firstDay + i;
    series.open[i] = open;
    series.high[i] = high;
    series.low[i] = low;
    series.close[i] = close;
    series.volume[i] = 1000;
  });
  return series;
}

/** Returns a copy with a function applied to every column. */
export function mapSeries(
  series: BarSeries,
  change: (value: number, column: keyof BarSeries, i: number) => number,
): BarSeries {
  const out = allocateSeries(series.length);
  for (const column of ['day', 'open', 'high', 'low', 'close', 'volume'] as const) {
    for (let i = 0; i < series.length; i++) out[column][i] = change(series[column][i], column, i);
  }
  return out;
}
