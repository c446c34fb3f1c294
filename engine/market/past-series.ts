/** Bars as they were before they were changed. */
import type { Day } from './dates.ts';
import { allocateSeries, type BarSeries, VALUE_COLUMNS } from './series.ts';

type Bar = Readonly<Record<(typeof VALUE_COLUMNS)[number], number>>;

/** The series with other bars on some days; null: no bar. */
export function withBars(series: BarSeries, changed: ReadonlyMap<Day, Bar | null>): BarSeries {
  if (changed.size === 0) return series;
  const kept = Array.from(series.day, (day, index) => ({ day, index })).filter(({ day }) => !changed.has(day));
  const added = [...changed].flatMap(([day, bar]) => (bar ? [{ day, bar }] : []));
  const all = [...kept, ...added].sort((a, b) => a.day - b.day);
  const result = allocateSeries(all.length);
  all.forEach((one, i) => {
    result.day[i] = one.day;
    for (const column of VALUE_COLUMNS) result[column][i] = 'bar' in one ? one.bar[column] : series[column][one.index];
  });
  return result;
}
