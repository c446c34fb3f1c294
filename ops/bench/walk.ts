/** Bars of random walks, the same in every run. */
import { dayOf } from '../../engine/market/dates.ts';
import { allocateSeries, type BarSeries } from '../../engine/market/series.ts';
import { lehmer } from '../../test/support/series.ts';

/** `middle`: below 0.5 prices tend to rise. */
export function walk(length: number, seed = 1, middle = 0.495): BarSeries {
  const series = allocateSeries(length);
  const random = lehmer(seed);
  let price = 100;
  for (let i = 0; i < length; i++) {
    const open = price * (1 + 0.01 * (random() - 0.5));
    price = open * (1 + 0.03 * (random() - middle));
    series.day[i] = dayOf(2000, 1, 1) + i;
    series.open[i] = open;
    series.close[i] = price;
    series.high[i] = Math.max(open, price) * (1 + 0.005 * random());
    series.low[i] = Math.min(open, price) * (1 - 0.005 * random());
    series.volume[i] = Math.round(1e6 * random() ** 4);
  }
  return series;
}
