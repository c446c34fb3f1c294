/** Weekly and monthly bars from daily ones. */
import { civilDate, type Day, weekStart } from './dates.ts';
import { allocateSeries, type BarSeries, sliceSeries } from './series.ts';

export const PERIODS = ['day', 'week', 'month'] as const;
export type Period = (typeof PERIODS)[number];

function monthKey(day: Day): number {
  const { year, month } = civilDate(day);
  return year * 12 + month;
}

/**
 * Open is the first, close the last, high and low are the extremes, volume is the sum; the day of a bar is its newest
 * session. A week runs from Monday to Friday. The last week or month is included even before it ends.
 */
export function resample(series: BarSeries, period: Period): BarSeries {
  if (period === 'day' || series.length === 0) return series;
  const keyOf = period === 'week' ? weekStart : monthKey;
  const out = allocateSeries(series.length);
  let last = -1;
  let currentKey = Number.NaN;
  for (let i = 0; i < series.length; i++) {
    const key = keyOf(series.day[i]);
    if (key !== currentKey) {
      currentKey = key;
      last++;
      out.open[last] = series.open[i];
      out.high[last] = series.high[i];
      out.low[last] = series.low[i];
    }
    out.high[last] = Math.max(out.high[last], series.high[i]);
    out.low[last] = Math.min(out.low[last], series.low[i]);
    out.volume[last] += series.volume[i];
    out.close[last] = series.close[i];
    out.day[last] = series.day[i];
  }
  return sliceSeries(out, 0, last + 1);
}
