/** Cash dividends in money. */
import { basisOf } from './basis.ts';
import { type BarSeries, firstIndexFrom } from './series.ts';

/**
 * Payments for a share at each bar, on the basis of the series: the close before, as traded, × (1 - factor) of each cash dividend
 * whose ex-date it is; 0 without one. An ex-date without a bar counts at the next one.
 */
export function dividendsOn(series: BarSeries): Float64Array {
  const { close, day, length, dividends = [], sums } = series;
  if (sums !== undefined) return sums.dividend;
  const paid = new Float64Array(length);
  for (const { exDay, factor } of dividends) {
    const t = firstIndexFrom(series, exDay);
    if (t === 0 || t === length) continue;
    const traded = close[t - 1] / basisOf(series, day[t - 1]).price;
    paid[t] += traded * (1 - factor) * basisOf(series, day[t]).price;
  }
  return paid;
}
